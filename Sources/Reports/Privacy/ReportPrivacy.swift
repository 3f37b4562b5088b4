package import Base
package import Lens
package import StoreModel

/// What of a store may stand in a report: the one place that decides it. Names of the app's own code (entities,
/// properties, authors, the model), counts, times and states pass; all that names a person, a device, a file or a single
/// record gets a mark, and a text of which nothing is known gets one too.
package struct ReportPrivacy: Sendable {
  /// Nil where values may be shown.
  private let marks: Marks?
  private let mask: SentenceMask?
  private let sharedNames: SharedNames?
  private let keepsPrograms: Bool
  private let entities: Set<String>
  private let relationships: Set<String>
  private let structure: Set<String>

  /// - Parameters:
  ///   - marks: nil if values are shown.
  ///   - sharedNames: authors that may be shown; none if nil.
  ///   - path: the store's.
  ///   - names: of zones and their owners, which sentences may quote.
  ///   - entities: names that are known, and may stand in object URIs.
  ///   - relationships: the same of relationships.
  ///   - structure: the same of everything that frameworks' tables may name.
  ///   - ownStore: the identifier that may stand there; none if nil.
  package init(
    _ marks: Marks?, path: String, names: [String] = [], entities: Set<String> = [],
    relationships: Set<String> = [], structure: Set<String> = [], sharedNames: SharedNames? = nil,
    keepsPrograms: Bool = false,
    ownStore: String? = nil
  ) {
    self.marks = marks
    self.entities = entities
    self.relationships = relationships
    self.structure = structure
    self.sharedNames = sharedNames
    self.keepsPrograms = keepsPrograms
    mask = marks.map {
      SentenceMask(
        $0, path: path, names: names.filter { !Self.wellKnown.contains($0) }, entities: entities,
        ownStore: ownStore)
    }
  }

  /// Of a store.
  /// - Parameter zones: whose names sentences may quote.
  package init(
    _ marks: Marks?, of store: CoreDataStore, zones: [MirrorZone], sharedNames: SharedNames?,
    structure: Set<String> = [], keepsPrograms: Bool = false, keepsURIs: Bool = false
  ) {
    self.init(
      marks, path: store.path, names: zones.flatMap { [$0.name, $0.owner].compactMap(\.self) },
      entities: store.knownEntityNames, relationships: store.relationshipNames, structure: structure,
      sharedNames: sharedNames,
      keepsPrograms: keepsPrograms, ownStore: keepsURIs ? store.metadata.uuid : nil)
  }

  package var showsValues: Bool { marks == nil }

  /// Names that every mirrored store has, and that say nothing of anybody.
  private static let wellKnown: Set = [
    MirrorZone.defaultName, "com.apple.coredata.cloudkit.share", "__defaultOwner__", "_defaultOwner",
    "_defaultZone", "Private", "Public", "Shared",
    // What rules say in an entity's place.
    "unknown", "of no entity",
  ]

  // MARK: - Cells

  /// What stands for a text of that kind; the text itself if values are shown.
  package func mask(_ text: String, _ kind: CellKind) -> String {
    guard let mask, let marks else { return text }
    func mark(_ name: String, _ text: String = text) -> String {
      text.isEmpty || Self.wellKnown.contains(text) ? text : marks.mark(text, kind: name)
    }
    switch kind {
    case .word: return text
    case .sentence: return mask.masked(text)
    // Entity and key stay, as neither says anything of what the object holds; the store's identifier doesn't, nor an
    // entity that isn't known.
    case .uri: return mask.uri(text)
    // The mirror's rows may have any text there, so it stays only if the model knows it, as in a URI.
    case .entity: return entities.contains(text) ? text : mark("Entity")
    case .relationship: return relationships.contains(text) ? text : mark("relationship")
    case .structure: return structure.contains(text) ? text : mark("name")
    case .metadataKey: return MetadataKey.known.contains(text) ? text : mark("key")
    case .record, .zone, .owner, .path, .file: return mark(kind.rawValue)
    // As a redacted copy has them.
    case .author where keepsPrograms || text == Self.noAuthor: return text
    case .author: return sharedNames?.shown(text, marks) ?? mark("program")
    case .program: return keepsPrograms ? text : mark("program")
    // With the mark that object URIs have.
    case .store: return mark("store", text.uppercased())
    case .identifiers where text.hasPrefix("no "): return text
    case .identifiers:
      return text.split(separator: ",").map { mark("id", String($0.drop { $0 == " " })) }
        .joined(separator: ", ")
    case .place: return Self.place(text)
    case .value: return ShownNames.mark(.text(text)).text ?? ""
    // Some views tell times as text.
    case .unknown: return ISO8601.parse(text) != nil ? text : mark("id")
    }
  }

  package func mask(_ text: String?, _ kind: CellKind) -> String? { text.map { mask($0, kind) } }

  package func sentence(_ text: String) -> String { mask(text, .sentence) }

  private static let noAuthor = "no author"

  /// By the name of a finding's cell. What isn't here and is a text gets a mark.
  private static let kinds = CellKind.byName([
    .word: """
    property destination oldName table column kind rule type errorDomain errorName error scope layout state journal \
    cache flags waitsFor missing age gap when reading means item runs how more folder expected entities relationships \
    owners absence index sql states
    """,
    .entity: "entity relatedEntity objectEntity", .relationship: "relationship",
    .author: "author lastAuthor who",
    .program: "process bundle syncingBundles family bundles makers holder",
    .sentence: "meaning what because change difference problem reason sign",
    .record: "recordName objectRecord relatedRecord recordNames", .zone: "zone relatedZone name",
    .owner: "owner", .file: "file foundIn", .uri: "uri reference", .store: "store tokenStores",
    .identifiers: "names", .place: "place", .metadataKey: "key", .value: "value",
  ])

  /// One cell of a finding's evidence.
  package func cell(_ member: DataValue.Member) -> DataValue.Member {
    guard !showsValues else { return member }
    return DataValue.Member(member.name, mask(member.value, Self.kinds[member.name] ?? .unknown))
  }

  private func mask(_ value: DataValue, _ kind: CellKind) -> DataValue {
    switch value {
    case .null: value
    case _ where kind == .value: ShownNames.mark(value)
    case .bool, .integer, .real, .date: value
    case .text(let text): .text(mask(text, kind))
    case .array(let elements): .array(elements.map { mask($0, kind) })
    // No rule says as much in one cell.
    case .object, .blob: .text(mask("\(value)", .unknown))
    }
  }

  /// `Person.preferences.recent[0]` without what lies inside of the value, whose keys are values as well.
  private static func place(_ text: String) -> String {
    let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count > 1, parts[0] != "Z_METADATA" else { return parts.count > 1 ? "Z_METADATA.…" : "…" }
    let attribute = parts[1].prefix { $0 != "[" }
    let isWhole = parts.count == 2 && attribute.count == parts[1].count
    return "\(parts[0]).\(attribute)" + (isWhole ? "" : "…")
  }
}

