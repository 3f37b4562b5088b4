import Base
import Evidence

/// What is worth a look at its bytes, by name and size.
enum Candidate {
  /// Names of files that people look for as stores.
  private static let ownExtensions = ["sqlite", "store", "sqlite3", "storedata", "realm"]
  private static let extensions = ownExtensions + ["db", "data"]
  private static let archives = [
    ".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz", ".tar.xz", ".txz", ".tar.zst", ".tzst",
  ]

  /// A database has whole pages, of 512 bytes at least. One that was cut off is worth a word only if it is called like one.
  static func isLikely(_ name: String, size: Int64?) -> Bool {
    guard SideFiles.owner(of: name) == nil else { return false }
    guard let size else { return true }
    return size > 0 && size % 512 == 0 || isCalledLikeDatabase(name)
  }

  private static func isCalled(_ name: String, _ extensions: [String]) -> Bool {
    guard let dot = name.lastIndex(of: ".") else { return false }
    return extensions.contains(name[name.index(after: dot)...].lowercased())
  }

  static func isCalledLikeDatabase(_ name: String) -> Bool { isCalled(name, extensions) }

  static func isCalledLikeStore(_ name: String) -> Bool { isCalled(name, ownExtensions) }

  /// Whether a compressed file is called like a store, as in `App.sqlite.gz`.
  static func mayBePackedStore(_ name: String) -> Bool {
    name.lastIndex(of: ".").map { isCalled(String(name[..<$0]), ownExtensions) } ?? false
  }

  /// Why something that is called like a store isn't one, a clause; nil if it isn't called so.
  static func problem(_ name: String, _ beginning: [UInt8], size: Int64?) -> String? {
    guard isCalled(name, ownExtensions) else { return nil }
    if size == 0 || beginning.isEmpty { return "it is empty (0 bytes), so no app has saved to it yet" }
    let other = StoreHeader.otherKind(beginning, size ?? Int64(beginning.count))
    return [other.clause, other.advice].compactMap(\.self).joined(separator: "; ")
  }

  /// In bytes: a store in it has a page of 512 at least, which compressed is more than this.
  static let smallestArchive: Int64 = 128

  /// By its name: to read the first bytes of everything in an archive would take too long.
  static func isArchive(_ name: String) -> Bool {
    let name = name.lowercased()
    return archives.contains(where: name.hasSuffix)
  }

  /// Folders with values of a store, and nothing else.
  static func isPartOfStore(_ name: String) -> Bool {
    name.hasPrefix(".") && name.hasSuffix("_SUPPORT") || name.hasSuffix("_ckAssets")
  }
}
