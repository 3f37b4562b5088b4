package import Base

/// A keyed archive as a readable tree, for any classes at all.
///
/// Foundation's strings, numbers, dates, data, UUIDs, URLs and collections become plain values; a dictionary
/// whose keys aren't all text becomes a list of `{"key":…,"value":…}`. Any other object becomes
/// `{"$class":"Name", field:…}`. An object within itself is `{"$ref":N}`, N being its place in `$objects`.
package enum ArchiveTree {
  /// The archive's root, or all of `$top` where there is no single root.
  package static func value(of archive: KeyedArchive, limits: DecodingLimits = DecodingLimits()) -> DataValue
  {
    var budget = DecodingBudget(limits)
    return value(of: archive, budget: &budget)
  }

  static func value(of archive: KeyedArchive, budget: inout DecodingBudget) -> DataValue {
    var builder = ArchiveTreeBuilder(budget: budget)
    defer { budget = builder.budget }
    if let root = archive.rootValue, archive.top.keys.count == 1 { return builder.value(root, depth: 0) }
    return builder.value(.object(archive.top), depth: 0)
  }
}

struct ArchiveTreeBuilder {
  var budget: DecodingBudget
  /// The objects above the one that is being made.
  private var path: Set<Int> = []

  init(budget: DecodingBudget) { self.budget = budget }

  mutating func value(_ value: ArchivedValue, depth: Int) -> DataValue {
    switch value {
    case .null: leaf(.null, depth: depth)
    case .bool(let value): leaf(.bool(value), depth: depth)
    case .integer(let value): leaf(.integer(value), depth: depth)
    case .unsigned(let value): leaf(DataValue(exactly: value), depth: depth)
    case .real(let value): leaf(.real(value), depth: depth)
    case .date(let value): leaf(.date(value), depth: depth)
    case .string(let value): text(value, depth: depth)
    case .data(let bytes): blob(bytes, depth: depth)
    case .list(let list): array(list.count, depth: depth) { Array(list) }
    case .object(let object): self.object(object, depth: depth)
    }
  }

  private mutating func leaf(_ value: DataValue, depth: Int) -> DataValue {
    budget.spend(depth: depth) ?? value
  }

  private mutating func text(_ text: String, depth: Int) -> DataValue {
    budget.spend(bytes: text.utf8.count, depth: depth) ?? .text(text)
  }

  private mutating func blob(_ bytes: ArraySlice<UInt8>, depth: Int) -> DataValue {
    if let refusal = budget.spend(bytes: bytes.count, depth: depth) { return refusal }
    return budget.nested { budget in
      bytes.withUnsafeBytes { .blob(BlobReader.summary(of: $0, decode: true, budget: &budget)) }
    }
  }

  private mutating func array(
    _ count: Int, depth: Int, elements: () -> [ArchivedValue]
  ) -> DataValue {
    if let refusal = budget.spend(depth: depth) ?? budget.refusal(ofElements: count) { return refusal }
    return .array(elements().map { value($0, depth: depth + 1) })
  }

  private mutating func object(_ object: ArchivedObject, depth: Int) -> DataValue {
    guard path.insert(object.number).inserted else {
      return leaf(["$ref": .count(object.index)], depth: depth)
    }
    defer { path.remove(object.number) }
    return foundationValue(object, depth: depth) ?? plainFields(object, depth: depth)
  }

  private mutating func plainFields(_ object: ArchivedObject, depth: Int) -> DataValue {
    let count = object.storage.fields.range(of: object.number).count
    if let refusal = budget.spend(depth: depth) ?? budget.refusal(ofElements: count) { return refusal }
    var members: [DataValue.Member] = []
    if let name = object.className { members.append(DataValue.Member("$class", .text(name))) }
    for (key, value) in object.fields {
      members.append(DataValue.Member(key, self.value(value, depth: depth + 1)))
    }
    return .object(members)
  }

