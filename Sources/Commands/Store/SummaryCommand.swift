import Archives
import Diagnostics
import Discovery
import Evidence
import Fleet
import Lens
import Rendering
import Reports
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
      invocation.store(), progress: invocation.progress, isVerbose: invocation.arguments.has(.verbose),
      datesCommits: invocation.arguments.has(.commits))
    return Outcome(
      summary.document(
        showsCommits: invocation.arguments.has(.commits), showsMetadata: invocation.arguments.has(.metadata)
      ).worded(invocation.wording))
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
  let cautions: FileCautions
  let keeper: StoreKeeper
  let mirror: MirrorSummary?
  /// Of the files of external values and of assets; nil if they can't be measured.
  let externalBytes: Int64?
  /// If an earlier state is shown.
  let commitsAgo: Int?
  private let isVerbose: Bool
  private let saves: [CommitSave]

  /// - Parameters:
  ///   - known: what was read of the store already; nil if nothing was.
  ///   - cautions: the same of its files.
  init(
    _ session: Session, progress: Progress, isVerbose: Bool = false, datesCommits: Bool = false,
    known: StoreExamination? = nil, cautions: FileCautions? = nil
  ) throws {
    self.isVerbose = isVerbose
    let saves = datesCommits ? try CommitSave.newest(session, progress) : []
    identity = try session.identity()
    let keeper = session.source.keeper
    self.keeper = known?.privacy.showsValues == false ? keeper.withoutDevice : keeper
    commitsAgo = session.asOfCommit.flatMap { $0 > 0 ? $0 : nil }
    let open = try session.open()
    store = open.store
    opened = try open.bytes()
    rows = try known?.rows ?? store.rowCounts { progress.phase("counting \($0)") }
    history = try known?.history ?? HistorySummary(store, open.tables)
    wal = try opened.walIndex()
    self.cautions = try cautions ?? FileCautions(opened)
    let newest = try HistoryReader(store, open.tables)?.transactions.newestTransaction()
    // Else something was written since they were read.
    self.saves = commitsAgo != nil || saves.first?.transaction == newest ? saves : []
    let folders = try? StoreParts(path: opened.files.resolvedPath).folderSizes()
    externalBytes = folders.map { $0.external.addingClamped($0.assets) }
    progress.phase("reading the mirror")
    mirror = try known?.summary ?? open.mirror().map(MirrorSummary.init)
  }

  func document(showsCommits: Bool, showsMetadata: Bool) -> Document {
    var fields: [Document.Field] =
      [
        .init("entities", .array(entities)), .init("history", HistorySummary.value(history)),
        .init("mirror", mirror?.value ?? MirrorSummary.absent),
        .init("files", filesValue), .init("model", modelValue), cautions.field,
      ] + keeper.fields
    var blocks = SummaryText(summary: self, isVerbose: isVerbose).blocks()
    if showsCommits {
      fields.append(.init("commits", .array(commits)))
      blocks += [
        .heading("Commits in the WAL, newest first; the last line is the store before them"),
        .table(RowStream(objects: commits, emptyText: "(no commit in the WAL)").toTheMinute()),
      ]
      if let commitNote { blocks.append(.text(commitNote)) }
    }
    if showsMetadata {
      fields.append(.init("metadata", metadata))
      blocks += [.heading("Metadata"), .tree(metadata)]
    }
    let notes = opened.warnings + store.notes
    fields.append(.init("notes", .array(notes.map(DataValue.text))))
    if !notes.isEmpty { blocks += [.heading("Remarks"), .text(notes.joined(separator: "\n"))] }
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
      "externalBytes": .optional(externalBytes), "hotJournal": .bool(opened.files.hasHotJournal),
      "openedBy": .optional(opened.holder?.description),
    ]
  }

  private var commits: [DataValue] {
    guard let commits = wal?.commits, !commits.isEmpty else { return [] }
    func value(_ ago: Int, _ frame: Int, _ pages: UInt32?, _ bytes: Int64) -> DataValue {
      let save = saves.indices.contains(ago) ? saves[ago] : nil
      return [
        "commitsAgo": .count(ago), "saved": .optional(save?.time),
        "transaction": .optional(save?.transaction),
        "frame": .count(frame), "pages": .optional(pages.map(Int64.init)), "walBytes": .integer(bytes),
      ]
    }
    let inWAL = commits.reversed().enumerated().map { ago, commit in
      value(ago, commit.frame, commit.pageCount, commit.endOffset)
    }
    // Before the first of them, the main file alone was the store.
    return inWAL + [value(commits.count, 0, opened.files.header.pageCount, 0)]
  }

  private var commitNote: String? {
    guard !saves.isEmpty, let commits = wal?.commits.count, commits > 0 else { return nil }
    let note = "A commit has no time of its own: 'saved' is when the newest transaction in it was saved."
    guard saves.count <= commits else { return note }
    return saves.count > CommitSave.most
      ? "\(note) It is determined for the newest \(saves.count) only."
      : "\(note) From \(Sentence.count(saves.count, "commit")) ago on it is unknown, as the store can't be read as of then."
  }

  private var metadata: DataValue { PropertyList.dictionary(store.metadata.entries).dataValue }
}

/// The newest transaction in a state of the store.
struct CommitSave {
  var transaction: Int64?
  var time: CoreDataDate?

  /// Each state takes as long as opening the store.
  fileprivate static let most = 20

  /// Of the newest commits, the newest first, as far as their states can be determined. To be called before the store is
  /// opened, as it opens and closes the store's files: see `OpenFile`.
  static func newest(_ session: Session, _ progress: Progress) throws -> [Self] {
    var saves: [Self] = []
    while saves.count <= most {
      let state = Session(session.source, asOfCommit: saves.count, goesOn: { !Interruption.isRequested })
      do {
        progress.phase("reading earlier commits")
        let open = try state.open()
        let transactions = try HistoryReader(open.store, open.tables)?.transactions
        let newest = try transactions?.newestTransaction()
        saves.append(Self(transaction: newest, time: try newest.flatMap { try transactions?.time(of: $0) }))
        try state.finish()
      } catch {
        try Interruption.check()
        break
      }
    }
    return saves
  }
}
