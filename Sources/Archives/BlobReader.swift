package import Values

/// Says what binary data is, and shows its content where it can be decoded.
package enum BlobReader {
  /// Size, kind and hash of the data; with `decode` also its content, where there is a reader for its kind.
  /// Compressed data is unpacked and what was in it summarised in turn.
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
    let value = decode && budget.nesting >= 0 ? value(of: bytes, kind: kind, budget: &budget) : nil
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
      return unpacked(unpack(bytes, kind, limit: budget.bytes), of: bytes.count, budget: &budget)
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
    do throws(ArchiveError) {
      return switch kind {
      case .gzip: try Inflate.decode(bytes, wrapper: .gzip, limit: limit)
      case .zlib: try Inflate.decode(bytes, wrapper: .zlib, limit: limit)
      default: try LZFSE.decode(Array(bytes), limit: limit)
      }
    } catch {
      // What unpacks to more than the limit has cost as much.
      Amplification.spend(limit - usualRatio * bytes.count)
      return nil
    }
  }

  /// Text packs to about a tenth; what unpacks to far more was made for that.
  private static let usualRatio = 32

  private static func unpacked(
    _ content: [UInt8]?, of size: Int, budget: inout DecodingBudget
  ) -> DataValue? {
    guard let content else { return nil }
    Amplification.spend(content.count - usualRatio * size)
    if let refusal = budget.spend(bytes: content.count, depth: 0) { return refusal }
    return budget.nested { budget in
      content.withUnsafeBytes { .blob(summary(of: $0, decode: true, budget: &budget)) }
    }
  }
}
