import Base
import Diagnostics
import Lens
import Rendering
import Reports
import StoreModel

/// What `doctor` says of one store. Complete when it is made: the store may be closed then.
struct DoctorDocument {
  let identity: StoreIdentity
  let diagnosis: Diagnosis
  /// One of `Conclusion.outcomes`.
  let outcome: String
  /// What people read, without the last line.
  private(set) var blocks: [Document.Block] = []
  private let run: DoctorRun
  private let wording: CommandWording
  private let titles: FindingTitles

  /// - Parameters:
  ///   - conclusion: what matters first.
  ///   - wording: puts the commands in remedies as they can be typed.
  init(
    _ diagnosis: Diagnosis, of identity: StoreIdentity, in run: DoctorRun, _ conclusion: Conclusion,
    wording: CommandWording, titles: FindingTitles
  ) throws {
    self.identity = identity
    self.diagnosis = diagnosis
    self.run = run
    self.wording = wording
    self.titles = titles
    outcome = conclusion.outcome
    // What was asked comes first.
    blocks = (run.assumesCloudKit ? [.text(modelForCloudKit)] : []) + (try blocks(conclusion.text))
  }

  private var isVerbose: Bool { run.invocation.isVerbose }

  /// What came of `--assume-cloudkit`, also if nothing did.
  private var modelForCloudKit: String {
    let rule = Rule.cloudKitModelIncompatible.id
    if let breaches = (diagnosis.findings + diagnosis.accepted).first(where: { $0.rule.id == rule })?.count {
      return
        "CloudKit: the model breaks its rules \(Sentence.count(breaches, "time")), so setting up the mirror would fail with 134060."
    }
    if let skipped = diagnosis.skipped.first(where: { $0.rule == rule }) {
      return "CloudKit: the model couldn't be checked: \(skipped.because)"
    }
    return diagnosis.checked.contains(rule)
      ? "CloudKit: the model follows its rules; nothing in it keeps the store from being mirrored."
      : "CloudKit: the model wasn't checked, as --rule leaves out \(rule)."
  }

  var hasFailed: Bool {
    guard let failsAt = run.failsAt, let worst = diagnosis.worst() else { return false }
    return worst >= failsAt
  }

  /// For a run over this store alone.
  func document() -> Document {
    var document = Document(
      command: "doctor", store: identity, fields: fields, payload: "findings", blocks: blocks)
    document.isLimited = false
    if !isVerbose, !diagnosis.findings.isEmpty {
      document.blocks.append(.text(wording.worded(run.hint)))
    }
    document.special = run.special([examined])
    return document
  }

  var fields: [Document.Field] { Document.fields(Diagnosis.fields, of: diagnosis) }

  /// For reports, with remedies whose commands can be pasted.
  var examined: ExaminedStore {
    var diagnosis = diagnosis
    for index in diagnosis.findings.indices {
      diagnosis.findings[index].rule.remedy = wording.worded(diagnosis.findings[index].rule.remedy)
    }
    return ExaminedStore(path: identity.path, uuid: identity.uuid, outcome: .examined(diagnosis))
  }

  private func blocks(_ conclusion: String) throws -> [Document.Block] {
    let counts = Severity.allCases.map { ($0, diagnosis.count($0)) }.filter { $0.1 > 0 }
      .map { Sentence.count($0.1, $0.0.noun) }
    let known = (diagnosis.findings + diagnosis.accepted).map(\.known).reduce(0, +)
    let new = counts.joined(separator: ", ") + (diagnosis.isCompared && !counts.isEmpty ? " new" : "")
    let found = [
      new, known > 0 ? "\(Sentence.number(known)) in the baseline" : "", resolvedText,
    ].filter { !$0.isEmpty }.joined(separator: ", ")
    // Most healthy stores have a note, which doesn't need to be counted.
    let hasOnlyNotes = !diagnosis.isCompared && diagnosis.worst() == .info
    var blocks: [Document.Block] = [
      .text(
        found.isEmpty || hasOnlyNotes
          ? "\(conclusion) \(checkedText)." : "\(conclusion)\n\(found) (\(checkedText))")
    ]
    if !diagnosis.findings.isEmpty {
      blocks.append(.items(try diagnosis.findings.map { try item($0, below: conclusion) }))
    }
    if isVerbose, !diagnosis.skipped.isEmpty {
      blocks += [.heading("Skipped"), .pairs(reasons)]
    }
    return blocks
  }

  /// `2 rules of the baseline find nothing anymore (token-missing, wal-missing)`
  private var resolvedText: String {
    let resolved = diagnosis.resolved.map(\.id)
    guard !resolved.isEmpty else { return "" }
    let named = resolved.prefix(3).joined(separator: ", ")
    let more = resolved.count > 3 ? " and \(resolved.count - 3) more" : ""
    return "\(Sentence.number(resolved.count)) no longer found: \(named)\(more)"
  }

  // MARK: - What was checked

