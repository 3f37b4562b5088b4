package import Base

/// The objects of NDJSON files, one line after the other: it takes the memory of the longest line, however large the
/// files are.
package struct NDJSONReader {
  /// A line has a message and some names; a longer one is none of ours.
  private static let longestLine = 4 << 20

  private var files: ArraySlice<ContainedFile>
  private var fill: ((UnsafeMutableRawBufferPointer) throws -> Int)?
  private var path = ""
  private var line = 0
  private var bytes: [UInt8] = []
  private var start = 0

  /// - Parameter files: read one after the other, as if they were one.
  package init(_ files: [ContainedFile]) { self.files = files[...] }

  /// The next line's object; nil at the end.
  /// - Throws: if a line isn't an object, or is longer than any line should be.
  package mutating func next() throws -> DataValue? {
    while true {
      if let end = bytes[start...].firstIndex(of: 0x0A) {
        defer { start = end + 1 }
        return try object(bytes[start..<end])
      }
      bytes.removeFirst(start)
      start = 0
      guard bytes.count <= Self.longestLine else {
        throw problem("is longer than \(Sentence.size(Int64(Self.longestLine)))")
      }
      if try readMore() { continue }
      // The last line may lack its end.
      guard bytes.isEmpty else {
        defer { bytes = [] }
        return try object(bytes[...])
      }
      guard let file = files.popFirst() else { return nil }
      (path, line, fill) = (file.path, 0, try FileReader.stream(of: file))
    }
  }

  private mutating func readMore() throws -> Bool {
    guard let fill else { return false }
    let (old, piece) = (bytes.count, max(1 << 18, bytes.count))
    bytes.append(contentsOf: repeatElement(0, count: piece))
    let count = try bytes.withUnsafeMutableBytes {
      try fill(UnsafeMutableRawBufferPointer(rebasing: $0[old...]))
    }
    bytes.removeLast(piece - count)
    return count > 0
  }

  private mutating func object(_ text: ArraySlice<UInt8>) throws -> DataValue {
    line += 1
    do {
      let value = try text.withUnsafeBytes { try JSONReader.read($0, valueLimit: 100_000) }
      guard case .object = value else { throw problem("isn't a JSON object") }
      return value
    } catch let error as ArchiveError { throw problem("can't be read: \(error)") }
  }

  private func problem(_ what: String) -> StoreScopeError {
    StoreScopeError(
      .damaged, "line \(Sentence.number(line)) of '\(path)' \(what)", about: path,
      advice: "write the datasets again with 'storescope fleet PATH… --to FOLDER'")
  }
}
