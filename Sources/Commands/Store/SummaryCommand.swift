import Archives
import Diagnostics
import Evidence
import Lens
import Rendering
import StoreModel
import SystemCalls
import Values

extension Command {
  package static let summary = Command(
    "summary", summary: "what's in a store: objects, history, sync state, files, model",
    options: [
      OptionDefinition(.commits, help: "list the commits in the WAL, newest first"),
      OptionDefinition(.metadata, help: "print all of the store's metadata"),
    ],
    discussion: """
      An entity's count includes its sub-entities, which follow in parentheses; in JSON each entity's rows are its own.
      Empty entities are left out ('entities' lists all). --commits lists the commits for --as-of-commit N.
      """
  ) { invocation in
    let summary = try StoreSummary(
      invocation.store(), progress: invocation.progress, isVerbose: invocation.arguments.has(.verbose))
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
  /// If an earlier state is shown.
  let commitsAgo: Int?
  private let isVerbose: Bool

  init(_ session: Session, progress: Progress, isVerbose: Bool = false) throws {
    self.isVerbose = isVerbose
    identity = try session.identity()
    commitsAgo = session.asOfCommit.flatMap { $0 > 0 ? $0 : nil }
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
    var blocks = SummaryText(summary: self, isVerbose: isVerbose).blocks()
    if showsCommits {
      fields.append(.init("commits", .array(commits)))
      blocks += [
        .heading("Commits in the WAL, newest first; the last line is the store before them"),
        .table(RowStream(objects: commits, emptyText: "(no commit in the WAL)")),
      ]
    }
    if showsMetadata {
      fields.append(.init("metadata", metadata))
      blocks += [.heading("Metadata"), .tree(metadata)]
    }
    let notes = opened.warnings + store.notes
    fields.append(.init("notes", .array(notes.map(DataValue.text))))
    if !notes.isEmpty { blocks += [.heading("Notes"), .text(notes.joined(separator: "\n"))] }
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
    guard let commits = wal?.commits, !commits.isEmpty else { return [] }
    func value(_ ago: Int, _ frame: Int, _ pages: UInt32?, _ bytes: Int64) -> DataValue {
      [
        "commitsAgo": .count(ago), "frame": .count(frame), "pages": .optional(pages.map(Int64.init)),
        "walBytes": .integer(bytes),
      ]
    }
    let inWAL = commits.reversed().enumerated().map { ago, commit in
      value(ago, commit.frame, commit.pageCount, commit.endOffset)
    }
    // Before the first of them, the main file alone was the store.
    return inWAL + [value(commits.count, 0, opened.files.header.pageCount, 0)]
  }

  private var metadata: DataValue { PropertyList.dictionary(store.metadata.entries).dataValue }
}
