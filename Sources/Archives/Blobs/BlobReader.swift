package import Base

/// Says what binary data is, and shows its content where it can be decoded.
package enum BlobReader {
  /// Size, kind and hash of the data; with `decode` also its content, where there is a reader for its kind.
  /// Compressed data is unpacked and what was in it summarized in turn.
  package static func summary(
    of bytes: UnsafeRawBufferPointer, decode: Bool, limits: DecodingLimits = DecodingLimits()
  ) -> BlobSummary {
    var budget = DecodingBudget(limits)
    return summary(of: bytes, decode: decode, budget: &budget)
  }

  package static func summary(
    of bytes: [UInt8], decode: Bool, limits: DecodingLimits = DecodingLimits()
  ) -> BlobSummary {
    bytes.withUnsafeBytes { summary(of: $0, decode: decode, limits: limits) }
  }

  /// The data's content, nil where it can't be decoded. Nothing is hashed but data within it.
  package static func value(
    of bytes: UnsafeRawBufferPointer, limits: DecodingLimits = DecodingLimits()
  ) -> DataValue? {
    var budget = DecodingBudget(limits)
    return value(of: bytes, kind: BlobKind.sniff(bytes), budget: &budget)
  }

  static func summary(
    of bytes: UnsafeRawBufferPointer, decode: Bool, budget: inout DecodingBudget
  ) -> BlobSummary {
    let kind = BlobKind.sniff(bytes)
    var value = decode && budget.nesting >= 0 ? value(of: bytes, kind: kind, budget: &budget) : nil
    if value == nil, budget.keepsText, [.protobuf, .unknown].contains(kind) {
      value = budget.spend(bytes: bytes.count, depth: 0) ?? .text(String(decoding: bytes, as: UTF8.self))
    }
    return BlobSummary(
      bytes: bytes.count, kind: kind.rawValue, sha256: SHA256.hexadecimal(of: bytes), value: value)
  }

  private static func value(
    of bytes: UnsafeRawBufferPointer, kind: BlobKind, budget: inout DecodingBudget
  ) -> DataValue? {
    switch kind {
    case .binaryPropertyList:
      return (try? BinaryPropertyList.read(Array(bytes)))?.dataValue(budget: &budget)
    case .keyedArchive:
      return (try? KeyedArchive(bytes: Array(bytes))).map { ArchiveTree.value(of: $0, budget: &budget) }
    case .xmlPropertyList:
      return (try? XMLPropertyList.read(Array(bytes))).map { list(in: $0, budget: &budget) }
    case .json: return json(bytes, budget: &budget)
    case .text:
      return budget.spend(bytes: bytes.count, depth: 0) ?? .text(String(decoding: bytes, as: UTF8.self))
    case .gzip, .zlib, .lzfse:
      guard !Amplification.isExhausted else {
        return DecodingBudget.truncated(
          "packed data of this command unpacks to more than \(Amplification.limit) bytes")
      }
      return unpacked(unpack(bytes, kind, limit: budget.bytes), budget: &budget)
    case .empty, .png, .jpeg, .gif, .heic, .webp, .tiff, .pdf, .sqlite, .zip, .protobuf, .unknown:
      return nil
    }
  }

  private static func list(in list: PropertyList, budget: inout DecodingBudget) -> DataValue {
    if list["$archiver"] != nil, let archive = try? KeyedArchive(propertyList: list) {
      return ArchiveTree.value(of: archive, budget: &budget)
    }
    return list.dataValue(budget: &budget)
  }

  /// JSON needs no walk to be cut: it never expands, so only its number of values counts.
  private static func json(_ bytes: UnsafeRawBufferPointer, budget: inout DecodingBudget) -> DataValue {
    if let refusal = budget.spend(bytes: bytes.count, depth: 0) { return refusal }
    do {
      return try budget.spendValues { left throws(ArchiveError) in
        try JSONReader.read(bytes, valuesLeft: &left)
      }
    } catch {
      return DecodingBudget.truncated(error.description)
    }
  }

  private static func unpack(_ bytes: UnsafeRawBufferPointer, _ kind: BlobKind, limit: Int) -> [UInt8]? {
    // What came before a fault has cost as much as any.
    var produced = 0
    defer { Amplification.spend(produced - usualRatio * bytes.count) }
    return switch kind {
    case .gzip: try? Inflate.decode(bytes, wrapper: .gzip, limit: limit, produced: &produced)
    case .zlib: try? Inflate.decode(bytes, wrapper: .zlib, limit: limit, produced: &produced)
    default: try? LZFSE.decode(Array(bytes), limit: limit, produced: &produced)
    }
  }

  /// Text packs to about a tenth; what unpacks to far more was made for that.
  private static let usualRatio = 32

  private static func unpacked(_ content: [UInt8]?, budget: inout DecodingBudget) -> DataValue? {
    guard let content else { return nil }
    if let refusal = budget.spend(bytes: content.count, depth: 0) { return refusal }
    return budget.nested { budget in
      content.withUnsafeBytes { .blob(summary(of: $0, decode: true, budget: &budget)) }
    }
  }
}

extension DataValue {
  /// A number above `Int64.max` as text, as its digits must not be lost.
  init(exactly value: UInt64) { self = Int64(exactly: value).map(DataValue.integer) ?? .text(String(value)) }
}

extension PropertyList {
  /// The list as a readable tree, within the usual limits.
  package var dataValue: DataValue {
    var budget = DecodingBudget(DecodingLimits())
    return dataValue(budget: &budget)
  }

  /// The list as a readable tree. Data is summarized, and decoded in turn where it can be; a reference within a
  /// keyed archive is shown as Apple's XML form does: `{"CF$UID":7}`.
  func dataValue(budget: inout DecodingBudget, depth: Int = 0) -> DataValue {
    if let refusal = budget.spend(bytes: byteCount, depth: depth) { return refusal }
    switch self {
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .integer(let value): return .integer(value)
    case .unsigned(let value): return DataValue(exactly: value)
    case .real(let value): return .real(value)
    case .string(let value): return .text(value)
    case .date(let value): return .date(value)
    case .uid(let value): return ["CF$UID": DataValue(exactly: value)]
    case .data(let bytes):
      return budget.nested { budget in
        bytes.withUnsafeBytes { .blob(BlobReader.summary(of: $0, decode: true, budget: &budget)) }
      }
    case .array(let elements), .set(let elements):
      if let refusal = budget.refusal(ofElements: elements.count) { return refusal }
      return .array(elements.map { $0.dataValue(budget: &budget, depth: depth + 1) })
    case .dictionary(let dictionary):
      if let refusal = budget.refusal(ofElements: dictionary.entries.count) { return refusal }
      return .object(
        dictionary.entries.map { entry in
          DataValue.Member(entry.key, entry.value.dataValue(budget: &budget, depth: depth + 1))
        })
    }
  }

  private var byteCount: Int {
    switch self {
    case .string(let value): value.utf8.count
    case .data(let bytes): bytes.count
    default: 0
    }
  }
}

extension CellSink {
  /// Pushes a blob that is decoded where the sink asks for it.
  package func blob(_ bytes: UnsafeRawBufferPointer) {
    blob(bytes) { BlobReader.summary(of: bytes, decode: true) }
  }
}
