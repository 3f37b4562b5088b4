import Base

/// Decodes the objects of a binary property list one by one, each bounded by the file.
struct BinaryPropertyListParser {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let count: Int
  private let table: Int
  let referenceSize: Int
  let top: Int

  private static let magic = Array("bplist0".utf8)
  private static let headerSize = 8
  private static let trailerSize = 32

  init(_ bytes: [UInt8]) throws(ArchiveError) {
    guard bytes.starts(with: Self.magic) else { throw ArchiveError("it does not begin with bplist00") }
    guard bytes.count > Self.headerSize + Self.trailerSize else {
      throw ArchiveError("the binary property list is cut off after \(bytes.count) bytes")
    }
    let trailer = bytes.count - Self.trailerSize
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    let count = Self.unsigned(bytes, at: trailer + 8, size: 8)
    let top = Self.unsigned(bytes, at: trailer + 16, size: 8)
    let table = Self.unsigned(bytes, at: trailer + 24, size: 8)
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), top < count else {
      throw ArchiveError("the binary property list's trailer is damaged, or the file is cut off")
    }
    let (tableSize, overflow) = count.multipliedReportingOverflow(by: UInt64(offsetSize))
    guard !overflow, table >= UInt64(Self.headerSize), table <= UInt64(trailer),
      tableSize <= UInt64(trailer) - table
    else { throw ArchiveError("the binary property list's offset table is outside its \(bytes.count) bytes") }
    self.bytes = bytes
    self.count = Int(count)
    self.top = Int(top)
    self.table = Int(table)
  }

  /// All objects, by their number.
  func objects() throws(ArchiveError) -> [BinaryObject] {
    var objects: [BinaryObject] = []
    objects.reserveCapacity(count)
    // Objects of a sound file lie side by side. Where they overlap, a small file can hold any amount of data.
    var budget = bytes.count
    for number in 0..<count {
      var reader = try Reader(parser: self, number: number)
      objects.append(try reader.object())
      budget -= reader.payload
      guard budget >= 0 else { throw ArchiveError("the binary property list's objects overlap") }
    }
    return objects
  }

  /// Whether the outermost object is a dictionary with that key among its first sixteen.
  func topHas(key: String) -> Bool {
    guard case .dictionary(let keys, _) = try? object(top) else { return false }
    return (0..<min(keys.count, 16)).contains { index in
      let offset = keys.offset + index * referenceSize
      guard case .string(key) = try? object(Self.number(bytes, at: offset, size: referenceSize)) else {
        return false
      }
      return true
    }
  }

  private func object(_ number: Int) throws(ArchiveError) -> BinaryObject {
    var reader = try Reader(parser: self, number: number)
    return try reader.object()
  }

  /// A big-endian number; one that doesn't fit becomes `Int.max`, which no check of a bound lets pass.
  static func number(_ bytes: [UInt8], at offset: Int, size: Int) -> Int {
    // Not by `Int(clamping:)`: unoptimized that takes as long as all the rest.
    let value = unsigned(bytes, at: offset, size: size)
    return value > UInt64(Int.max) ? .max : Int(value)
  }

  static func unsigned(_ bytes: [UInt8], at offset: Int, size: Int) -> UInt64 {
    var value: UInt64 = 0
    var position = offset
    while position < offset + size {
      value = value << 8 | UInt64(bytes[position])
      position += 1
    }
    return value
  }

  /// Reads one object from its marker on.
  private struct Reader {
    let parser: BinaryPropertyListParser
    let number: Int
    var offset: Int
    /// Bytes that the object holds in addition to its marker.
    var payload = 0

    init(parser: BinaryPropertyListParser, number: Int) throws(ArchiveError) {
      self.parser = parser
      self.number = number
      offset = BinaryPropertyListParser.number(
        parser.bytes, at: parser.table + number * parser.offsetSize, size: parser.offsetSize)
      guard offset >= BinaryPropertyListParser.headerSize, offset < parser.table else {
        throw ArchiveError("object \(number) of the binary property list is outside its data")
      }
    }

    mutating func object() throws(ArchiveError) -> BinaryObject {
      let marker = parser.bytes[offset]
      offset += 1
      let low = Int(marker & 15)
      switch marker >> 4 {
      case 0: return try simple(marker)
      case 1: return try integer(size: 1 << low)
      case 2: return try real(size: 1 << low)
      case 3 where low == 3:
        return .date(CoreDataDate(seconds: Double(bitPattern: try unsigned(size: 8))))
      case 4: return .data(try take(try length(low), size: 1))
      case 5:
        let range = try take(try length(low), size: 1)
        return .string(String(decoding: parser.bytes[range], as: UTF8.self))
      case 6: return .string(utf16(try take(try length(low), size: 2)))
      case 8: return .uid(try uid(size: low + 1))
      case 10: return .array(try references(try length(low)))
      case 12: return .set(try references(try length(low)))
      case 13:
        let count = try length(low)
        return .dictionary(keys: try references(count), values: try references(count))
      default: throw unknown(marker)
      }
    }

    private func simple(_ marker: UInt8) throws(ArchiveError) -> BinaryObject {
      switch marker {
      case 0: return .null
      case 8: return .bool(false)
      case 9: return .bool(true)
      default: throw unknown(marker)
      }
    }

    /// Integers of one, two and four bytes have no sign, those of eight and sixteen have one.
    private mutating func integer(size: Int) throws(ArchiveError) -> BinaryObject {
      guard size <= 16 else { throw damaged("an integer of \(size) bytes") }
      guard size == 16 else {
        let value = try unsigned(size: size)
        return .integer(Int64(bitPattern: value))
      }
      let high = try unsigned(size: 8)
      let low = try unsigned(size: 8)
      let signed = Int64(bitPattern: low)
      if high == 0 { return signed >= 0 ? .integer(signed) : .unsigned(low) }
      guard high == .max, signed < 0 else { throw damaged("an integer of more than 64 bits") }
      return .integer(signed)
    }

    private mutating func real(size: Int) throws(ArchiveError) -> BinaryObject {
      switch size {
      case 4: return .real(Double(Float(bitPattern: UInt32(truncatingIfNeeded: try unsigned(size: 4)))))
      case 8: return .real(Double(bitPattern: try unsigned(size: 8)))
      default: throw damaged("a real number of \(size) bytes")
      }
    }

    private mutating func uid(size: Int) throws(ArchiveError) -> UInt64 {
      guard size <= 8 else { throw damaged("a reference of \(size) bytes") }
      return try unsigned(size: size)
    }

    private func utf16(_ range: Range<Int>) -> String {
      let units = stride(from: range.lowerBound, to: range.upperBound, by: 2).map {
        UInt16(parser.bytes[$0]) << 8 | UInt16(parser.bytes[$0 + 1])
      }
      return String(decoding: units, as: UTF16.self)
    }

    private mutating func references(_ count: Int) throws(ArchiveError) -> BinaryObject.References {
      let range = try take(count, size: parser.referenceSize)
      for offset in stride(from: range.lowerBound, to: range.upperBound, by: parser.referenceSize) {
        let child = BinaryPropertyListParser.unsigned(parser.bytes, at: offset, size: parser.referenceSize)
        guard child < UInt64(parser.count) else { throw damaged("a reference to object \(child)") }
      }
      return BinaryObject.References(offset: range.lowerBound, count: count)
    }

    /// The marker's low half is the length; fifteen says that an integer object with the length follows.
    private mutating func length(_ low: Int) throws(ArchiveError) -> Int {
      guard low == 15 else { return low }
      let marker = parser.bytes[try take(1, size: 1).lowerBound]
      guard marker >> 4 == 1, marker & 15 <= 3 else { throw damaged("a length that isn't an integer") }
      return Int(clamping: try unsigned(size: 1 << Int(marker & 15)))
    }

    private mutating func unsigned(size: Int) throws(ArchiveError) -> UInt64 {
      BinaryPropertyListParser.unsigned(parser.bytes, at: try take(size, size: 1).lowerBound, size: size)
    }

    private mutating func take(_ count: Int, size: Int) throws(ArchiveError) -> Range<Int> {
      let (total, overflow) = count.multipliedReportingOverflow(by: size)
      guard !overflow, total <= parser.table - offset else { throw damaged("more data than the file has") }
      defer { offset += total }
      payload += total
      return offset..<offset + total
    }

    private func unknown(_ marker: UInt8) -> ArchiveError { damaged("an unknown marker \(marker)") }

    private func damaged(_ what: String) -> ArchiveError {
      ArchiveError("object \(number) of the binary property list holds \(what)")
    }
  }
}