/// Takes out of sentences what may tell of a person or a device: the store's path and other paths, names of zones and
/// owners in quotes, object URIs' stores, UUIDs, addresses and container identifiers. Sentences are the program's own and
/// should have none of it; an error of the system's may.
struct SentenceMask: Sendable {
  private let marks: Marks
  /// Longest first, each with its mark.
  private let known: [(text: String, mark: String)]
  private let entities: Set<String>
  private let ownStore: String?

  /// - Parameters:
  ///   - entities: names that the model or the framework knows; a URI in a value may have any other.
  ///   - ownStore: the identifier of the store whose objects' URIs may be shown.
  init(_ marks: Marks, path: String, names: [String], entities: Set<String>, ownStore: String?) {
    self.marks = marks
    self.entities = entities
    self.ownStore = ownStore
    var known = [(path, marks.mark(path, kind: "path"))]
    known += [Platform.absolutePath(path)].filter { $0 != path }.map { ($0, marks.mark(path, kind: "path")) }
    // Only in quotes: a zone may be called by a word that every sentence has.
    known += names.map { ("'\($0)'", "'\(marks.mark($0, kind: "zone"))'") }
    self.known = known.filter { !$0.0.isEmpty }.sorted { ($1.0.utf8.count, $0.0) < ($0.0.utf8.count, $1.0) }
      .map { (text: $0.0, mark: $0.1) }
  }

