import Rendering
import StoreModel
import Values

/// Writes parts, one after the other, on one thread.
struct PartWriter {
  let store: CoreDataStore
  let folder: String
  let format: Format
  /// Where blobs go, below the folder; nil to write only what they are.
  let blobs: String?
  /// Tells this thread from the others.
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
