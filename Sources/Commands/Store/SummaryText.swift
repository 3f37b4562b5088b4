import Base
import Diagnostics
import Evidence
import Lens
import Rendering
import StoreModel

/// What people read first: what the store is, how its sync stands, its numbers, and its objects by entity.
struct SummaryText {
  let summary: StoreSummary
  let isVerbose: Bool

  private var store: CoreDataStore { summary.store }
  private var cautions: [Document.Block] { summary.cautions.damageBlocks + summary.cautions.walBlocks }
  private var files: StoreFiles { summary.opened.files }

  func blocks() -> [Document.Block] {
    var blocks: [Document.Block] = [.heading(title)]
    // Many stores of a device have the same name.
    if let address = StoreAddress(summary.identity.path) {
      blocks.append(.text("In \(address.container): \(address.path)"))
    }
    if let keeper = summary.keeper.text { blocks.append(.text(keeper)) }
    blocks += cautions + [verdict, .text(""), .facts(facts)]
    let tally = tally
    if !tally.isEmpty { blocks += [.text(""), .tally(tally)] }
    if files.hasHotJournal {
      blocks += [.text(""), .text("An unfinished transaction in the -journal is rolled back in memory.")]
    }
    if let tail = summary.wal?.tail, tail != .end, isVerbose || tail != .earlierGeneration,
      summary.cautions.damage?.part != .wal
    {
      blocks += [.text(""), .text("The WAL's end: \(tail.sentence)")]
    }
    if isVerbose { blocks += [.heading("Details"), .pairs(details)] }
    return blocks
  }

  /// `Journeys.store · Core Data, mirrored to CloudKit`; an earlier state says so.
  private var title: String {
    let kind = store.framework + (summary.mirror == nil ? "" : ", mirrored to CloudKit")
    let state = summary.commitsAgo.flatMap(Session.asOf).map { " · \($0)" } ?? ""
    return "\(Platform.fileName(summary.identity.path)) · \(kind)\(state)"
  }

  private var verdict: Document.Block {
    guard let mirror = summary.mirror else {
      return .state(word: "Not mirrored", rest: { _ in " to CloudKit." }, nil)
    }
    let verdict = mirror.verdict
    let rest = verdict.rest(namesError: false) + "." + (verdict.wipe.map { " \($0)" } ?? "")
    guard let pending = mirror.pending, pending > 0 else {
      return .state(word: verdict.word, rest: { _ in rest }, verdict.color)
    }
    let changes = " \(Sentence.count(pending, "change")) pending"
    let repeated =
      switch mirror.repeated {
      case 0: ""
      case pending: ", probably on the server already"
      default: ", \(Sentence.number(mirror.repeated)) of them probably on the server already"
      }
    return .state(
      word: verdict.word,
      rest: { dates in
        let earlier = mirror.mayBeOlder ? " or earlier" : ""
        let since = mirror.oldest.map { " since \(dates.day($0))\(earlier)" } ?? ""
        return rest + changes + since + repeated + " ('pending')."
      }, verdict.color)
  }

  /// Long ones to the left, as two of them share a line.
  private var facts: [(name: String, text: (DateText) -> String)] {
    let counts = store.schema.entities.map { summary.rows[$0.number] ?? 0 }
    let objects = Sentence.number(counts.reduce(0, +))
    let filled = counts.count { $0 > 0 }
    let entities = Sentence.count(counts.count, "entity", "entities")
    var facts: [(String, (DateText) -> String)] = [
      ("objects", { _ in "\(objects) in \(filled) of \(entities)" }), ("model", { _ in model }),
      ("history", history),
    ]
    if let last = summary.history?.last {
      facts.append(("last save", { dates in dates.minute(last) + dates.zone }))
    }
    facts.append(("size", { _ in size }))
    if let version = summary.identity.frameworkVersion {
      facts.append(("written by", { _ in FrameworkRelease.text(version) }))
    }
    if let mirror = summary.mirror {
      let scope = mirror.scope.map { "\($0.name), " } ?? ""
      let records = Sentence.count(mirror.records, "record")
      facts.append(
        ("mirror", { _ in "\(scope)\(records) in \(Sentence.count(mirror.zones, "zone"))" }))
    }
    if let external = summary.externalBytes, external > 0 {
      facts.append(("external", { _ in "\(Sentence.size(external)) of it in files" }))
    }
    if let holder = summary.opened.holder { facts.append(("open by", { _ in holder.description })) }
    return facts
  }

