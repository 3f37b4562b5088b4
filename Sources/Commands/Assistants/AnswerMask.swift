import Base
import Lens
import Reports

/// What an assistant gets of a command's JSON while values are withheld: of each key what is listed here, and of all
/// others that there is something. Commands show names as `ShownNames` has them already, so that a name is a word here;
/// an object is looked at key by key, and values are those of properties.
struct AnswerMask {
  private let privacy: ReportPrivacy
  /// Names that a property may have.
  private let properties: Set<String>

  init(_ privacy: ReportPrivacy, properties: Set<String>) {
    (self.privacy, self.properties) = (privacy, properties)
  }

  /// By the key that an object is under, or the list that it is in, and the keys in it.
  private static let kinds: [String: [CellKind: String]] = [
    "": [
      .word: """
      schema store entities history mirror files app group model verdict counts total pending rows object exists mirrored \
      differences notCompared referencedBy steps matches deleted deletedCount searchedFor similar
      """,
      .sentence: "damage notes asides", .value: "lastValues",
    ],
    "store": [.word: "path uuid frameworkVersion redacted"],
    "entities": [.word: "name number parent table rows"],
    "history": [.word: "present transactions changes first last"],
    "mirror": [
      .word: "present layout scope zones records pending verdict", .sentence: "pendingProblem",
    ],
    "files": [
      .word: """
      journal pageSize bytes walBytes walFrames walCommits walTail externalBytes hotJournal openedBy
      """
    ],
    "model": [.word: "source entities identifiers"],
    "verdict": [.word: "state since", .sentence: "because noise reasons fix"],
    "counts": [.word: PendingItem.Kind.allCases.map(\.plural).joined(separator: " ")],
    "pending": [
      .word: "kind entity pk recordName transaction author since zone", .sentence: "reason", .uri: "uri",
    ],
    "rows": [.word: "pk entity", .uri: "uri"],
    "referencedBy": [.word: "entity property count"],
    "differences": [.word: "property"],
    "steps": [
      .word: """
      at kind transaction change author process bundle context properties deletedWith \
      type ended succeeded errorDomain errorCode errorName isNoise \
      recordName zone entity pk state needsUpload needsCloudDelete needsLocalDelete acknowledged lastExported \
      pendingExport objectExists recordType pending since step outcome code sure reasons
      """,
      .sentence: "text because fix", .uri: "uri", .value: "tombstone before",
    ],
    "deletedWith": [.word: "entity objects"],
    "reasons": [.word: "code", .sentence: "because fix"],
    "matches": matches, "deleted": matches,
    "similar": [.word: "property", .uri: "uri"],
  ]

  private static let matches: [CellKind: String] = [
    .word: "entity pk property deletedAt", .uri: "uri", .author: "deletedBy",
  ]

  private static let byKey = kinds.mapValues(CellKind.byName)

  func masked(_ answer: DataValue) -> DataValue { object(answer, under: "") }

  /// - Parameter name: the key that it is under, or the list that it is in.
  private func object(_ value: DataValue, under name: String) -> DataValue {
    guard case .object(let members) = value, let keys = Self.byKey[name] else {
      return ShownNames.mark(value)
    }
    return .object(
      members.map { member in
        guard let kind = keys[member.name] else { return .init(member.name, mark(member.value)) }
        return .init(member.name, shown(member.value, kind, member.name))
      })
  }

  private func shown(_ value: DataValue, _ kind: CellKind, _ name: String) -> DataValue {
    switch (value, kind) {
    case (.null, _): .null
    case (.array(let elements), .value): .array(elements.map(mark))
    case (.array(let elements), _): .array(elements.map { shown($0, kind, name) })
    case (.object(let members), .value):
      .object(
        members.map { .init(properties.contains($0.name) ? $0.name : "[withheld name]", mark($0.value)) })
    case (.object, _): object(value, under: name)
    case (_, .word): value
    case (.text(let text), _) where kind != .value: .text(privacy.mask(text, kind))
    default: mark(value)
    }
  }

  /// In place of a value; how many a list has is shown.
  private func mark(_ value: DataValue) -> DataValue {
    guard case .array(let elements) = value else { return ShownNames.mark(value) }
    return .array(elements.map(ShownNames.mark))
  }
}
