import Archives
import Base
import SQLite
import StoreModel

/// Looks for a typed value in cells of any kind, in what files next to the store hold for them, and in what can be
/// decoded of both: property lists, keyed archives, JSON and what is compressed.
final class ValueMatcher {
  /// A property whose cells are searched.
  struct Property {
    /// As the views name it: dotted where it is a composite's leaf.
    var name: String
    let path: String
    var type: AttributeType
    /// Whether a blob has a tag in front, and may lie in a file.
    var isTagged: Bool

    init(_ leaf: SchemaAttribute, of attribute: SchemaAttribute) {
      name = attribute.description.isEnumeration ? attribute.name : leaf.path
      path = leaf.path
      type = leaf.description.type
      isTagged = leaf.description.allowsExternalStorage || leaf.description.isFileBackedFuture
    }
  }

  struct Found {
    /// Where in a decoded value, for example `.recent[0]`; empty for a value that is plain.
    var place = ""
    var hit: TextHit
  }

  /// Larger blobs, and larger files, aren't searched.
  static let limit = 64 << 20

  private let typed: TypedValue
  var mayBeUUID: Bool { typed.mayBeUUID }
  private let pattern: TextForms
  /// Their letters' case means nothing.
  private let uuidPattern: TextPattern
  /// The digits alone: what is copied without hyphens may begin anywhere.
  private let uuidDigits: TextPattern?
  private let files: ExternalFiles
  /// The only property that is looked at; nil for all.
  private let asked: PropertyName?
  /// What could not be searched, a clause each, the first hundred of them.
  private(set) var problems: [String] = []

  init(
    _ typed: TypedValue, _ options: TextPattern.Options, _ files: ExternalFiles, in asked: PropertyName? = nil
  ) {
    self.typed = typed
    self.asked = asked
    pattern = TextForms(typed, options)
    uuidPattern = TextPattern(
      typed.uuid?.text ?? typed.text, TextPattern.Options(isWhole: options.isWhole))
    uuidDigits =
      options.isWhole || typed.text.contains("-") ? nil : TextPattern(typed.text, TextPattern.Options())
    self.files = files
  }

  func find(in cell: Cell, of property: Property) -> Found? {
    let inside = asked?.place(in: property.name)
    guard inside == nil || cell.type == .blob else { return nil }
    return switch cell.type {
    case .null: nil
    case .text: cell.withBytes { pattern.hit(in: $0) }.map { Found(hit: $0) }
    case .integer, .real: number(cell, property.type)
    case .blob: cell.withBytes { blob($0, property, inside) }
    }
  }

  /// In a property's value that was decoded.
  func find(in value: DataValue, of property: String) -> Found? {
    find(in: value, "", asked?.place(in: property))
  }

  /// Notes that a blob of that size isn't searched.
  func skip(_ property: Property, bytes: Int64) {
    add(
      "'\(property.name)' has \(Sentence.size(bytes)), and only up to \(Sentence.size(Int64(Self.limit))) are searched"
    )
  }

  private func add(_ problem: String) {
    if problems.count < 100 { problems.append(problem) }
  }

  private func number(_ cell: Cell, _ type: AttributeType) -> Found? {
    switch type {
    case .date:
      guard typed.isMoment(cell.real) else { return nil }
      return Found(hit: TextHit(whole: CoreDataDate(seconds: cell.real).iso8601 ?? cell.real.description))
    // Every object has some; who looks for yes or no asks for one property.
    case .boolean:
      guard asked != nil, typed.asTruth == (cell.real != 0) else { return nil }
      return Found(hit: TextHit(whole: String(cell.real != 0)))
    default:
      guard typed.isNumber else { return nil }
      if cell.type == .integer {
        return typed.equals(cell.integer) ? Found(hit: TextHit(whole: String(cell.integer))) : nil
      }
      return typed.equals(cell.real, isFloat: type == .float)
        ? Found(hit: TextHit(whole: cell.real.description)) : nil
    }
  }

  // MARK: - Blobs

  /// - Parameter inside: where in the decoded value; nil for anywhere.
  private func blob(_ bytes: UnsafeRawBufferPointer, _ property: Property, _ inside: String?) -> Found? {
    if property.type == .uuid, bytes.count == 16 {
      guard typed.mayBeUUID, let uuid = Hexadecimal.uuid(bytes) else { return nil }
      if let hit = uuidPattern.hit(in: uuid) { return Found(hit: hit) }
      return uuidDigits?.hit(in: uuid.replacing("-", with: "")).map { _ in Found(hit: TextHit(whole: uuid)) }
    }
    guard property.isTagged, let first = bytes.first, first <= 3 else { return content(bytes, inside) }
    switch ExternalValue(bytes) {
    case .untagged: return content(bytes, inside)
    case .inline(let range):
      return range.flatMap { content(UnsafeRawBufferPointer(rebasing: bytes[$0]), inside) }
    case .file(let name): return file(name, .externalData, inside)
    case .fileBackedFuture(let name, _): return file(name, .fileBackedFuture, inside)
    }
  }

