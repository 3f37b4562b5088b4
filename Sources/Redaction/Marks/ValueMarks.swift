import Archives
import Base
import Lens
package import StoreModel

/// Values in place of values. Equal ones stay equal, wherever in the store they are.
struct ValueMarks {
  let options: RedactionOptions
  let uris: URIMarks
  private let numbers: NumberMarks
  /// Names of the model and of the frameworks, which are structure wherever a framework's table or archive has them.
  private let names: Set<String>
  private let sharedNames: SharedNames
  /// By entity and by the name of a record's field: which Booleans are flipped together.
  let booleans: [String: [String: String]]

  /// Data within data is looked into so often.
  private static let nestingLimit = 3
  /// A mark shorter than this can be that of two texts: one in a unique index is longer then.
  private static let uniqueLength = 12

  init(_ options: RedactionOptions, store: CoreDataStore) throws {
    self.options = options
    sharedNames = try SharedNames(store)
    numbers = NumberMarks(options.marks)
    names = StructureNames.all(in: store)
    uris = URIMarks(options.marks, entities: store.knownEntityNames)
    booleans = Dictionary(
      store.schema.entities.map { entity in
        let leaves = entity.attributes.flatMap(\.leaves).filter { $0.description.type == .boolean }
        return (
          entity.name, Dictionary(leaves.map { ("CD_" + $0.path, Self.kind($0)) }) { first, _ in first }
        )
      }
    ) { first, _ in first }
  }

  /// Which Booleans are flipped together: those of one attribute.
  static func kind(_ attribute: SchemaAttribute) -> String { "\(attribute.declaredBy) \(attribute.path)" }

  // MARK: Numbers

  private func keeps(_ kept: RedactionOptions.Kept) -> Bool { options.kept.isSuperset(of: kept) }

  func number(_ value: Int64) -> Int64 { keeps(.numbers) ? value : numbers.integer(value) }
  func number(_ value: Double) -> Double { keeps(.numbers) ? value : numbers.real(value) }
  func date(_ value: Double) -> Double { keeps(.dates) ? value : numbers.real(value) }
  func bool(_ value: Bool, kind: String) -> Bool {
    keeps(.numbers) ? value : numbers.bool(value, kind: kind)
  }

  /// A number that may be a date.
  func unknown(_ value: Int64) -> Int64 { keeps([.numbers, .dates]) ? value : numbers.integer(value) }
  func unknown(_ value: Double) -> Double { keeps([.numbers, .dates]) ? value : numbers.real(value) }

  // MARK: Texts

  /// - Parameter isUnique: whether no two texts may get the same mark, even if it is shorter than asked for.
  func text(_ bytes: UnsafeRawBufferPointer, isUnique: Bool = false) -> String {
    guard !bytes.isEmpty else { return "" }
    let text = String(decoding: bytes, as: UTF8.self)
    let found = URIMarks.uris(in: bytes)
    if !found.isEmpty {
      let marked = uris.marked(found)
      // A link and nothing else stays one, so that equal ones are recognizable; texts around a link differ.
      return URIMarks.isOne(text, found)
        ? marked.joined() : (marked + [digestMark(bytes)]).joined(separator: " ")
    }
    if let uuid = uuid(text) { return uuid }
    if options.keepsLengths {
      let length = text.unicodeScalars.count
      if !isUnique || length >= Self.uniqueLength {
        return letters(options.marks.digest(bytes, kind: "text"), count: length)
      }
    }
    return digestMark(bytes)
  }

  private func digestMark(_ bytes: UnsafeRawBufferPointer) -> String {
    "text-\(Hexadecimal.lowercase(options.marks.digest(bytes, kind: "text").prefix(8)))"
  }

  func text(_ text: String) -> String {
    var text = text
    return text.withUTF8 { self.text(UnsafeRawBufferPointer($0)) }
  }

  /// A UUID for a UUID. One in small letters stays apart from the same in capitals, as SQLite keeps them apart.
  private func uuid(_ text: String) -> String? {
    guard let uuid = options.marks.uuid(text) else { return nil }
    if text == text.uppercased() { return uuid }
    return text == text.lowercased() ? uuid.lowercased() : nil
  }

  /// Letters and digits, the first a letter that begins no number: a column that prefers numbers would turn it into one.
  private func letters(_ digest: [UInt8], count: Int) -> String {
    let alphabet = Array("ghijklmnopqrstuvwxyz0123456789abcdef".utf8)
    let letters = (0..<count).map { index -> UInt8 in
      alphabet[Int(digest[index % digest.count]) % (index == 0 ? 20 : alphabet.count)]
    }
    return String(decoding: letters, as: UTF8.self)
  }

  /// A text of one of the frameworks' own tables or archives, which may be a name.
  func frameworkText(_ text: String) -> String {
    if names.contains(text) { return text }
    for prefix in StructureNames.prefixes where text.hasPrefix(prefix) {
      return prefix + self.text(String(text.dropFirst(prefix.count)))
    }
    return self.text(text)
  }

  /// Who wrote to the store, in history.
  func program(_ text: String) -> String {
    keeps(.programs) ? text : sharedNames.shown(text, options.marks)
  }

  /// A file next to the store: a name as long as a UUID.
  func fileName(_ name: String) -> String { options.marks.uuid(inPlaceOf: name, kind: "file") }

  // MARK: Data

