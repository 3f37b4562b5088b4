import Evidence
package import Lens
package import Rendering
import SQLite
import StoreModel
import SystemCalls
import Values

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
          ["file": .text($0.file), "columns": .array($0.columns.map { ExportManifest.value($0) })]
        }),
    ]
  }
}
