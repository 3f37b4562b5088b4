import Archives
package import Base
import Rendering
import StoreModel
import Synchronization

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

  /// - Parameters:
  ///   - file: below the folder.
  ///   - ranges: the part's rows as several threads make them; nil to make them here.
  func write(_ part: ExportPart, to file: String, in ranges: RowParts? = nil) throws -> ExportedPart {
    let target = try PartFile("\(folder)/\(file)", rights: rights, compression: compression)
    let output = OutputBuffer(write: target.write)
    var stream = try part.rows(in: store)
    let impossibleDates = format == .csv ? try stream.impossibleDates(.max) : nil
    if let impossibleDates { stream.impossibleDates = { _ in impossibleDates } }
    let notes = PartNotes(columns: stream.columns.count)
    let produce = stream.produce
    stream.produce = { try note(in: notes, number, $0, produce) }
    if var ranges {
      ranges.makers = ranges.makers.enumerated().map { number, maker in
        { range, sink in try note(in: notes, number, sink) { try maker(range, $0) } }
      }
      stream.parts = { ranges }
    }
    var options = Renderer.Options()
    options.format = format
    let document = Document(command: "export", fields: [.init("rows", rows: stream)], payload: "rows")
    try Renderer(output: output, options: options).render(document)
    let (bytes, sha256) = try target.finish()
    let kinds = zip(part.columns, notes.kinds).map { column, kinds in
      // What loads the file has to know of each of its columns, even of one that turned out to be empty.
      impossibleDates?.contains(column.name) == true ? kinds.union(.impossibleDate) : kinds
    }
    return ExportedPart(file: file, rows: notes.rows, bytes: bytes, sha256: sha256, kinds: kinds)
  }

  private func note(
    in notes: PartNotes, _ number: Int, _ sink: any RowSink, _ produce: (any RowSink) throws -> Void
  ) throws {
    let keeper = blobs.map { BlobFolder(path: "\(folder)/\($0)", suffix: "-\(number)", rights: rights) }
    let noting = PartSink(sink, columns: notes.columns, blobs: keeper, run)
    try produce(noting)
    notes.add(noting)
  }
}

/// What the threads that make a part note of its rows.
private final class PartNotes: Sendable {
  private struct State {
    var rows = 0
    var kinds: [ValueKinds]
  }

  let columns: Int
  private let state: Mutex<State>

  init(columns: Int) {
    self.columns = columns
    state = Mutex(State(kinds: Array(repeating: [], count: columns)))
  }

  var rows: Int { state.withLock { $0.rows } }
  var kinds: [ValueKinds] { state.withLock { $0.kinds } }

  func add(_ sink: PartSink) {
    let (rows, kinds) = (sink.rows, sink.kinds)
    state.withLock { state in
      state.rows += rows
      for (index, kind) in kinds.enumerated() { state.kinds[index].formUnion(kind) }
    }
  }
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

/// A file that is being written: it has its name only when all of it is on the medium.
package final class PartFile {
  private let path: String
  private let file: OpenFile
  private var hash = SHA256()
  private var bytes: Int64 = 0
  /// How many of them the system was asked to put on the medium already.
  private var begun: Int64 = 0
  /// Fewer at a time are more calls than they are worth.
  private static let bytesAtATime: Int64 = 8 << 20
  private var failure: String?

  private let temporary: String
  private var compressor: (any StreamCompressor)?

  /// In the name that a file has until it is whole.
  package static let unfinished = ".partial"

  /// What an earlier run left of it is written over.
  /// - Parameter suffix: of the name until then, where several threads may write the same file.
  package init(
    _ path: String, suffix: String = "", rights: FileRights, compression: ExportCompression? = nil
  ) throws {
    self.path = path
    temporary = path + Self.unfinished + suffix
    guard let file = OpenFile(temporary, for: .rewriting, rights: rights) else {
      throw Self.problem(path, Platform.lastError())
    }
    self.file = file
    // It doesn't outlive this file.
    compressor = compression?.compressor { [unowned self] in store($0) }
  }

  /// False where it could not be written; `finish` then says why.
  package func write(_ buffer: UnsafeRawBufferPointer) -> Bool {
    let isWritten = compressor?.add(buffer) ?? store(buffer)
    if !isWritten { failure = failure ?? Self.uncompressed }
    return isWritten
  }

  private static let uncompressed = "it can't be compressed"

  private func store(_ buffer: UnsafeRawBufferPointer) -> Bool {
    hash.update(buffer)
    bytes += Int64(buffer.count)
    guard file.write(buffer) else {
      failure = Platform.lastError()
      return false
    }
    if bytes - begun >= Self.bytesAtATime {
      file.beginSync(begun..<bytes)
      begun = bytes
    }
    return true
  }

  package func finish() throws -> (bytes: Int64, sha256: String) {
    if failure == nil, compressor?.finish() == false { failure = failure ?? Self.uncompressed }
    if failure == nil, !file.sync() || !Files.rename(temporary, to: path) {
      failure = Platform.lastError()
    }
    if let failure { throw Self.problem(path, failure) }
    return (bytes, Hexadecimal.lowercase(hash.finish()))
  }

  private static func problem(_ path: String, _ reason: String) -> StoreScopeError {
    .unwritable(path, reason, advice: "Finished files are kept; run the same command again to resume")
  }
}

/// How the files of an export are compressed. DuckDB and pandas know both by the files' names, Spark knows gzip.
package enum ExportCompression: String, Sendable, CaseIterable {
  case gzip, zstd

  /// Those that this program was built with.
  package static let available = allCases.filter { $0 != .zstd || ZstandardWriter.isAvailable }

  /// https://www.rfc-editor.org/rfc/rfc1952, https://www.rfc-editor.org/rfc/rfc8878
  var suffix: String {
    switch self {
    case .gzip: ".gz"
    case .zstd: ".zst"
    }
  }

  fileprivate func compressor(write: @escaping (UnsafeRawBufferPointer) -> Bool) -> any StreamCompressor {
    switch self {
    case .gzip: DeflateWriter(.gzip, write: write)
    case .zstd: ZstandardWriter(write: write)
    }
  }
}