  /// `28 rules checked; 44 about CloudKit skipped: not mirrored`, or with more than one reason `23 rules checked; 65
  /// skipped: 52 about CloudKit, 6 about history, 7 for other reasons; --verbose shows why`. It may stand in parentheses, so
  /// it has none.
  private var checkedText: String {
    var parts = ["\(Sentence.count(diagnosis.checked.count, "rule")) checked"]
    let skipped = diagnosis.skipped.filter { !$0.isPartial }
    let usual = [
      (Need.notMirrored, "about CloudKit", "not mirrored"),
      (Need.noHistory, "about history", "no history kept"),
    ]
    let met = usual.map { usual in (usual, skipped.count { $0.because == usual.0 }) }.filter { $0.1 > 0 }
    let others = skipped.count - met.reduce(0) { $0 + $1.1 }
    if met.count == 1, others == 0, let ((_, subject, why), count) = met.first {
      parts.append("\(count) \(subject) skipped: \(why)")
    } else if !met.isEmpty {
      let kinds = met.map { "\($0.1) \($0.0.1)" } + (others > 0 ? ["\(others) for other reasons"] : [])
      parts.append("\(skipped.count) skipped: \(kinds.joined(separator: ", "))")
    } else if others > 0 {
      parts.append("\(others) skipped")
    }
    let partly = diagnosis.skipped.count - skipped.count
    if partly > 0 { parts.append("\(partly) checked only in part") }
    if !isVerbose, met.count > 1 || others + partly > 0 { parts.append("--verbose shows why") }
    return parts.joined(separator: "; ")
  }

  /// The rules that share a reason in one line.
  private var reasons: [(String, DataValue)] {
    diagnosis.skippedByReason.map { reason, rules in
      (
        rules.count > 3 ? Sentence.count(rules.count, "rule") : rules.joined(separator: ", "),
        .text(reason.because)
      )
    }
  }

  // MARK: - Findings

  private func item(_ finding: Finding, below conclusion: String) throws -> ListedItem {
    let rule = finding.rule
    let message = finding.message
    var item = ListedItem(
      rule.severity.grade, mark: rule.severity.noun, name: rule.id, titles: [rule.title])
    guard isVerbose || rule.severity != .info else {
      item.titles = [message]
      return item
    }
    if conclusion.contains(message) {
      // The answer has the message already.
    } else if Self.words(rule.title).isSubset(of: Self.words(message)) {
      // A title that the message repeats word by word says nothing.
      item.titles = [message]
    } else {
      item.lines = [.text(message)]
    }
    if !finding.objects.isEmpty {
      item.lines.append(
        .objects(try titles.objects(of: finding, atMost: run.shown), more: hidden(in: finding)))
    }
    if isVerbose {
      item.lines += [.labeled("Why", rule.why), .labeled("Next launch", rule.nextLaunch)]
    }
    item.lines.append(.labeled("Fix", wording.worded(rule.remedy)))
    if isVerbose {
      item.lines += [.labeled("Confidence", rule.evidence), .labeled("False positives", rule.falsePositives)]
      item.lines += try evidence(finding)
    }
    return item
  }

  private static func words(_ text: String) -> Set<Substring> {
    Set(text.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "'" })
  }

  /// How many objects aren't named.
  private func hidden(in finding: Finding) -> Int {
    // Beyond the limit only findings are counted, of which an object may have several.
    let all = finding.evidence.count == finding.count ? finding.objects.count : finding.count
    return max(0, all - min(run.shown, finding.objects.count))
  }

  private func evidence(_ finding: Finding) throws -> [ListedItem.Line] {
    let rows = try titles.rows(of: finding, atMost: run.shown)
    guard let first = rows.first else { return [] }
    guard rows.count > 1 else {
      let cells = first.map { "\($0.name): \(CellText.of($0.value, dates: run.invocation.dates))" }
      return cells.isEmpty ? [] : [.labeled("Evidence", cells.joined(separator: ", "))]
    }
    let more = finding.count - rows.count
    var stream = RowStream(objects: rows.map(DataValue.object))
    if more > 0 {
      let all = finding.count
      stream.footer = { _, _, _ in "… and \(Sentence.number(more)) more: --limit \(all) lists them" }
    }
    return [.text("Evidence:"), .table(stream)]
  }
}

/// The objects of findings, by names and titles instead of URIs.
struct FindingTitles {
  private let store: CoreDataStore
  private let titles: ObjectTitles

  init(_ store: CoreDataStore) {
    self.store = store
    titles = ObjectTitles(store)
  }

  /// Members that only the message needs, or that repeat what the program knows of the error.
  private static let ofMessages: Set = [
    "subject", "runs", "age", "all", "how", "more", "size", "what", "meaning", "who",
  ]

  func objects(of finding: Finding, atMost limit: Int) throws -> [(name: String, title: String?)] {
    try finding.objects.prefix(limit).map { uri in (TextForPeople.objectName(ofURI: uri), try title(uri)) }
  }

  /// The evidence without what says nothing to people: keys that the object's name has, texts that the message has, and
  /// columns without a value.
  func rows(of finding: Finding, atMost limit: Int) throws -> [[DataValue.Member]] {
    let objects = finding.evidence.prefix(limit).map { row -> [DataValue.Member] in
      guard case .object(let members) = row else { return [] }
      return members
    }
    let known = Set(
      objects.joined().filter { $0.value != .null && $0.value.text != "" }.map(\.name))
    var hidden = Self.ofMessages
    if known.contains("uri") { hidden.formUnion(["entity", "pk"]) }
    return try objects.map { members in
      try members.compactMap { member in
        guard known.contains(member.name), !hidden.contains(member.name) else { return nil }
        if let text = member.value.text {
          if member.name == "uri" {
            let title = try title(text).map { " \"\($0)\"" } ?? ""
            return DataValue.Member("object", .text(TextForPeople.objectName(ofURI: text) + title))
          }
          // One row of several would have an empty cell.
          if objects.count == 1, text.utf8.count > 30, finding.message.contains(text) { return nil }
        }
        return member
      }
    }
  }

  private func title(_ uri: String) throws -> String? {
    guard let parsed = ObjectURI(uri), case .permanent(let key) = parsed.key,
      parsed.storeUUID.uppercased() == store.uuid.uppercased(), let entity = store.schema[parsed.entity]
    else { return nil }
    return try titles.title(of: ObjectKey(entity: entity.number, primaryKey: key))
  }
}
