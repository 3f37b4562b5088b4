import Rendering
import Values

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

  func blob(_ bytes: UnsafeRawBufferPointer) {
    sink.blob(bytes)
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
