import Archives
import Base
import Diagnostics
import Discovery
import Evidence
import Fleet
import Lens
import Rendering
import Reports
import StoreModel

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
      """,
    documents: [
      DocumentForm(
        "without --commits", payload: "entities", StoreSummary.fields(showsCommits: false).keys()),
      DocumentForm("with --commits", payload: "commits", StoreSummary.fields(showsCommits: true).keys()),
    ]
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
    var blocks = SummaryText(summary: self, isVerbose: isVerbose).blocks()
    if showsCommits {
      blocks += [
        .heading("Commits in the WAL, newest first; the last line is the store before them"),
        .table(RowStream(objects: commits.map(\.value), emptyText: "(no commit in the WAL)").toTheMinute()),
      ]
      if let commitNote { blocks.append(.text(commitNote)) }
    }
    if showsMetadata {
      blocks += [.heading("Metadata"), .tree(metadata)]
    }
    if !notes.isEmpty { blocks += [.heading("Remarks"), .text(notes.joined(separator: "\n"))] }
    return Document(
      command: "summary", store: identity, payload: showsCommits ? "commits" : "entities",
      Self.fields(showsCommits: showsCommits), of: (self, showsMetadata), blocks: blocks)
  }

  private var notes: [String] { opened.warnings + store.notes }

  fileprivate static func fields(
    showsCommits: Bool
  ) -> [Field<(summary: StoreSummary, showsMetadata: Bool)>] {
    let commits: [Field<Self>] = [Field("commits", "the commits in the WAL, newest first") { $0.commits }]
    return Field.list(
      own.of { $0.summary }, showsCommits ? commits.of { $0.summary } : [],
      [
        Field(
          "metadata", .map(.any), "the store's own metadata, as the framework wrote it",
          if: "--metadata is given"
        ) { $0.showsMetadata ? Optional($0.summary.metadata) : Optional.none },
        Field("notes", "what is odd about the store or its opening, one sentence each") { $0.summary.notes },
      ])
  }

  private static let own: [Field<Self>] = Field.list(
    [
      Field("entities", "the entities") { summary in
        summary.store.schema.entities.map { entity in
          EntityRow(entity, in: summary.store.schema, rows: summary.rows[entity.number] ?? 0)
        }
      },
      Field("history", HistorySummary.shape, "persistent history") {
        HistorySummary.fields.object(of: $0.history)
      },
      Field("mirror", .object(MirrorSummary.fields.keys()), "the CloudKit mirror") {
        MirrorSummary.fields.object(of: $0.mirror)
      },
      Field("files", .object(fileFields.keys()), "the store's files") { fileFields.object(of: $0) },
      Field("model", .object(modelFields.keys()), "the model") { modelFields.object(of: $0.store) },
      FileCautions.field.of { $0.cautions },
    ], Owner.fields.of { $0.keeper.owner },
    [Field("device", "the simulator's name and system") { $0.keeper.device }])

  private static let modelFields: [Field<CoreDataStore>] = [
    Field("source", .words(modelSources.map(\.name)), "the source of the model") { $0.modelSource.name },
    Field("entities", "entities in it") { $0.schema.entities.count },
    Field("identifiers", "its version identifiers") { $0.versionIdentifiers },
  ]
  private static let modelSources: [CoreDataStore.ModelSource] = [
    .cache, .file(path: "", version: ""), .tables(because: ""),
  ]

  private static let fileFields: [Field<Self>] = [
    Field("journal", .words(["wal", "rollback"]), "how SQLite keeps the file consistent") {
      $0.opened.files.header.usesWAL ? "wal" : "rollback"
    },
    Field("pageSize", "bytes of a page") { $0.opened.files.header.pageSize },
    Field("bytes", "the size of the main file") { $0.opened.files.main.size },
    Field("walBytes", "the size of the -wal file") { $0.opened.files.wal?.size ?? 0 },
    Field("walFrames", "frames in it") { $0.wal?.frameCount ?? 0 },
    Field("walCommits", "commits in it") { $0.wal?.commits.count ?? 0 },
    Field("walTail", .words(tails.map(\.name)), "what is behind its last commit") { $0.wal?.tail.name },
    Field("externalBytes", "the size of files next to the store; null if unreadable") { $0.externalBytes },
    Field("hotJournal", "whether a rollback journal must be played back first") {
      $0.opened.files.hasHotJournal
    },
    Field("openedBy", "the process that has it open") { $0.opened.holder?.description },
  ]
  private static let tails: [WALIndex.Tail] = [
    .end, .incompleteFrame(bytes: 0), .earlierGeneration, .badFrame, .badHeader,
  ]

  private struct Commit: HasFields {
    let ago: Int
    let save: CommitSave?
    let frame: Int
    let pages: UInt32?
    let bytes: Int64

    static let fields: [Field<Self>] = [
      Field("commitsAgo", "what --as-of-commit takes") { $0.ago },
      Field("saved", "when its newest transaction was saved, if that is known") { $0.save?.time },
      Field("transaction", "that transaction") { $0.save?.transaction },
      Field("frame", "the last frame of the commit in the WAL; 0 for the main file alone") { $0.frame },
      Field("pages", "pages of the database after it") { $0.pages.map(Int64.init) },
      Field("walBytes", "the size of the WAL up to it") { $0.bytes },
    ]
  }

  private var commits: [Commit] {
    guard let commits = wal?.commits, !commits.isEmpty else { return [] }
    func commit(_ ago: Int, _ frame: Int, _ pages: UInt32?, _ bytes: Int64) -> Commit {
      Commit(
        ago: ago, save: saves.indices.contains(ago) ? saves[ago] : nil, frame: frame, pages: pages,
        bytes: bytes)
    }
    let inWAL = commits.reversed().enumerated().map { ago, found in
      commit(ago, found.frame, found.pageCount, found.endOffset)
    }
    // Before the first of them, the main file alone was the store.
    return inWAL + [commit(commits.count, 0, opened.files.header.pageCount, 0)]
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