  func masked(_ sentence: String) -> String {
    var text = sentence
    for (name, mark) in known where text.contains(name) {
      text = Self.replacing(name, with: mark, in: text)
    }
    return text.split(separator: " ", omittingEmptySubsequences: false).map { word($0) }.joined(
      separator: " ")
  }

  /// `x-coredata://STORE/Entity/p1`, with a mark in place of the store's identifier, and one for an entity that
  /// isn't known. Temporary ones have a text of the
  /// process's making behind the entity, which gets a mark.
  func uri(_ text: String) -> String {
    let scheme = "x-coredata://"
    guard text.hasPrefix(scheme) else { return marks.mark(text, kind: "reference") }
    let parts = text.dropFirst(scheme.count).split(
      separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return marks.mark(text, kind: "reference") }
    let isOwn = ownStore.map { $0 == parts[0] } ?? false
    let store =
      parts[0].isEmpty || isOwn ? String(parts[0]) : marks.mark(parts[0].uppercased(), kind: "store")
    let key = parts[2]
    let isPermanent = key.first == "p" && key.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
    let shown = isPermanent ? String(key) : marks.mark(String(key), kind: "t")
    let name = ObjectURI(text)?.entity ?? String(parts[1])
    let entity = entities.contains(name) ? String(parts[1]) : marks.mark(name, kind: "Entity")
    return "\(scheme)\(store)/\(entity)/\(shown)"
  }

  private static let openers: Set<Character> = ["'", "\"", "(", "[", "<", "“", "‘"]
  private static let closers: Set<Character> = [
    "'", "\"", ")", "]", ">", "”", "’", ",", ".", ";", ":", "!", "?",
  ]

  /// One word, whose quotes and full stop stay.
  private func word(_ word: Substring) -> String {
    var core = word
    var (head, tail) = ("", "")
    while let first = core.first, Self.openers.contains(first) {
      head.append(first)
      core.removeFirst()
    }
    while let last = core.last, Self.closers.contains(last) {
      tail = String(last) + tail
      core.removeLast()
    }
    return head + replacement(core) + tail
  }

  private func replacement(_ core: Substring) -> String {
    let text = String(core)
    if text.hasPrefix("x-coredata:") { return uri(text) }
    if text.hasPrefix("/") || text.hasPrefix("~/") || text.hasPrefix("file:") {
      return text.utf8.count > 1 ? marks.mark(text, kind: "path") : text
    }
    if text.hasPrefix("iCloud.") { return marks.mark(text, kind: "container") }
    if let at = text.firstIndex(of: "@"), at != text.startIndex, text[at...].contains(".") {
      return marks.mark(text, kind: "address")
    }
    return withoutUUIDs(text)
  }

  /// UUIDs may stand inside of a word, as in the name of a link's record.
  private func withoutUUIDs(_ text: String) -> String {
    let bytes = Array(text.utf8)
    guard bytes.count >= 36, bytes.contains(UInt8(ascii: "-")) else { return text }
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if index + 36 <= bytes.count, bytes[index + 8] == UInt8(ascii: "-") {
        let window = String(decoding: bytes[index..<index + 36], as: UTF8.self)
        if Hexadecimal.uuidBytes(window) != nil {
          result += Array(marks.mark(window, kind: "id").utf8)
          index += 36
          continue
        }
      }
      result.append(bytes[index])
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func replacing(_ name: String, with mark: String, in text: String) -> String {
    var result = ""
    var rest = text[...]
    while let range = rest.firstRange(of: name) {
      result += rest[..<range.lowerBound] + mark
      rest = rest[range.upperBound...]
    }
    return result + rest
  }
}
