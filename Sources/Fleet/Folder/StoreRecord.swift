import Archives
import SystemCalls
import Values

/// What one store adds to all datasets, as it stands in the journal: a line with its address and how many bytes follow
/// for each dataset, and these bytes. Their hash shows whether a record that a run left is whole.
package struct StoreRecord {
  package let address: String
  package let bytes: [UInt8]

  package init(address: String, _ rows: StoreRows?) {
    self.address = address
    let lines = rows?.lines ?? Dataset.all.map { _ in [] }
    let content = Array(lines.joined())
    let heading: DataValue = [
      "address": .text(address), "bytes": .array(lines.map { .count($0.count) }),
      "sha256": .text(content.withUnsafeBytes(SHA256.hexadecimal)),
    ]
    bytes = Array((JSONText.compact(heading) + "\n").utf8) + content
  }

  /// Whether a process wrote that store's record to its end.
  package static func isWhole(_ bytes: [UInt8], of address: String) -> Bool {
    place(of: bytes, about: address, at: 0) != nil
  }

  /// Where the parts of a record are if it begins there; nil if it isn't that store's, or not whole.
  static func place(of bytes: [UInt8], about address: String, at start: Int64) -> Place? {
    guard let newline = bytes.firstIndex(of: 0x0A), let heading = Self.heading(bytes[..<newline]),
      Address(heading.address) == Address(address)
    else { return nil }
    let place = Place(start: start + Int64(newline) + 1, counts: heading.counts)
    return place.end == start + Int64(bytes.count) ? place : nil
  }

  /// Where the parts of a record are in the journal.
  struct Place {
    /// Of the first dataset's lines.
    let start: Int64
    let counts: [Int]

    var total: Int { counts.reduce(0, +) }
    var end: Int64 { start + Int64(total) }
  }

  /// Reads the first line.
  /// - Returns: nil if it is none.
  static func heading(_ line: ArraySlice<UInt8>) -> (address: String, counts: [Int], sha256: String)? {
    guard let value = try? line.withUnsafeBytes({ try JSONReader.read($0) }),
      let address = value["address"]?.text, let sha256 = value["sha256"]?.text,
      case .array(let counts)? = value["bytes"], counts.count == Dataset.all.count
    else { return nil }
    let numbers = counts.compactMap { count -> Int? in
      guard case .integer(let number) = count, 0...Int64(StoreRows.mostBytes) ~= number else { return nil }
      return Int(number)
    }
    guard numbers.count == counts.count, numbers.reduce(0, +) <= StoreRows.mostBytes else { return nil }
    return (address, numbers, sha256)
  }
}