  /// Data of any kind: what is an archive stays one, of a picture the kind is still recognizable, and the rest is noise.
  /// - Parameter isUnique: as for a text.
  func data(_ bytes: UnsafeRawBufferPointer, depth: Int = 0, isUnique: Bool = false) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    let found = URIMarks.uris(in: bytes)
    let result = replacement(bytes, depth: depth, isUnique: isUnique)
    let expected = uris.marked(found)
    // What the doctor finds in the original it must find in the copy, and nothing else.
    if result.withUnsafeBytes({ URIMarks.uris(in: $0) }).map(\.text) == expected { return result }
    if expected.isEmpty { return noise(bytes, isUnique: isUnique) }
    return Array((expected + [digestMark(bytes)]).joined(separator: " ").utf8)
  }

  func data(_ bytes: [UInt8], depth: Int = 0) -> [UInt8] {
    bytes.withUnsafeBytes { data($0, depth: depth) }
  }

  private func replacement(_ bytes: UnsafeRawBufferPointer, depth: Int, isUnique: Bool) -> [UInt8] {
    if bytes.count == 16 { return options.marks.uuid(bytes) }
    guard depth <= Self.nestingLimit else { return noise(bytes, isUnique: isUnique) }
    switch BlobKind.sniff(bytes) {
    case .keyedArchive, .binaryPropertyList, .xmlPropertyList:
      return ArchiveMarks(self, depth: depth).propertyList(Array(bytes)) ?? noise(bytes, isUnique: isUnique)
    case .json: return JSONMarks(self).json(bytes) ?? noise(bytes, isUnique: isUnique)
    case .text: return Array(text(bytes, isUnique: isUnique).utf8)
    default: return media(bytes, isUnique: isUnique)
    }
  }

  /// A file of the same kind, by its first bytes, that holds nothing.
  func media(_ bytes: UnsafeRawBufferPointer, isUnique: Bool = false) -> [UInt8] {
    noise(bytes, after: BlobKind.sniff(bytes).signature, isUnique: isUnique)
  }

  /// Bytes without a meaning, as many as these, whatever was asked for.
  func sameSize(_ bytes: UnsafeRawBufferPointer) -> [UInt8] { Self.sized(noise(bytes), bytes.count) }

  private static func sized(_ noise: [UInt8], _ count: Int) -> [UInt8] {
    guard count > noise.count else { return Array(noise.prefix(count)) }
    var bytes = [UInt8](repeating: 0, count: count)
    bytes.replaceSubrange(..<noise.count, with: noise)
    return bytes
  }

  /// Bytes without a meaning, which stand for these.
  func noise(
    _ bytes: UnsafeRawBufferPointer, after signature: [UInt8] = [], isUnique: Bool = false
  ) -> [UInt8] {
    var noise = signature + options.marks.digest(bytes, kind: "data").prefix(24)
    if options.keepsLengths, !isUnique || bytes.count >= signature.count + Self.uniqueLength {
      noise = Self.sized(noise, bytes.count)
    }
    return noise
  }
}

extension BlobKind {
  /// The bytes that identify a file of that kind; none for what is identified otherwise.
  fileprivate var signature: [UInt8] {
    switch self {
    case .png: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    case .jpeg: [0xFF, 0xD8, 0xFF]
    case .gif: Array("GIF89a".utf8)
    case .webp: Array("RIFF".utf8) + [0, 0, 0, 0] + Array("WEBP".utf8)
    case .tiff: [0x49, 0x49, 0x2A, 0x00]
    case .pdf: Array("%PDF-".utf8)
    case .heic: [0, 0, 0, 0x18] + Array("ftypheic".utf8)
    case .gzip: [0x1F, 0x8B, 0x08]
    case .zip: [0x50, 0x4B, 0x03, 0x04]
    case .lzfse: Array("bvx-".utf8)
    default: []
    }
  }
}

/// Texts that are names and no values: of the app's model, and of the frameworks that wrote the store.
package enum StructureNames {
  /// What a framework's table or archive may keep as it is.
  package static func all(in store: CoreDataStore) -> Set<String> {
    var names = constants
    for entity in store.schema.entities {
      names.formUnion([entity.name, entity.staleName ?? entity.name, "CD_" + entity.name])
      for relationship in entity.relationships {
        names.formUnion([relationship.name, "CD_" + relationship.name])
      }
      for leaf in entity.attributes.flatMap({ [$0] + $0.leaves }) {
        let field = "CD_" + leaf.path
        names.formUnion([field, field + "_ckAsset"])
      }
    }
    return names
  }

  /// CloudKit's own names, and those that Core Data gives to what it keeps there:
  /// https://developer.apple.com/documentation/cloudkit/ckrecordzone
  private static let constants: Set<String> = [
    MirrorZone.defaultName, "_defaultZone", "__defaultOwner__", "Public", "Private", "Shared",
    "CD_entityName",
    "CD_moveReceipt", "CDMR", "CD_recordNames", "CD_relationships", "CD_entityNames", "cloudkit.share",
    "cloudkit.zoneshare", "NSCocoaErrorDomain", "CKErrorDomain", "CKInternalErrorDomain", "NSURLErrorDomain",
    "NSPOSIXErrorDomain", "NSOSStatusErrorDomain",
  ]

  /// A zone made for a share has a UUID behind this.
  static let prefixes = ["com.apple.coredata.cloudkit.share."]
}
