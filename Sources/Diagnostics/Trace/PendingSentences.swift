import Base
import Lens
import StoreModel

/// What is pending of an object, in words.
struct PendingSentences {
  private let evidence: ObjectEvidence
  private let comparison: ServerComparison
  private let entity: SchemaEntity?
  /// Whether the next export begins without a history token.
  private let startsOver: Bool

  init(
    _ evidence: ObjectEvidence, _ comparison: ServerComparison, _ entity: SchemaEntity?, startsOver: Bool
  ) {
    (self.evidence, self.comparison, self.entity, self.startsOver) = (
      evidence, comparison, entity, startsOver
    )
  }

  /// When the oldest of it was saved.
  var since: CoreDataDate? { evidence.pending.compactMap(\.since).min() }

  /// What the server has, compared with here.
  func standing(_ exists: Bool) -> String {
    guard exists else { return evidence.hasServerCopy ? "deleted here, still on the server" : "deleted here" }
    guard evidence.hasServerCopy else { return "not on the server" }
    if !comparison.differences.isEmpty { return "older on the server than here" }
    if isOwn, isSame, !hasLinks { return "on the server with the same values, but to be uploaded again" }
    // A push flags what didn't change.
    let isUnchanged = evidence.pending.allSatisfy {
      $0.kind == .upload
        ? $0.transaction == nil && !$0.mayBeOlder : $0.kind != .unanalyzed && $0.kind != .cloudDelete
    }
    if isOwn, isUnchanged { return "on the server, but to be uploaded again" }
    // What was uploaded long ago is in history as well.
    let isFlagged = evidence.pending.contains { $0.kind == .upload }
    if isOwn, startsOver, !isFlagged { return "on the server, but to be uploaded again" }
    if isOwn, !(isSame && hasLinks) { return "on the server without its latest changes" }
    return hasLinks ? "on the server without its latest links" : "on the server, but also in its old zone"
  }

  /// A new link flags the objects at its ends as well.
  private var hasLinks: Bool { evidence.pending.contains { $0.kind == .link || $0.kind == .linkDelete } }

  private var isOwn: Bool {
    evidence.pending.contains { [.upload, .unanalyzed, .cloudDelete].contains($0.kind) }
  }

  /// Whether the server has the values that are here: what can't be compared is the same if it didn't change.
  private var isSame: Bool {
    guard comparison.isCompared, comparison.differences.isEmpty else { return false }
    guard !comparison.notCompared.isEmpty else { return true }
    guard let changed else { return false }
    return comparison.notCompared.allSatisfy { other in
      !changed.contains { $0 == other.property || $0.hasPrefix(other.property + ".") }
    }
  }

  /// The properties changed since the last export, in the order of the changes; nil if that isn't known for certain.
  private var changed: [String]? {
    guard !evidence.changes.isCut else { return nil }
    var first = Int64.max
    for item in evidence.pending where [.upload, .unanalyzed, .cloudDelete].contains(item.kind) {
      // A push flags what didn't change.
      if item.kind == .upload, item.transaction == nil, !item.mayBeOlder { continue }
      guard let transaction = item.transaction, !item.mayBeOlder else { return nil }
      first = min(first, transaction)
    }
    var names: [String] = []
    for fact in evidence.changes.facts where fact.transaction ?? .max >= first {
      guard let properties = fact.properties, properties.unsure.isEmpty else { return nil }
      names += properties.names.filter { !names.contains($0) }
    }
    return names
  }

  /// What changed although it is the same on the server, a sentence; nil if there is no such change.
  var unsent: String? {
    guard evidence.hasServerCopy, isOwn, isSame, !hasLinks, let changed, !changed.isEmpty else { return nil }
    // Objects at the other end have the links to one object, records of their own those between many.
    let isElsewhere = changed.allSatisfy { name in
      entity?.relationships.contains { $0.name == name && $0.description.isToMany } ?? false
    }
    return isElsewhere
      ? "Only \(changed.joined(separator: ", ")) changed, which \(Sentence.form(changed.count, "isn't", "aren't")) part of its record."
      : "The changed values (\(changed.joined(separator: ", "))) are the same on the server."
  }

  /// The object's own values first, then its links and the like.
  var reasons: [String] {
    let own: Set<PendingItem.Kind> = [.upload, .cloudDelete, .unanalyzed, .unregistered]
    let kinds = PendingItem.Kind.allCases
    return (kinds.filter(own.contains) + kinds.filter { !own.contains($0) }).flatMap { kind in
      reasons(kind, evidence.pending.filter { $0.kind == kind })
    }
  }

  private func reasons(_ kind: PendingItem.Kind, _ items: [PendingItem]) -> [String] {
    guard let first = items.first else { return [] }
    let count = items.count
    switch kind {
    case .upload where evidence.exists == true && first.entity != nil && first.transaction != nil:
      return [
        evidence.hasServerCopy
          ? "Changed\(who(first)) after its last export\(lastly(after: first))."
          : "\(verb(first))\(who(first)) and never uploaded."
      ]
    case .unanalyzed where first.maySkip:
      return [
        """
        Deleted\(who(first)), and its record is still here. Without a history token, the next export \
        processes its insertion again, too, and may skip the deletion.
        """
      ]
    case .unanalyzed where first.isRepeated:
      return [
        """
        \(verb(first))\(who(first)) and exported before; without a history token, the next export processes \
        all of history again.\(comparison.modified == nil ? " The server probably has it already." : "")
        """
      ]
    case .unanalyzed where startsOver:
      return [
        "\(verb(first))\(who(first)); without a history token, the next export processes all of history."
      ]
    case .unanalyzed: return ["\(verb(first))\(who(first)), after the last export."]
    case .cloudDelete where first.since == nil && first.mayBeOlder:
      return [
        "Deleted; the history that showed who and when was purged. The server still has its record."
      ]
    case .cloudDelete: return ["Deleted\(who(first)); the server still has its record."]
    case .link:
      return [
        "\(Sentence.count(count, "link")) of it \(Sentence.form(count, "isn't", "aren't")) on the server yet."
      ]
    case .linkDelete:
      return [
        "\(Sentence.count(count, "removed link")) of it \(Sentence.form(count, "is", "are")) still on the server."
      ]
    case .moveReceipt:
      return [
        "It moved to another zone; \(Sentence.count(count, "old record")) of it must still be deleted on the server."
      ]
    default: return items.map(\.reason)
    }
  }

  /// The newest of the changes, if there are several.
  private func lastly(after item: PendingItem) -> String {
    guard let first = item.transaction,
      let last = evidence.changes.facts.last(where: { $0.origin == .app && $0.transaction ?? 0 > first }),
      let at = last.at?.iso8601
    else { return "" }
    return ", most recently\(last.by) at \(at)"
  }

  private func who(_ item: PendingItem) -> String {
    let change = change(of: item)
    return (change?.by ?? TracedChanges.Fact.by(item.author, nil))
      + (item.since?.iso8601.map { " at \($0)\(item.mayBeOlder ? " or earlier" : "")" } ?? "")
  }

  /// What the transaction did that the object is pending for.
  private func verb(_ item: PendingItem) -> String {
    switch change(of: item)?.kind {
    case .insert: "Inserted"
    case .delete: "Deleted"
    case .update: "Changed"
    case nil: evidence.exists == true ? "Saved" : "Deleted"
    }
  }

  private func change(of item: PendingItem) -> TracedChanges.Fact? {
    evidence.changes.facts.last { $0.transaction != nil && $0.transaction == item.transaction }
  }
}
