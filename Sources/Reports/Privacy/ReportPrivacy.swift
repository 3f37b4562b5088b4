import CloudKitMirror
package import Values

/// What of a store may stand in a report: the one place that decides it. Names of the app's own code (entities,
/// properties, authors, processes), counts, times and states pass; all that names a person, a device, a file or a single
/// record gets a mark, and a text of which nothing is known gets one too.
package struct ReportPrivacy: Sendable {
  /// Nil where values may be shown.
  private let marks: Marks?
  private let mask: SentenceMask?

  /// - Parameters:
  ///   - marks: nil where values shall be shown.
  ///   - path: the store's.
  ///   - names: of zones and their owners, which sentences may quote.
  ///   - entities: names that may stand in object URIs.
  package init(_ marks: Marks?, path: String, names: [String] = [], entities: Set<String> = []) {
    self.marks = marks
    mask = marks.map {
      SentenceMask(
        $0, path: path, names: names.filter { !Self.wellKnown.contains($0) }, entities: entities)
    }
  }

  package var showsValues: Bool { marks == nil }

  /// Names that every mirrored store has, and that say nothing of anybody.
  private static let wellKnown: Set = [
    "com.apple.coredata.cloudkit.zone", "com.apple.coredata.cloudkit.share", "__defaultOwner__",
    "_defaultOwner",
    "_defaultZone",
  ]

  // MARK: - Single things

  package func recordName(_ name: String?) -> String? { mark(name, "record") }
  package func path(_ path: String) -> String { mark(path, "path") ?? path }
  package func bundle(_ name: String?) -> String? { mark(name, "bundle") }

  /// A zone, a share's zone, or a database.
  package func zone(_ name: String?) -> String? { mark(name, "zone") }

  package func owner(_ name: String?) -> String? { mark(name, "owner") }

  package func uuid(_ text: String?) -> String? {
    guard let marks, let text, !text.isEmpty else { return text }
    return marks.uuid(text) ?? marks.mark(text, kind: "id")
  }

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
    case keep, sentence, recordName, zone, owner, bundle, file, uri, uuid, uuids, place, systemKey
  }

  /// By the name of a finding's cell. What isn't here and is a text gets a mark.
  private static let treatments: [String: Treatment] = [
    "entity": .keep, "property": .keep, "relationship": .keep, "relatedEntity": .keep, "objectEntity": .keep,
    "destination": .keep, "oldName": .keep, "table": .keep, "column": .keep, "kind": .keep, "rule": .keep,
    "type": .keep, "errorDomain": .keep, "errorName": .keep, "error": .keep, "scope": .keep, "layout": .keep,
    "state": .keep, "journal": .keep, "cache": .keep, "author": .keep, "lastAuthor": .keep, "process": .keep,
    "flags": .keep, "waitsFor": .keep, "missing": .keep, "age": .keep, "reading": .keep, "means": .keep,
    "item": .keep, "meaning": .sentence, "what": .sentence, "because": .sentence, "change": .sentence,
    "difference": .sentence, "problem": .sentence, "reason": .sentence, "sign": .sentence,
    "recordName": .recordName, "objectRecord": .recordName, "relatedRecord": .recordName, "zone": .zone,
    "name": .zone, "owner": .owner, "bundle": .bundle, "syncingBundles": .bundle, "file": .file, "uri": .uri,
    "reference": .uri, "store": .uuid, "tokenStores": .uuid, "names": .uuids, "place": .place,
    "key": .systemKey,
  ]

  /// One cell of a finding's evidence.
  package func cell(_ member: DataValue.Member) -> DataValue.Member {
    guard marks != nil else { return member }
    return DataValue.Member(member.name, value(member.value, Self.treatments[member.name]))
  }

  private func value(_ value: DataValue, _ treatment: Treatment?) -> DataValue {
    switch value {
    case .null, .bool, .integer, .real, .date: value
    case .text(let text): .text(self.text(text, treatment))
    case .array(let elements): .array(elements.map { self.value($0, treatment) })
    // No rule says as much in one cell.
    case .object, .blob: .text(mark("\(value)", "value") ?? "")
    }
  }

  private func text(_ text: String, _ treatment: Treatment?) -> String {
    switch treatment {
    case .keep: text
    case .sentence: sentence(text)
    case .recordName: recordName(text) ?? ""
    case .zone: zone(text) ?? ""
    case .owner: owner(text) ?? ""
    case .bundle: bundle(text) ?? ""
    case .file: mark(text, "file") ?? ""
    case .uri: uri(text)
    case .uuid: uuid(text) ?? ""
    case .uuids where text.hasPrefix("no "): text
    case .uuids: Self.list(text).map { uuid($0) ?? "" }.joined(separator: ", ")
    case .place: Self.place(text)
    case .systemKey: MetadataKey.known.contains(text) ? text : mark(text, "key") ?? ""
    // Some views tell times as text.
    case nil: ISO8601.parse(text) != nil ? text : uuid(text) ?? ""
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
