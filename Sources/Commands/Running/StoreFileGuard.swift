import Evidence
package import Values

/// Keeps results from being written over stores.
package enum StoreFileGuard {
  /// - Parameter store: the store that is open, none of whose files is ever written.
  /// - Throws: where the path leads to a file of a store, or would become one.
  package static func check(_ path: String, keeping store: String?) throws(StoreScopeError) {
    let isStore = store.flatMap { try? StoreFiles(path: $0) }?.includes(path) ?? false
    // SQLite's files beside a store, which need not be there yet.
    let isBeside = SideFiles.owner(of: path) != nil
    guard !isStore, !isBeside, !isDatabase(path) else {
      throw StoreScopeError("'\(path)' is a store, which is never written over; choose another file.")
    }
  }

  /// Whether the file begins as SQLite's do: https://www.sqlite.org/fileformat.html#magic_header_string
  private static func isDatabase(_ path: String) -> Bool {
    let magic = Array("SQLite format 3\0".utf8)
    return (try? FileReader.beginning(of: path, count: magic.count))?.bytes == magic
  }
}
