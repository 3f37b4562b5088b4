import Synchronization
import SystemCalls
import Values

/// What the threads of one export share.
final class ExportRun: Sendable {
  private struct State {
    let folder: ExportFolder
    var waiting: ArraySlice<Int>
    /// By the part's index.
    var finished: [Int: ExportedPart]
    var failure: (any Error)?
  }

  private let state: Mutex<State>
  private let rowCount = Atomic<Int>(0)
  private let ended = Atomic<Bool>(false)

  /// - Parameters:
  ///   - finished: the parts, by index, that are whole already.
  ///   - count: of all parts.
  init(_ folder: sending ExportFolder, finished: [Int: ExportedPart], count: Int) {
    let waiting = (0..<count).filter { finished[$0] == nil }
    state = Mutex(State(folder: folder, waiting: waiting[...], finished: finished))
  }

  /// The rows that were written so far, by all threads.
  var rows: Int { rowCount.load(ordering: .relaxed) }

  func add(rows: Int) { rowCount.add(rows, ordering: .relaxed) }

  /// Whether nothing more must be written: something went wrong, or the user wants no more.
  var hasEnded: Bool { ended.load(ordering: .relaxed) || Interruption.isRequested }

  /// The next part that nobody writes; nil when there is none, or nothing more must be written.
  func next() -> Int? { hasEnded ? nil : state.withLock { $0.waiting.popFirst() } }

  /// Whether that part is the caller's to write: it waits, and something more may be written.
  func take(_ index: Int) -> Bool {
    !hasEnded
      && state.withLock { state in
        let isWaiting = state.waiting.contains(index)
        state.waiting.removeAll { $0 == index }
        return isWaiting
      }
  }

  /// How many parts nobody writes yet.
  var waiting: Int { state.withLock { $0.waiting.count } }

  /// Writes a part and notes it in the folder's journal.
  func perform(_ index: Int, _ write: () throws -> ExportedPart) {
    do {
      let part = try write()
      try state.withLock {
        try $0.folder.add(part)
        $0.finished[index] = part
      }
    } catch {
      ended.store(true, ordering: .relaxed)
      // What the others say who were stopped is about the stopping.
      state.withLock { if $0.failure == nil { $0.failure = error } }
    }
  }

  /// All parts in order, when the threads have ended.
  /// - Throws: what went wrong first; `InterruptedError`.
  func result() throws -> [ExportedPart] {
    try state.withLock { state in
      if Interruption.isRequested { throw InterruptedError() }
      if let failure = state.failure { throw failure }
      return state.finished.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  func finish(_ manifest: ExportManifest) throws {
    try state.withLock { try $0.folder.finish(manifest) }
  }
}
