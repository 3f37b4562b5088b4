import Base
import Evidence
package import Lens
package import Rendering
import SQLite
import StoreModel
import Synchronization

/// Writes a store's parts into a folder, on several threads, each with a connection of its own to the same state.
package struct Exporter {
  package let open: OpenStore
  package let identity: StoreIdentity
  package let plan: ExportPlan
  /// Of the program.
  package let version: String
  /// `ndjson` or `csv`.
  package let format: Format
  /// Whether blobs' bytes are written too, each into a file named for its hash.
  package let keepsBlobs: Bool
  package let compression: ExportCompression?

  package init(
    _ open: OpenStore, _ identity: StoreIdentity, plan: ExportPlan, version: String, format: Format,
    keepsBlobs: Bool, compression: ExportCompression? = nil
  ) {
    self.open = open
    self.identity = identity
    self.plan = plan
    self.version = version
    self.format = format
    self.keepsBlobs = keepsBlobs
    self.compression = compression
  }

  /// What was done, and how much of it an earlier run had done already.
  package struct Result {
    package var manifest: ExportManifest
    package var partsTakenUp: Int
  }

  /// - Parameters:
  ///   - path: the folder, which must not be there, be empty, or hold an unfinished export of the same.
  ///   - threads: at most so many work at the same time.
  ///   - progress: called on this thread, again and again, with the number of rows that were written.
  /// - Throws: `StoreScopeError`, `SQLiteError`, `InterruptedError`. What is finished stays for the next run.
  package func export(to path: String, threads: Int, progress: (Int) -> Void) throws -> Result {
    let opened = try open.bytes()
    let rights = FileRights(like: opened.files.resolvedPath)
    let folder = try ExportFolder(path, heading: heading(opened.contentMark), rights: rights)
    var finished: [Int: ExportedPart] = [:]
    for (index, part) in plan.parts.enumerated() { finished[index] = folder.whole(file(of: part)) }
    let takenUp = finished.count
    let run = ExportRun(folder, finished: finished, count: plan.parts.count)
    var writers: [PartWriter] = []
    func addWriters(upTo count: Int) throws {
      let more = try opened.moreConnections(count - max(1, writers.count)).map(open.store(through:))
      for store in writers.isEmpty ? [open.store] + more : more {
        store.connection.onProgress(everyInstructions: 10_000) { !run.hasEnded }
        writers.append(
          PartWriter(
            store: store, folder: path, format: format, compression: compression,
            blobs: keepsBlobs ? ExportFolder.blobs : nil,
            number: writers.count, run: run, rights: rights))
      }
    }
    try addWriters(upTo: 1)
    let files = plan.parts.map(file)
    // A large part is made by all threads together, or the last one would keep one of them busy alone. Compressing takes
    // longer than making, and one file is compressed by one.
    for (index, part) in plan.parts.enumerated()
    where compression == nil && finished[index] == nil && !run.hasEnded {
      let ranges = try part.parts(in: open.store) {
        // More than can run at a time gain nothing for one table.
        try addWriters(upTo: min(threads, max(2, Threads.processors)))
        return writers.map(\.store)
      }
      guard let ranges, run.take(index) else { continue }
      withoutActuallyEscaping(progress) { progress in
        var ranges = ranges
        ranges.whileWaiting = { progress(run.rows) }
        run.perform(index) { try writers[0].write(part, to: files[index], in: ranges) }
      }
    }
    try addWriters(upTo: min(threads, run.waiting))
    Threads.run(
      writers.map { writer in
        // Each has its own connection and store; no other thread touches them before this one has ended.
        nonisolated(unsafe) let writer = writer
        return { [plan] in
          while let index = run.next() {
            run.perform(index) { try writer.write(plan.parts[index], to: files[index]) }
          }
        }
      }
    ) { progress(run.rows) }
    let manifest = ExportManifest(
      store: identity, version: version, format: format, compression: compression,
      parts: Array(zip(plan.parts, try run.result())),
      leftOut: plan.leftOut)
    // Where no lock protects the reading, only now is it known that all parts are of one state.
    try opened.finish()
    try run.finish(manifest)
    return Result(manifest: manifest, partsTakenUp: takenUp)
  }

  private func file(of part: ExportPart) -> String {
    "\(part.file).\(format.rawValue)\(compression?.suffix ?? "")"
  }

  /// What makes two exports write the same files.
  private func heading(_ contentMark: String) -> DataValue {
    [
      "schema": "storescope/export-journal/1", "version": .text(version),
      "store": ExportManifest.name(of: identity), "state": .text(contentMark),
      "format": .text(format.rawValue), "blobs": .bool(keepsBlobs),
      "compression": .optional(compression?.rawValue),
      "parts": .array(
        plan.parts.map {
          [
            "file": .text($0.file), "columns": .array($0.columns.map { ExportManifest.value($0) }),
            "predicate": .optional($0.predicate?.condition),
          ]
        }),
    ]
  }
}

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
