import Archives
import Diagnostics
import Evidence
import Lens
import Rendering
import StoreModel
import SystemCalls
import Values

extension Command {
  static let summary = Command(
    "summary", summary: "what is in a store: entities, history, mirror, files, model",
    options: [
      OptionDefinition(.commits, help: "list the commits in the WAL, newest first"),
      OptionDefinition(.metadata, help: "print all of the store's metadata"),
    ],
    discussion: """
      Rows are counted for exactly the entity named, sub-entities apart. The commits that --commits lists are what
      --as-of-commit N takes.
      """
  ) { invocation in
    let summary = try StoreSummary(invocation.store(), progress: invocation.progress)
    return Outcome(
      summary.document(
        showsCommits: invocation.arguments.has(.commits), showsMetadata: invocation.arguments.has(.metadata)
      ))
  }
}

/// What `summary` says of a store.
struct StoreSummary {
  let identity: StoreIdentity
  let store: CoreDataStore
  let opened: OpenedStore
  let rows: [Int64: Int]
  let history: HistorySummary?
  let wal: WALIndex?
  let mirror: MirrorSummary?

  init(_ session: Session, progress: Progress) throws {
    identity = try session.identity()
    let open = try session.open()
    store = open.store
    opened = try open.bytes()
    rows = try store.rowCounts { progress.phase("counting \($0)") }
    history = try HistorySummary(store, open.tables)
    wal = try opened.walIndex()
    progress.phase("reading the mirror")
    mirror = try open.mirror().map(MirrorSummary.init)
  }

  func document(showsCommits: Bool, showsMetadata: Bool) -> Document {
    var fields: [Document.Field] = [
      .init("entities", .array(entities)), .init("history", HistorySummary.value(history)),
      .init("mirror", mirror?.value ?? MirrorSummary.absent),
      .init("files", filesValue), .init("model", modelValue),
    ]
    var blocks: [Document.Block] = [
      .heading(Platform.fileName(identity.path)), .pairs(overview), .heading("Entities"),
      .table(RowStream(objects: entities, emptyText: "(no entities)")),
    ]
    if showsCommits {
      fields.append(.init("commits", .array(commits)))
      blocks += [
        .heading("Commits in the WAL, newest first"),
        .table(RowStream(objects: commits, emptyText: "(no commit in the WAL)")),
      ]
    }
    if showsMetadata {
      fields.append(.init("metadata", metadata))
      blocks += [.heading("Metadata"), .tree(metadata)]
    }
    let notes = opened.warnings + store.notes
    fields.append(.init("notes", .array(notes.map(DataValue.text))))
    if !notes.isEmpty { blocks += [.heading("Odd"), .text(notes.joined(separator: "\n"))] }
    return Document(
      command: "summary", store: identity, fields: fields, payload: showsCommits ? "commits" : "entities",
      blocks: blocks)
  }

  private var entities: [DataValue] {
    store.schema.entities.map { entity in
      .object(EntityDocument.facts(entity, in: store.schema, rows: rows[entity.number] ?? 0))
    }
  }

  private var modelValue: DataValue {
    [
      "source": .text(store.modelSource.name), "entities": .count(store.schema.entities.count),
      "identifiers": .array(store.versionIdentifiers.map(DataValue.text)),
    ]
  }

  private var filesValue: DataValue {
    [
      "journal": .text(opened.files.header.usesWAL ? "wal" : "rollback"),
      "pageSize": .count(opened.files.header.pageSize), "bytes": .integer(opened.files.main.size),
      "walBytes": .integer(opened.files.wal?.size ?? 0), "walFrames": .count(wal?.frameCount ?? 0),
      "walCommits": .count(wal?.commits.count ?? 0), "walTail": .optional(wal?.tail.name),
      "hotJournal": .bool(opened.files.hasHotJournal), "openedBy": .optional(opened.holder?.description),
    ]
  }

  private var commits: [DataValue] {
    (wal?.commits ?? []).reversed().enumerated().map { ago, commit in
      [
        "commitsAgo": .count(ago), "frame": .count(commit.frame), "pages": .integer(Int64(commit.pageCount)),
        "walBytes": .integer(commit.endOffset),
      ]
    }
  }

  private var metadata: DataValue { PropertyList.dictionary(store.metadata.entries).dataValue }

  private var overview: [(String, DataValue)] {
    let files = opened.files
    var journal = files.header.usesWAL ? "WAL" : "rollback journal"
    if let wal {
      journal +=
        ", \(Sentence.count(wal.commits.count, "commit")) in \(Sentence.count(wal.frameCount, "frame"))"
    }
    if files.hasHotJournal { journal += ", hot: an unfinished transaction is rolled back in memory" }
    var rows: [(String, DataValue)] = [
      ("store", .optional(identity.uuid)),
      ("framework", .optional(identity.frameworkVersion)),
      ("model", .text(modelText)),
      (
        "files",
        .text(
          "\(TextForPeople.bytes(files.main.size)), WAL \(TextForPeople.bytes(files.wal?.size ?? 0)), pages of \(files.header.pageSize) bytes"
        )
      ),
      ("journal", .text(journal)),
    ]
    if let tail = wal?.tail, tail != .end { rows.append(("WAL's end", .text(tail.sentence))) }
    if let holder = opened.holder { rows.append(("open by", .text(holder.description))) }
    rows.append(("history", .text(historyText)))
    rows.append(("mirror", .text(mirrorText)))
    return rows
  }

  private var modelText: String {
    let identifiers =
      store.versionIdentifiers.isEmpty ? "" : ", version \(store.versionIdentifiers.joined(separator: ", "))"
    let source =
      switch store.modelSource {
      case .cache: "the store's own"
      case .file(_, let version): "from the file given, version '\(version)'"
      case .tables(let why): "guessed from the tables, as Z_MODELCACHE is \(why)"
      }
    return "\(Sentence.count(store.schema.entities.count, "entity", "entities")), \(source)\(identifiers)"
  }

  private var mirrorText: String {
    guard let mirror else { return "none" }
    let scope = mirror.scope.map { "\($0.name) database, " } ?? ""
    let zones = Sentence.count(mirror.zones, "zone")
    return
      "\(mirror.verdict.state.rawValue): \(scope)\(Sentence.count(mirror.records, "record")) in \(zones), \(waitingText(mirror))"
  }

  private func waitingText(_ mirror: MirrorSummary) -> String {
    guard let pending = mirror.pending else {
      return "what waits isn't known: \(mirror.problem ?? "it can't be counted")"
    }
    let unscanned =
      mirror.unscanned == 0 ? "" : ", \(Sentence.count(mirror.unscanned, "row")) without a record"
    return "\(pending - mirror.unscanned) waiting\(unscanned); 'pending' tells more"
  }

  private var historyText: String {
    guard let history else { return "none" }
    let span = [history.first, history.last].compactMap { $0?.iso8601?.prefix(10) }.map(String.init)
    let range = span.count == 2 ? ", \(span[0]) to \(span[1])" : ""
    return
      "\(Sentence.count(history.transactions, "transaction")), \(Sentence.count(history.changes, "change"))\(range)"
  }
}
