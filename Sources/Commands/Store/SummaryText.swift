import Diagnostics
import Evidence
import Lens
import Rendering
import StoreModel
import SystemCalls
import Values

/// What people read first: what the store is, how its sync stands, its numbers, and its objects by entity.
struct SummaryText {
  let summary: StoreSummary
  let isVerbose: Bool

  private var store: CoreDataStore { summary.store }
  private var files: StoreFiles { summary.opened.files }

  func blocks() -> [Document.Block] {
    var blocks: [Document.Block] = [.heading(title)]
    if files.header.usesWAL, files.wal == nil {
      blocks.append(
        .text("No -wal file next to it: if it was copied without it, newer commits are missing."))
    }
    blocks += [verdict, .text(""), .facts(facts)]
    let tally = tally
    if !tally.isEmpty { blocks += [.text(""), .tally(tally)] }
    if files.hasHotJournal {
      blocks += [.text(""), .text("An unfinished transaction in the -journal is rolled back in memory.")]
    }
    if let tail = summary.wal?.tail, tail != .end, isVerbose || tail != .earlierGeneration {
      blocks += [.text(""), .text("The WAL's end: \(tail.sentence)")]
    }
    if isVerbose { blocks += [.heading("Details"), .pairs(details)] }
    return blocks
  }

  /// `Journeys.store · Core Data, mirrored to CloudKit`
  private var title: String {
    let kind = store.framework + (summary.mirror == nil ? "" : ", mirrored to CloudKit")
    return "\(Platform.fileName(summary.identity.path)) · \(kind)"
  }

  private var verdict: Document.Block {
    guard let mirror = summary.mirror else { return .state(word: "Not mirrored", rest: " to CloudKit.", nil) }
    let verdict = mirror.verdict
    var rest = verdict.rest(namesError: false) + "."
    if let pending = mirror.pending, pending > 0 {
      let since = mirror.oldest.flatMap(\.iso8601).map { " since \($0)" } ?? ""
      rest += " \(Sentence.count(pending, "change")) pending\(since) ('pending')."
    }
    return .state(word: verdict.word, rest: rest, verdict.color)
  }

  private var facts: [(name: String, text: String)] {
    let counts = store.schema.entities.map { summary.rows[$0.number] ?? 0 }
    let objects = Sentence.number(counts.reduce(0, +))
    let filled = counts.count { $0 > 0 }
    var facts: [(String, String)] = [
      ("objects", "\(objects) in \(filled) of \(Sentence.count(counts.count, "entity", "entities"))"),
      ("history", history), ("size", size), ("model", model),
    ]
    if let mirror = summary.mirror {
      let scope = mirror.scope.map { "\($0.name), " } ?? ""
      facts.append(
        (
          "mirror",
          "\(scope)\(Sentence.count(mirror.records, "record")) in \(Sentence.count(mirror.zones, "zone"))"
        ))
    }
    if let last = summary.history?.last?.iso8601 { facts.append(("last save", last)) }
    if let version = summary.identity.frameworkVersion {
      facts.append(("written by", FrameworkRelease.text(version)))
    }
    if let holder = summary.opened.holder { facts.append(("open by", holder.description)) }
    return facts
  }

  private var history: String {
    guard let history = summary.history else { return "none" }
    let since = history.first?.iso8601.map { " since \($0.prefix(10))" } ?? ""
    return Sentence.count(history.transactions, "transaction") + since
  }

  private var size: String {
    let main = TextForPeople.bytes(files.main.size)
    guard files.header.usesWAL else { return "\(main), rollback journal" }
    guard let wal = files.wal, wal.size > 0 else { return files.wal == nil ? "\(main), no WAL" : "\(main), empty WAL" }
    let commits = summary.wal.map { " (\(Sentence.count($0.commits.count, "commit")))" } ?? ""
    return "\(main) + \(TextForPeople.bytes(wal.size)) in the WAL\(commits)"
  }

  private var model: String {
    let identifiers = store.versionIdentifiers.joined(separator: ", ")
    let source =
      switch store.modelSource {
      case .cache: "from the store"
      case .file(_, let version): "from the file given, version '\(version)'"
      case .tables(let why): "guessed from the tables, as Z_MODELCACHE is \(why)"
      }
    return identifiers.isEmpty ? source : "\(identifiers), \(source)"
  }

  private var details: [(String, DataValue)] {
    var details: [(String, DataValue)] = [
      ("store", .optional(summary.identity.uuid)), ("framework", .optional(summary.identity.frameworkVersion)),
      ("journal", .text(files.header.usesWAL ? "WAL" : "rollback journal")),
      ("page size", .count(files.header.pageSize)),
    ]
    if let wal = summary.wal { details.append(("WAL frames", .count(wal.frameCount))) }
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
