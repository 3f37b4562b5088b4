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
  ///
  /// The folder is held open from before the check until the file has its name, so that both are about the same folder,
  /// whatever its path leads to by then. Between the check and the renaming another process can still give the name to a
  /// file of its own, which is then replaced: no system renames on condition of what is there.
  /// - Parameter check: throws if what has the name, or the place, isn't for results; it may ask by the path.
  package static func begin(_ path: String, rights: FileRights, check: () throws -> Void) throws -> OpenFile {
    let (before, name) = PathText.split(path)
    let parent = before.map { $0.isEmpty ? "/" : $0 } ?? "."
    guard !name.isEmpty, let folder = try? OpenFolder(parent, following: true) else { throw problem(path) }
    let temporary = "\(name).\(getpid()).new"
    guard let file = try? folder.createFile(temporary, rights: rights) else { throw problem(path) }
    do {
      try check()
      guard try folder.identity(of: "") == FileIdentity(following: parent) else {
        throw StoreScopeError(
          .changed, "The folder of '\(path)' was replaced in the meantime; nothing was written", about: path)
      }
      try folder.move(temporary, to: folder, as: name)
      return file
    } catch {
      try? folder.removeFile(temporary)
      throw error
    }
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

/// A new file that grows piece by piece, each of which is on the medium before anything else happens. It has its name from
/// the beginning: a process that is killed leaves no other.
package final class AppendedFile {
  package let path: String
  private let file: OpenFile

  /// - Parameter source: nobody gets to read the new file who may not read this one.
  /// - Throws: `StoreScopeError` if it can't be made, or something has the name.
  package init(path: String, like source: String) throws {
    self.path = path
    guard let file = OpenFile(path, for: .makingToAppend) else {
      throw Platform.lastFailure == .taken ? Files.madeMeanwhile(path) : Self.problem(path)
    }
    self.file = file
    FileAttributes.takeAccess(of: source, to: file.descriptor)
  }

  /// - Throws: `StoreScopeError` if it can't be written; the file is then as it was.
  package func append(_ text: String) throws {
    guard let size = file.status?.size else { throw Self.problem(path) }
    guard file.write(text), file.sync() else {
      let problem = Self.problem(path)
      file.truncate(to: size)
      throw problem
    }
  }

  /// Takes the file away again, unless its name has come to be another one's.
  package func remove() {
    if FileIdentity(path) == file.status?.identity { unlink(path) }
  }

  private static func problem(_ path: String) -> StoreScopeError {
    .unwritable(path, Platform.lastError())
  }
}