  private func file(_ name: String, _ kind: ExternalFiles.Kind, _ inside: String?) -> Found? {
    do {
      guard let bytes = try files.document(name, kind, limit: Self.limit) else { return nil }
      return bytes.withUnsafeBytes { content($0, inside) }
    } catch {
      add(error.clause)
      return nil
    }
  }

  private func content(_ bytes: UnsafeRawBufferPointer, _ inside: String?) -> Found? {
    guard mayHold(bytes) else { return nil }
    // Text in protocol buffers and the like stands as it is; a few bytes stand anywhere.
    let readsText = typed.text.utf8.count >= 4 && inside == nil
    if let value = BlobReader.value(of: bytes, limits: DecodingLimits(keepsText: readsText)) {
      return find(in: value, "", inside)
    }
    guard readsText, !isPacked(bytes) else { return nil }
    return pattern.hit(in: bytes).map { Found(hit: $0) }
  }

  /// Decoding takes some thousand times as long as looking at the bytes.
  private func mayHold(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count > 1 else { return false }
    if isPacked(bytes) { return true }
    return mayBeText(bytes) && !BlobKind.isMedia(UnsafeRawBufferPointer(rebasing: bytes.prefix(64)))
  }

  private func mayBeText(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if pattern.mayOccur(in: bytes) { return true }
    switch bytes[0] {
    // `bplist`: numbers, dates and UUIDs aren't text in it, and neither is what is compressed within.
    case UInt8(ascii: "b"): return typed.mayBeMade || holdsPacked(bytes)
    // Escapes of JSON and XML.
    case UInt8(ascii: "{"), UInt8(ascii: "["): return bytes.contains(UInt8(ascii: "\\"))
    case UInt8(ascii: "<"): return true
    default: return false
    }
  }

  /// gzip, zlib and LZFSE, by their first bytes.
  private func isPacked(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch bytes[0] {
    case 0x1F: bytes[1] == 0x8B
    case 0x78: [0x01, 0x5E, 0x9C, 0xDA].contains(bytes[1])
    case UInt8(ascii: "b"): bytes.count > 3 && bytes[1] == UInt8(ascii: "v") && bytes[2] == UInt8(ascii: "x")
    default: false
    }
  }

  private func holdsPacked(_ bytes: UnsafeRawBufferPointer) -> Bool {
    (0..<bytes.count - 1).contains { isPacked(UnsafeRawBufferPointer(rebasing: bytes[$0...])) }
  }

  private func isInside(_ place: String, _ inside: String?) -> Bool {
    guard let inside else { return true }
    let place = place.lowercased()
    return place == inside || place.hasPrefix(inside + ".") || place.hasPrefix(inside + "[")
  }

  /// The first place in a decoded value. Names of members count: they are an app's data in a dictionary.
  private func find(in value: DataValue, _ place: String, _ inside: String?) -> Found? {
    func found(_ hit: TextHit?) -> Found? {
      isInside(place, inside) ? hit.map { Found(place: place, hit: $0) } : nil
    }
    switch value {
    case .null: return nil
    case .bool(let value):
      return asked != nil && typed.asTruth == value ? found(TextHit(whole: String(value))) : nil
    case .integer(let number):
      return typed.equals(number) ? found(TextHit(whole: String(number))) : nil
    case .real(let number): return typed.equals(number) ? found(TextHit(whole: number.description)) : nil
    case .text(let text): return found(pattern.hit(in: text))
    case .date(let date):
      return typed.isMoment(date.seconds) ? found(date.iso8601.map { TextHit(whole: $0) }) : nil
    case .blob(let blob): return blob.value.flatMap { find(in: $0, place, inside) }
    case .array(let elements):
      for (index, element) in elements.enumerated() {
        if let found = find(in: element, "\(place)[\(index)]", inside) { return found }
      }
      return nil
    case .object(let members):
      // Names with a dollar are the decoder's own, such as the class of an object.
      for member in members where !member.name.hasPrefix("$") {
        let inner = "\(place).\(member.name)"
        if inside == nil, let hit = pattern.hit(in: member.name) { return Found(place: inner, hit: hit) }
        if let found = find(in: member.value, inner, inside) { return found }
      }
      return nil
    }
  }
}
