package import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes small files: results that people asked for, never a store.
package enum FileWriter {
  /// Replaces the file as a whole, or leaves what was there: the text goes into a new file next to it, which then
  /// takes its name.
  /// - Throws: `StoreScopeError`.
  package static func write(_ text: String, to path: String, rights: FileRights = .ordinary) throws {
    try write(to: path, replacing: true, rights: rights) { $0.text(text) }
  }

  /// The same piece by piece.
  /// - Parameters:
  ///   - replaces: else a file that is there already stays, even one that came while this was written.
  ///   - body: writes it; what it throws leaves nothing behind.
  package static func write(
    to path: String, replacing replaces: Bool, rights: FileRights = .ordinary,
    _ body: (OutputBuffer) throws -> Void
  ) throws {
    let (temporary, file) = try make(path, rights)
    var problem: String?
    do {
      let output = OutputBuffer(write: file.write)
      try body(output)
      output.flush()
      if output.isClosed || !file.sync() { problem = Platform.lastError() }
    } catch {
      file.close()
      unlink(temporary)
      throw error
    }
    file.close()
    if problem == nil, !(replaces ? rename(temporary, path) == 0 : Self.place(temporary, path)) {
      problem = Platform.lastError()
    }
    guard let problem else { return }
    unlink(temporary)
    throw StoreScopeError.unwritable(path, problem, advice: "the previous file is unchanged")
  }

  /// Starts a file from scratch, for a result that comes bit by bit: in place of what has the name, and never into a file that
  /// has other names or is a link's.
  package static func begin(_ path: String, rights: FileRights) throws -> OpenFile {
    let (temporary, file) = try make(path, rights)
    if rename(temporary, path) == 0 { return file }
    defer { unlink(temporary) }
    throw problem(path)
  }

  private static func make(_ path: String, _ rights: FileRights) throws -> (path: String, file: OpenFile) {
    let temporary = "\(path).\(getpid()).new"
    guard let file = OpenFile(temporary, for: .making, rights: rights) else { throw problem(path) }
    return (temporary, file)
  }

  private static func problem(_ path: String) -> StoreScopeError {
    .unwritable(path, Platform.lastError(), advice: "choose another location")
  }

  /// Gives the file its name, unless something bears that name. A second name isn't possible where something is, on any
  /// system; file systems without such names take a new, empty file to be replaced.
  private static func place(_ temporary: String, _ path: String) -> Bool {
    if link(temporary, path) == 0 { return unlink(temporary) == 0 }
    guard errno == EPERM || errno == EOPNOTSUPP || errno == ENOTSUP else { return false }
    return OpenFile(path, for: .making, rights: .ordinary) != nil && rename(temporary, path) == 0
  }
}