  /// Nil where the object is of no class that is known here, or holds more than that class would.
  private mutating func foundationValue(_ object: ArchivedObject, depth: Int) -> DataValue? {
    guard object.isKind(of: "NSKnownKeysDictionary") || object.keys.allSatisfy({ $0.hasPrefix("NS.") }) else {
      return nil
    }
    for name in object.classNames {
      switch name {
      case "NSNull": return leaf(.null, depth: depth)
      case "NSString": return object.string.map { text($0, depth: depth) }
      case "NSData": return object.dataSlice.map { blob($0, depth: depth) }
      case "NSDate": return object.date.map { leaf(.date($0), depth: depth) }
      case "NSUUID": return ArchivedValue.object(object).uuid.map { text($0, depth: depth) }
      case "NSURL": return object.url(depth: 0).map { text($0, depth: depth) }
      case "NSDecimalNumber": return DecimalText(object).map { text($0.text, depth: depth) }
      case "NSArray", "NSSet", "NSOrderedSet":
        return object.elementCount.map { array($0, depth: depth) { object.elements ?? [] } }
      case "NSDictionary": return dictionary(object, depth: depth)
      default: continue
      }
    }
    return nil
  }

  private mutating func dictionary(_ object: ArchivedObject, depth: Int) -> DataValue? {
    guard let count = object.entryCount else { return nil }
    if let refusal = budget.spend(depth: depth) ?? budget.refusal(ofElements: count) { return refusal }
    guard let entries = object.entries else { return nil }
    if entries.allSatisfy({ $0.key.string != nil }) {
      return .object(
        entries.map { entry in
          let name = text(entry.key.string ?? "", depth: depth)
          guard case .text(let name) = name else { return DataValue.Member("$truncated", name) }
          return DataValue.Member(name, value(entry.value, depth: depth + 1))
        })
    }
    return .array(
      entries.map { entry in
        ["key": value(entry.key, depth: depth + 1), "value": value(entry.value, depth: depth + 1)]
      })
  }
}

extension ArchiveTree {
  /// One value of an archive as a readable tree.
  package static func value(of value: ArchivedValue, limits: DecodingLimits = DecodingLimits()) -> DataValue {
    var builder = ArchiveTreeBuilder(budget: DecodingBudget(limits))
    return builder.value(value, depth: 0)
  }
}

/// An NSDecimalNumber as decimal text, exactly.
///
/// It holds up to eight words of 16 bits, the lowest first, each in the byte order of the machine that wrote it,
/// and a power of ten. https://developer.apple.com/documentation/foundation/nsdecimalnumber
struct DecimalText {
  let text: String

  /// Nil where fields are missing or make no number.
  init?(_ object: ArchivedObject) {
    guard case .data(let bytes) = object["NS.mantissa"], let length = object["NS.length"]?.integer,
      let exponent = object["NS.exponent"]?.integer, (-128...127).contains(exponent),
      (0...8).contains(length), bytes.count >= Int(length) * 2
    else { return nil }
    let mantissa = Array(bytes.prefix(16))
    let isNegative = object["NS.negative"]?.bool ?? false
    // Big-endian is 2 in NSByteOrder: https://developer.apple.com/documentation/foundation/ns_bigendian
    let isBigEndian = object["NS.mantissa.bo"]?.integer == 2
    // How an NSDecimal says that it is no number.
    guard length > 0 || !isNegative else {
      text = "NaN"
      return
    }
    var value: UInt128 = 0
    for word in (0..<Int(length)).reversed() {
      let bytes = (UInt128(mantissa[2 * word]), UInt128(mantissa[2 * word + 1]))
      value = value << 16 | (isBigEndian ? bytes.0 << 8 | bytes.1 : bytes.1 << 8 | bytes.0)
    }
    text = (isNegative ? "-" : "") + Self.decimal(value, exponent: Int(exponent))
  }

  private static func decimal(_ mantissa: UInt128, exponent: Int) -> String {
    let digits = String(mantissa)
    guard exponent < 0 else {
      return mantissa == 0 ? "0" : digits + String(repeating: "0", count: exponent)
    }
    let padded = String(repeating: "0", count: max(0, 1 - exponent - digits.count)) + digits
    return "\(padded.dropLast(-exponent)).\(padded.suffix(-exponent))"
  }
}
