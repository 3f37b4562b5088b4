import Rendering
import StoreModel
import SystemCalls
import Values

/// Writes parts, one after the other, on one thread.
struct PartWriter {
  let store: CoreDataStore
  let folder: String
  let format: Format
  let compression: ExportCompression?
  /// Where blobs go, below the folder; nil to write only what they are.
  let blobs: String?
  /// Distinguishes this thread from the others.
  let number: Int
  let run: ExportRun
  let rights: FileRights

  /// - Parameter file: below the folder.
  func write(_ part: ExportPart, to file: String) throws -> ExportedPart {
    let target = try PartFile("\(folder)/\(file)", rights: rights, compression: compression)
    let output = OutputBuffer(write: target.write)
    var rows = 0
    var stream = try part.rows(in: store) {
      rows += 1
      // Adding one by one, the threads would wait for each other.
      if rows % Self.rowsBetweenNotes == 0 { run.add(rows: Self.rowsBetweenNotes) }
    }
    let columns = stream.columns.count
    let produce = stream.produce
    let keeper = blobs.map { BlobFolder(path: "\(folder)/\($0)", suffix: "-\(number)", rights: rights) }
    var kinds: [ValueKinds] = []
    stream.produce = { sink in
      let noting = PartSink(sink, columns: columns, blobs: keeper)
      defer { kinds = noting.kinds }
      try produce(noting)
    }
    var options = Renderer.Options()
    options.format = format
    let document = Document(command: "export", fields: [.init("rows", rows: stream)], payload: "rows")
    try Renderer(output: output, options: options).render(document)
    run.add(rows: rows % Self.rowsBetweenNotes)
    let (bytes, sha256) = try target.finish()
    return ExportedPart(file: file, rows: rows, bytes: bytes, sha256: sha256, kinds: kinds)
  }

  private static let rowsBetweenNotes = 1024
}

/// Where the bytes of blobs go: each into a file named for their hash, once.
struct BlobFolder {
  let path: String
  /// Two threads may come upon the same bytes: each writes a file of its own, and one name replaces the other.
  let suffix: String
  let rights: FileRights

  func keep(_ bytes: UnsafeRawBufferPointer) throws {
    let path = "\(path)/\(SHA256.hexadecimal(of: bytes))"
    guard FileReader.size(of: path) != Int64(bytes.count) else { return }
    let file = try PartFile(path, suffix: suffix, rights: rights)
    _ = file.write(bytes)
    _ = try file.finish()
  }
}
