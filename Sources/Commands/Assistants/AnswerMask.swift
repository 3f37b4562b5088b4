import Lens
import Reports
import Values

/// What an assistant gets of a command's JSON while values are withheld: of each key what is listed here, and of all
/// others that there is something. Commands show names as `ShownNames` has them already.
struct AnswerMask {
  private enum Treatment {
    /// As it is; an object in it is looked at key by key.
    case keep
    /// A sentence of ours, in which names of files, zones and stores may stand.
    case sentence
    case uri, author
    /// Values by the names of their properties.
    case properties
  }

  private let privacy: ReportPrivacy
  /// Names that a property may have.
  private let properties: Set<String>

  init(_ privacy: ReportPrivacy, properties: Set<String>) {
    (self.privacy, self.properties) = (privacy, properties)
  }

  /// By the key that an object is under, or the list that it is in, and the keys in it.
  private static let treatments: [String: [Treatment: String]] = [
    "": [
      .keep: """
      schema store entities history mirror files app group model verdict counts total pending object exists mirrored \
      differences notCompared referencedBy steps matches deleted deletedCount searchedFor similar
      """,
      .sentence: "damage notes asides", .properties: "lastValues",
    ],
    "store": [.keep: "path uuid frameworkVersion redacted"],
    "entities": [.keep: "name number parent table rows"],
    "history": [.keep: "present transactions changes first last"],
    "mirror": [
      .keep: "present layout scope zones records pending verdict", .sentence: "pendingProblem",
    ],
    "files": [
      .keep: """
      journal pageSize bytes walBytes walFrames walCommits walTail externalBytes hotJournal openedBy
      """
    ],
    "model": [.keep: "source entities identifiers"],
    "verdict": [.keep: "state since", .sentence: "because noise reasons fix"],
    "counts": [.keep: PendingItem.Kind.allCases.map(\.plural).joined(separator: " ")],
    "pending": [
      .keep: "kind entity pk recordName transaction author since zone", .sentence: "reason", .uri: "uri",
    ],
    "referencedBy": [.keep: "entity property count"],
    "differences": [.keep: "property"],
    "steps": [
      .keep: """
      at kind transaction change author process bundle context properties deletedWith \
      type ended succeeded errorDomain errorCode errorName isNoise \
      recordName zone entity pk state needsUpload needsCloudDelete needsLocalDelete acknowledged lastExported \
      pendingExport objectExists recordType pending since step outcome code sure reasons
      """,
      .sentence: "text because fix", .uri: "uri", .properties: "tombstone before",
    ],
    "deletedWith": [.keep: "entity objects"],
    "reasons": [.keep: "code", .sentence: "because fix"],
    "matches": matches, "deleted": matches,
    "similar": [.keep: "property", .uri: "uri"],
  ]

  private static let matches: [Treatment: String] = [
    .keep: "entity pk property deletedAt", .uri: "uri", .author: "deletedBy",
  ]

  private static let byKey: [String: [String: Treatment]] = treatments.mapValues { group in
    Dictionary(
      group.flatMap { treatment, keys in
        keys.split(whereSeparator: \.isWhitespace).map { (String($0), treatment) }
      }
    ) { first, _ in first }
  }

  func masked(_ answer: DataValue) -> DataValue { object(answer, under: "") }

  /// - Parameter name: the key that it is under, or the list that it is in.
  private func object(_ value: DataValue, under name: String) -> DataValue {
    guard case .object(let members) = value, let keys = Self.byKey[name] else {
      return ShownNames.mark(value)
    }
    return .object(
      members.map { member in
        guard let treatment = keys[member.name] else { return .init(member.name, mark(member.value)) }
        return .init(member.name, shown(member.value, treatment, member.name))
      })
  }

  private func shown(_ value: DataValue, _ treatment: Treatment, _ name: String) -> DataValue {
    switch (value, treatment) {
    case (.null, _): .null
    case (.array(let elements), .properties): .array(elements.map(mark))
    case (.array(let elements), _): .array(elements.map { shown($0, treatment, name) })
    case (.object(let members), .properties):
      .object(
        members.map { .init(properties.contains($0.name) ? $0.name : "[withheld name]", mark($0.value)) })
    case (.object, _): object(value, under: name)
    case (_, .keep): value
    case (.text(let text), .sentence): .text(privacy.sentence(text))
    case (.text(let text), .uri): .text(privacy.uri(text))
    case (.text(let text), .author): .optional(privacy.author(text))
    default: mark(value)
    }
  }

  /// In place of a value; how many a list has is shown.
  private func mark(_ value: DataValue) -> DataValue {
    guard case .array(let elements) = value else { return ShownNames.mark(value) }
    return .array(elements.map(ShownNames.mark))
  }
}
