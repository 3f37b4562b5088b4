package import Lens
package import StoreModel
package import SystemCalls
package import Values

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

  /// - Parameters:
  ///   - marks: nil if values are shown.
  ///   - sharedNames: authors that may be shown; none if nil.
  ///   - path: the store's.
  ///   - names: of zones and their owners, which sentences may quote.
  ///   - entities: names that are known, and may stand in object URIs.
  ///   - relationships: the same of relationships.
  ///   - ownStore: the identifier that may stand there; none if nil.
  package init(
    _ marks: Marks?, path: String, names: [String] = [], entities: Set<String> = [],
    relationships: Set<String> = [], sharedNames: SharedNames? = nil, keepsPrograms: Bool = false,
    ownStore: String? = nil
  ) {
    self.marks = marks
    self.entities = entities
    self.relationships = relationships
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
    keepsPrograms: Bool = false, keepsURIs: Bool = false
  ) {
    self.init(
      marks, path: store.path, names: zones.flatMap { [$0.name, $0.owner].compactMap(\.self) },
      entities: store.knownEntityNames, relationships: store.relationshipNames, sharedNames: sharedNames,
      keepsPrograms: keepsPrograms, ownStore: keepsURIs ? store.metadata.uuid : nil)
  }

  package var showsValues: Bool { marks == nil }

  /// Names that every mirrored store has, and that say nothing of anybody.
  private static let wellKnown: Set = [
    "com.apple.coredata.cloudkit.zone", "com.apple.coredata.cloudkit.share", "__defaultOwner__",
    "_defaultOwner",
    "_defaultZone", "Private", "Public", "Shared",
    // What rules say in an entity's place.
    "unknown", "of no entity",
  ]

  // MARK: - Single things

  package func recordName(_ name: String?) -> String? { mark(name, "record") }
  package func path(_ path: String) -> String { mark(path, "path") ?? path }
  /// A process or a bundle, as a redacted copy has it.
  package func program(_ name: String?) -> String? { keepsPrograms ? name : mark(name, "program") }

  /// An author or a context, as a redacted copy has it.
  package func author(_ name: String?) -> String? {
    guard let marks, let name, !keepsPrograms else { return name }
    return sharedNames?.shown(name, marks) ?? program(name)
  }

  /// A zone, a share's zone, or a database.
  package func zone(_ name: String?) -> String? { mark(name, "zone") }

  package func owner(_ name: String?) -> String? { mark(name, "owner") }

  /// An entity's name. The mirror's rows may have any text there, so it stays only if the model knows it, as in a URI.
  package func entity(_ name: String?) -> String? {
    name.map(entities.contains) == true ? name : mark(name, "Entity")
  }

  private func relationship(_ name: String) -> String {
    relationships.contains(name) ? name : mark(name, "relationship") ?? ""
  }

  /// A store's identifier, with the mark that object URIs have.
  package func store(_ uuid: String?) -> String? { mark(uuid?.uppercased(), "store") ?? uuid }

  private func identifier(_ text: String) -> String { mark(text, "id") ?? "" }

  private func mark(_ text: String?, _ kind: String) -> String? {
    guard let marks, let text, !text.isEmpty, !Self.wellKnown.contains(text) else { return text }
    return marks.mark(text, kind: kind)
  }

  /// The name of an object: entity and key stay, as neither says anything of what it holds; the store's identifier
  /// doesn't, nor an entity that isn't known.
  package func uri(_ text: String) -> String { mask?.uri(text) ?? text }

  /// A sentence that the program made, in which names may stand.
  package func sentence(_ text: String) -> String { mask?.masked(text) ?? text }

  // MARK: - Evidence

  private enum Treatment {
    case keep, sentence, recordName, zone, owner, author, program, file, uri, store, uuids, place, systemKey
    case entity, relationship
    /// An object's own value.
    case withheld
  }

  /// By the name of a finding's cell. What isn't here and is a text gets a mark.
  private static let treatments: [String: Treatment] = [
    "entity": .entity, "property": .keep, "relationship": .relationship, "relatedEntity": .entity,
    "objectEntity": .entity, "destination": .keep, "oldName": .keep, "table": .keep, "column": .keep,
    "kind": .keep, "rule": .keep,
    "type": .keep, "errorDomain": .keep, "errorName": .keep, "error": .keep, "scope": .keep, "layout": .keep,
    "state": .keep, "journal": .keep, "cache": .keep, "author": .author,
    "lastAuthor": .author, "process": .program,
    "flags": .keep, "waitsFor": .keep, "missing": .keep, "age": .keep, "gap": .keep, "when": .keep,
    "reading": .keep, "means": .keep,
    "item": .keep, "runs": .keep, "how": .keep, "more": .keep, "meaning": .sentence, "what": .sentence,
    "because": .sentence, "change": .sentence,
    "difference": .sentence, "problem": .sentence, "reason": .sentence, "sign": .sentence,
    "recordName": .recordName, "objectRecord": .recordName, "relatedRecord": .recordName, "zone": .zone,
    "relatedZone": .zone,
    "name": .zone, "owner": .owner, "bundle": .program, "syncingBundles": .program, "file": .file,
    "uri": .uri,
    "reference": .uri, "store": .store, "tokenStores": .store, "names": .uuids, "place": .place,
    "key": .systemKey, "who": .author, "family": .program, "bundles": .program, "makers": .program,
    "holder": .program, "value": .withheld, "recordNames": .recordName, "folder": .keep, "expected": .keep,
    "entities": .keep,
    "relationships": .keep, "owners": .keep, "absence": .keep, "index": .keep, "sql": .keep,
  ]

  /// One cell of a finding's evidence.
  package func cell(_ member: DataValue.Member) -> DataValue.Member {
    guard marks != nil else { return member }
    return DataValue.Member(member.name, value(member.value, Self.treatments[member.name]))
  }

  private func value(_ value: DataValue, _ treatment: Treatment?) -> DataValue {
    switch value {
    case .null: value
    case _ where treatment == .withheld: ShownNames.mark(value)
    case .bool, .integer, .real, .date: value
    case .text(let text): .text(self.text(text, treatment))
    case .array(let elements): .array(elements.map { self.value($0, treatment) })
    // No rule says as much in one cell.
    case .object, .blob: .text(mark("\(value)", "value") ?? "")
    }
  }

  private func text(_ text: String, _ treatment: Treatment?) -> String {
    switch treatment {
    case .keep: text
    case .entity: entity(text) ?? ""
    case .relationship: relationship(text)
    case .sentence: sentence(text)
    case .recordName: recordName(text) ?? ""
    case .zone: zone(text) ?? ""
    case .owner: owner(text) ?? ""
    case .author where text == "no author": text
    case .author: author(text) ?? ""
    case .program: program(text) ?? ""
    case .file: mark(text, "file") ?? ""
    case .withheld: ""
    case .uri: uri(text)
    case .store: store(text) ?? ""
    case .uuids where text.hasPrefix("no "): text
    case .uuids: Self.list(text).map(identifier).joined(separator: ", ")
    case .place: Self.place(text)
    case .systemKey: MetadataKey.known.contains(text) ? text : mark(text, "key") ?? ""
    // Some views tell times as text.
    case nil: ISO8601.parse(text) != nil ? text : identifier(text)
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

  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { String($0.drop { $0 == " " }) }
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
