import Lens
import Values

/// What is pending of an object, in words.
struct PendingSentences {
  private let evidence: ObjectEvidence
  private let comparison: ServerComparison
  /// Whether the next export begins without a history token.
  private let startsOver: Bool

  init(_ evidence: ObjectEvidence, _ comparison: ServerComparison, startsOver: Bool) {
    (self.evidence, self.comparison, self.startsOver) = (evidence, comparison, startsOver)
  }

  /// When the oldest of it was saved.
  var since: CoreDataDate? { evidence.pending.compactMap(\.since).min() }

  /// What the server has, compared with here.
  func standing(_ exists: Bool) -> String {
    guard exists else { return evidence.hasServerCopy ? "deleted here, still on the server" : "deleted here" }
    guard evidence.hasServerCopy else { return "not on the server" }
    if !comparison.differences.isEmpty { return "older on the server than here" }
    // A new link flags the objects at its ends as well.
    let hasLinks = evidence.pending.contains { $0.kind == .link || $0.kind == .linkDelete }
    let isOwn = evidence.pending.contains { [.upload, .unanalyzed, .cloudDelete].contains($0.kind) }
    let isSame = comparison.isCompared && comparison.notCompared.isEmpty
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
