import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

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
