import Evidence
import Redaction
import SystemCalls
import Values

/// Redacted copies of stores, in folders that go with this value. Each is made when it is first asked for, and again when
/// its store has changed.
final class RedactedCopies {
  private struct Copy {
    let original: String
    let state: [FileState]
    let source: StoreSource
    /// Its files are the copy's.
    let folder: PrivateFolder
  }

  private let marks: Marks
  private var copies = RecentlyUsed<Copy>(most: AssistantSources.most)

  init(_ marks: Marks) { self.marks = marks }

  /// What is read in place of the store, under its name.
  func copy(of original: StoreSource) throws -> StoreSource {
    // One that was taken out of a container again is in another folder.
    let location = original.location
    let state = FileState.of(["", "-wal", "-journal"].map { location + $0 })
    if let known = copies.first(where: { $0.original == location && $0.state == state }) {
      return known.source
    }
    copies.removeAll { $0.original == location }
    copies.makeRoom()
    let copy = try make(original, state)
    copies.add(copy)
    return copy.source
  }

  private func make(_ original: StoreSource, _ state: [FileState]) throws -> Copy {
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
        original: original.location, state: state, source: StoreSource(at: copy, calling: original.path),
        folder: folder)
    }
  }
}
