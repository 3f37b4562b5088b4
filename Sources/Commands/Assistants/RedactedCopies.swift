import Containers
import Evidence
import Redaction
import SystemCalls
import Values

/// Redacted copies of stores, in folders that go with this value. Each is made when it is first asked for, and again when
/// its store has changed.
final class RedactedCopies {
  private struct Copy {
    let path: String
    let state: [FileState]
    let source: StoreSource
    /// Its files are the copy's.
    let folder: PrivateFolder
  }

  private struct FileState: Equatable {
    let identity: FileIdentity
    let size: Int64
    let modified: Int64
  }

  /// As many as there is room for on any disk.
  private static let most = 4

  private let marks: Marks
  private var copies: [Copy] = []

  init(_ marks: Marks) { self.marks = marks }

  /// What is read in place of the store, under its name.
  func copy(of path: String) throws -> StoreSource {
    let file = StoreSource.file(of: path)
    // Of what a folder holds its own date says nothing.
    let original = FileReader.kind(of: file) == .folder ? try StoreSource(path) : nil
    let state = Self.state(of: original?.location ?? file)
    if let known = copies.first(where: { $0.path == path && $0.state == state }) { return known.source }
    copies.removeAll { $0.path == path }
    let made = try make(original ?? StoreSource(path), path, state)
    copies = copies.suffix(Self.most - 1) + [made]
    return made.source
  }

  private static func state(of file: String) -> [FileState] {
    [file, file + "-wal", file + "-journal"].compactMap { path in
      FileStatus(path).map { FileState(identity: $0.identity, size: $0.size, modified: $0.modified) }
    }
  }

  private func make(_ original: StoreSource, _ path: String, _ state: [FileState]) throws -> Copy {
    let folder = try PrivateFolder()
    var attempt = 0
    return try SecondLook.read({ Session(original, goesOn: { !Interruption.isRequested }) }) { session in
      attempt += 1
      let copy = folder.path(of: "\(attempt).store")
      _ = try Interruption.explaining {
        try StoreRedaction(session.open(), to: copy, RedactionOptions(marks: marks)).run(
          finish: session.finish
        ) { _ in }
      }
      return Copy(
        path: path, state: state, source: StoreSource(at: copy, calling: original.path), folder: folder)
    }
  }
}
