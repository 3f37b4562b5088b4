import Archives
package import SystemCalls
import Values

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
