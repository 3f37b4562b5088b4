import Base

/// How a store is doing, in one word that managers and customers understand.
package enum Health: String, Sendable, CaseIterable {
  /// Nothing to do: no findings, or notes.
  case healthy
  /// Warnings, failures that usually pass, or something that couldn't be checked.
  case needsAttention
  /// Sync stands still until somebody acts.
  case blocked
  /// Damage, or an error that may cost data.
  case atRisk

  package var word: String {
    switch self {
    case .healthy: "Healthy"
    case .needsAttention: "Needs attention"
    case .blocked: "Blocked"
    case .atRisk: "At risk"
    }
  }

  /// `3 in need of attention`
  package var counted: String { self == .needsAttention ? "in need of attention" : word.lowercased() }
}

extension Conclusion {
  /// The word for a whole examination.
  package var health: Health {
    if damage != nil { return .atRisk }
    if verdict?.state == .blocked { return .blocked }
    switch diagnosis.worst() {
    case .error: return .atRisk
    case .warning: return .needsAttention
    case .info, nil: break
    }
    guard isChecked, verdict?.passing.isEmpty ?? true else { return .needsAttention }
    return switch verdict?.state {
    case .unknown: .needsAttention
    case .neverSetUp: verdict?.obstacles.isEmpty == true ? .healthy : .needsAttention
    case .idle, .waiting, .blocked, .notMirrored, nil: .healthy
    }
  }

  /// The word for people. What the server refuses may leave no trace in a mirror's tables, so a mirrored store isn't
  /// called healthy.
  package var word: String { isQuietMirror ? "No problems found" : health.word }

  private var isQuietMirror: Bool { health == .healthy && mirror != nil }

  /// What follows the word: the worst news, in a sentence or two.
  package var news: String {
    [mainNews, diagnosis.unchecked(problem)].compactMap(\.self).joined(separator: " ")
  }

  private var mainNews: String {
    let failing = verdict?.state == .blocked ? nil : verdict?.passing.first?.why
    switch health {
    case .blocked: return [Self.begun(blockage), moreErrors].compactMap(\.self).joined(separator: " ")
    case .atRisk:
      guard let damage else { return [worst, failing].compactMap(\.self).joined(separator: " ") }
      return verdict?.state == .blocked ? "\(damage) Sync is blocked: \(blockage)" : damage
    case .needsAttention:
      if diagnosis.worst() == .warning { return [failing, worst].compactMap(\.self).joined(separator: " ") }
      return failing ?? state
    case .healthy: return state
    }
  }

  /// With a capital letter, unless it begins with a name such as `iCloud`.
  private static func begun(_ text: String) -> String {
    text.dropFirst().first?.isUppercase == true ? text : Sentence.begun(text)
  }

  /// How sync stands where no rule found a problem.
  private var state: String {
    // The word has said it.
    let noProblems = isQuietMirror ? missingWAL : noProblems
    func found(_ state: String) -> String { [noProblems, state].compactMap(\.self).joined(separator: " ") }
    return switch verdict?.state {
    case .waiting: found("Nothing in the store blocks the next export.")
    case .neverSetUp:
      verdict?.obstacles.first.map { "Mirroring isn't set up: \($0.cause)." }
        ?? found("Mirroring isn't set up.")
    case .unknown: "The state of sync is unknown: \(verdict?.because.first ?? "")"
    case .idle: found(verdict?.because.first ?? "")
    case .blocked: Self.begun(blockage)
    case .notMirrored, nil: isChecked ? noProblems ?? "" : "No problems were found in what was checked."
    }
  }

  /// What exists on this device only, unless `news` says so already.
  package var unsent: String? {
    guard health != .blocked, let pending = mirror?.pending, pending > 0 else { return nil }
    return mirror?.repeatsUploads == true
      ? "\(Sentence.count(pending, "change is", "changes are")) pending, some of which may already be on the server."
      : "\(Sentence.count(pending, "change exists", "changes exist")) only on this device so far."
  }

  /// What to do first; nil if there is nothing to do.
  package var fix: String? {
    if health == .blocked, let fix = verdict?.obstacles.first?.fix { return fix }
    let finding = diagnosis.findings.first { $0.rule.severity != .info }
    return finding?.rule.remedy ?? verdict?.passing.first?.fix
      ?? (health == .needsAttention ? verdict?.obstacles.first?.fix : nil)
  }
}