  private func history(_ dates: DateText) -> String {
    guard let history = summary.history else { return "none" }
    let since = history.first.map { " since \(dates.day($0))" } ?? ""
    return Sentence.count(history.transactions, "transaction") + since
  }

  private var size: String {
    let wal = files.wal?.size ?? 0
    // Pages of an earlier state are in today's files.
    let today = summary.commitsAgo == nil ? "" : " today"
    let all = files.main.size.addingClamped(wal).addingClamped(summary.externalBytes ?? 0)
    return "\(Sentence.size(all))\(today), \(journal(wal))"
  }

  private func journal(_ wal: Int64) -> String {
    guard files.header.usesWAL else { return "rollback journal" }
    if wal == 0 { return files.wal == nil ? "no WAL" : "empty WAL" }
    return "\(Sentence.size(wal)) of it in the WAL"
  }

  private var model: String {
    let identifiers = store.versionIdentifiers.joined(separator: ", ")
    let version = identifiers.isEmpty ? "" : "version \(identifiers)"
    switch store.modelSource {
    case .cache: return version.isEmpty ? "cached in the store" : version
    case .file(_, let name): return "version '\(name)' from the model file"
    // Why is one of the remarks.
    case .tables: return "guessed from the tables"
    }
  }

  private var details: [(String, DataValue)] {
    var details: [(String, DataValue)] = [
      ("store", .optional(summary.identity.uuid)),
      ("framework", .optional(summary.identity.frameworkVersion)),
      ("journal", .text(files.header.usesWAL ? "WAL" : "rollback journal")),
      ("page size", .count(files.header.pageSize)),
    ]
    if let wal = summary.wal {
      details += [("WAL commits", .count(wal.commits.count)), ("WAL frames", .count(wal.frameCount))]
    }
    if let history = summary.history { details.append(("changes", .count(history.changes))) }
    if let mirror = summary.mirror { details.append(("mirror layout", .text(mirror.layout.name))) }
    return details
  }

  // MARK: - Objects by entity

  private static let (mostEntities, mostChildren) = (40, 6)

  /// The hierarchies with most objects first; those without any are left out.
  private var tally: [(name: String, count: Int, note: String)] {
    let schema = store.schema
    func rows(_ entity: SchemaEntity) -> Int { summary.rows[entity.number] ?? 0 }
    var entries = schema.entities.filter { $0.parent.flatMap { schema[$0] } == nil }.compactMap {
      root -> (name: String, count: Int, note: String)? in
      let family = schema.descendants(of: root)
      let total = family.reduce(0) { $0 + rows($1) }
      guard total > 0 else { return nil }
      let children = family.filter { $0.number != root.number && rows($0) > 0 }
        .sorted { (rows($1), $0.name) < (rows($0), $1.name) }
      var note = children.prefix(Self.mostChildren).map { "\($0.name) \(Sentence.number(rows($0)))" }
      if children.count > Self.mostChildren { note.append("\(children.count - Self.mostChildren) more") }
      if !note.isEmpty, rows(root) > 0 { note.insert("itself \(Sentence.number(rows(root)))", at: 0) }
      return (root.name, total, note.joined(separator: ", "))
    }
    entries.sort { ($1.count, $0.name) < ($0.count, $1.name) }
    let more = entries.dropFirst(Self.mostEntities)
    guard !more.isEmpty else { return entries }
    let rest = more.reduce(0) { $0 + $1.count }
    return entries.prefix(Self.mostEntities)
      + [("\(more.count) more", rest, "'entities' lists them all")]
  }
}

extension Verdict {
  /// Of the word that the verdict begins with.
  var color: TextStyle.Color? {
    switch state {
    case .blocked: .red
    case .neverSetUp, .unknown: .yellow
    case .idle: .green
    case .waiting, .notMirrored: nil
    }
  }
}
