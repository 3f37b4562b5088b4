import Rendering
import StoreModel
import SystemCalls
import Values

/// Writes parts, one after the other, on one thread.
struct PartWriter {
  let store: CoreDataStore
  let folder: String
  let format: Format
  /// Where blobs go, below the folder; nil to write only what they are.
  let blobs: String?
  /// Distinguishes this thread from the others.
  let number: Int
  let run: ExportRun
  let rights: FileRights

  /// - Parameter file: below the folder.
  func write(_ part: ExportPart, to file: String) throws -> ExportedPart {
    let target = try PartFile("\(folder)/\(file)", rights: rights)
    let output = OutputBuffer(write: target.write)
    var rows = 0
    var stream = try part.rows(in: store) {
      rows += 1
      // Adding one by one, the threads would wait for each other.
      if rows % Self.rowsBetweenNotes == 0 { run.add(rows: Self.rowsBetweenNotes) }
    }
    if let blobs {
      let produce = stream.produce
      stream.produce = { sink in
        try produce(
          BlobKeeper(sink, folder: "\(folder)/\(blobs)", suffix: "-\(number)", rights: rights))
      }
    }
    var options = Renderer.Options()
    options.format = format
    let document = Document(command: "export", fields: [.init("rows", rows: stream)], payload: "rows")
    try Renderer(output: output, options: options).render(document)
    run.add(rows: rows % Self.rowsBetweenNotes)
    let (bytes, sha256) = try target.finish()
    return ExportedPart(file: file, rows: rows, bytes: bytes, sha256: sha256)
  }

  private static let rowsBetweenNotes = 1024
}

/// Hands rows on to another sink and writes the bytes of each blob into a file named for their hash, once.
final class BlobKeeper: RowSink {
  private let sink: any RowSink
  private let folder: String
  /// Two threads may come upon the same bytes: each writes a file of its own, and one name replaces the other.
  private let suffix: String
  private let rights: FileRights
  /// What could not be written.
  private(set) var failure: (any Error)?

  init(_ sink: any RowSink, folder: String, suffix: String, rights: FileRights) {
    self.sink = sink
    self.folder = folder
    self.suffix = suffix
    self.rights = rights
  }

  func blob(_ bytes: UnsafeRawBufferPointer, summary: () -> BlobSummary) {
    sink.blob(bytes, summary: summary)
    let path = "\(folder)/\(SHA256.hexadecimal(of: bytes))"
    guard failure == nil, FileReader.size(of: path) != Int64(bytes.count) else { return }
    do {
      let file = try PartFile(path, suffix: suffix, rights: rights)
      _ = file.write(bytes)
      _ = try file.finish()
    } catch { failure = error }
  }

  func endRow() throws -> Bool {
    if let failure { throw failure }
    return try sink.endRow()
  }

  func beginRow() { sink.beginRow() }
  func skip() { sink.skip() }
  func null() { sink.null() }
  func bool(_ value: Bool) { sink.bool(value) }
  func integer(_ value: Int64) { sink.integer(value) }
  func real(_ value: Double) { sink.real(value) }
  func text(_ utf8: UnsafeRawBufferPointer) { sink.text(utf8) }
  func date(_ date: CoreDataDate) { sink.date(date) }
  func uuid(_ bytes: UnsafeRawBufferPointer) { sink.uuid(bytes) }
  func objectURI(prefix: [UInt8], primaryKey: Int64) {
    sink.objectURI(prefix: prefix, primaryKey: primaryKey)
  }
  func value(_ value: DataValue) { sink.value(value) }
}
