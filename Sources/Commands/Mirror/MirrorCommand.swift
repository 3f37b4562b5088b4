import Base
import Diagnostics
import Lens
import Rendering
import StoreModel

extension Command {
  static let mirror = Command(
    "mirror", summary: "the CloudKit mirror: databases, zones, metadata, history token",
    options: [
      OptionDefinition(
        .table, value: "NAME", kind: .table,
        help: "one table of the mirror or of history, decoded: events, NSCKEvent or ANSCKEVENT"
      )
    ],
    discussion: """
      The token marks how far the exporter has processed history. 'behind' is normal: some history isn't processed
      yet. 'expired', 'ahead' and 'foreign' stop exports or make the next launch wipe and re-import; see 'explain'.

      --table replaces numbers with what they stand for: an author, an entity, a kind of change.

      Examples:
        storescope mirror App.store
        storescope mirror App.store --table events --json
      """,
    documents: [
      DocumentForm("without --table", payload: "zones", MirrorDocument.fields.keys()),
      DocumentForm("with --table", payload: "rows", MirrorTableDocument.fields.keys()),
    ]
  ) { invocation in
    let session = try invocation.store()
    let store = try session.open().store
    let identity = try session.identity()
    if let name = invocation.arguments[.table] {
      return Outcome(
        MirrorTableDocument.document(
          try FrameworkTableRows(named: name, in: store), identity, invocation.progress))
    }
    guard let mirror = try session.open().mirror() else { return Outcome(MirrorDocument.absent(identity)) }
    return Outcome(try MirrorDocument(mirror).document(identity))
  }
}

/// What `mirror --table` prints.
enum MirrorTableDocument {
  fileprivate static let fields: [Field<FrameworkTableRows>] = [
    Field("table", "the table's name in SQL") { $0.table },
    Field("entity", "its name as an entity of the framework") { $0.entity },
    Field("columns", .list(.object(columnFields.keys())), "its columns") {
      $0.columns.map(columnFields.object)
    },
    Field("rows", rows: .open([], "a row, with the table's columns as keys"), "its rows, decoded"),
  ]

  private static let columnFields: [Field<FrameworkTableRows.Column>] = [
    Field("name", "the key in 'rows'") { $0.name }, Field("type", "what it holds") { $0.type },
  ]

  static func document(
    _ table: FrameworkTableRows, _ identity: StoreIdentity, _ progress: Progress
  ) -> Document {
    var rows = RowStream(
      columns: table.columns.map { .init($0.name, isNumber: $0.type == "integer") }, emptyText: "(no rows)",
      count: table.count
    ) { sink in
      try table.produce(into: sink) { progress.step("reading \(table.table)") }
    }.counting("row").showingNull()
    rows.impossibleDates = table.impossibleDates
    return Document(
      command: "mirror", store: identity, payload: "rows", fields, of: table, rows: rows,
      blocks: [.heading(table.entity ?? table.table), .table(rows)])
  }
}

/// What `mirror` prints.
struct MirrorDocument {
  private let mirror: Mirror
  private let scope: DatabaseScope?
  private let databases: [MirrorDatabase]
  private let zones: [MirrorZone]
  private let entries: MetadataEntries
  private let token: HistoryTokenReading
  private let identity: Mirror.Identity
  private let switches: SyncSwitches

  init(_ mirror: Mirror) throws {
    self.mirror = mirror
    databases = try mirror.databases
    zones = try mirror.zones
    scope = try mirror.scope
    entries = try mirror.entries
    token = try mirror.token
    identity = try mirror.identity
    switches = try SyncSwitchesReader(mirror).read()
  }

  /// Nil for a store without a mirror.
  static let fields: [Field<Self?>] =
    [
      Field("layout", "the layout of the mirror's tables; null if there is no mirror") { $0?.mirror.layout },
      Field("scope", "the database that the store is mirrored to") { $0?.scope },
      Field("databases", "CloudKit databases") { $0?.databases ?? [] },
      Field("zones", "record zones") { $0?.zones ?? [] },
      Field("entries", "the mirror's own metadata") { $0?.entries.all ?? [] },
      Field("token", .object(tokenFields.keys()), "how far the exporter has processed history") {
        tokenFields.object(of: $0?.token)
      },
      Field("switches", "times without sync, wipes and large imports", if: isMirrored) { $0?.switches },
      Field(
        "differences", "how its tables differ from the layout, one sentence each", if: isMirrored
      ) { $0?.mirror.differences },
      Field("tables", "tables that --table takes", if: isMirrored) {
        $0.map { FrameworkTableRows.names(in: $0.mirror.store) }
      },
    ]
  private static let isMirrored = "the store is mirrored"

  private static let tokenFields: [Field<HistoryTokenReading?>] = [
    Field("transaction", "the last transaction that the exporter has processed") { $0?.transaction },
    Field("state", "how it compares with history") { $0?.state ?? .missing },
    Field("problem", .text.orNull, "why it can't be read", if: isMirrored) {
      $0.map { DataValue.optional($0.problem) }
    },
  ]

  static func absent(_ identity: StoreIdentity) -> Document {
    Document(
      command: "mirror", store: identity, payload: "zones", fields, of: nil,
      blocks: [
        .text("This store is not mirrored: it has none of the tables of NSPersistentCloudKitContainer.")
      ])
  }

  func document(_ identity: StoreIdentity) -> Document {
    var blocks: [Document.Block] = [
      .heading("Mirror of \(Platform.fileName(identity.path))"),
      .pairs([
        ("layout", .text(mirror.layout.name)), ("scope", .text(scope?.name ?? "unknown")),
        ("history token", .text(tokenText)), ("identity", .text(identityText)),
      ]),
      .heading("Databases"),
      .table(RowStream(objects: databases.map(shown), emptyText: "(no database)").toTheMinute()),
      .heading("Zones"),
      .table(RowStream(objects: zones.map(shown), emptyText: "(no zone)").toTheMinute()),
      .heading("Metadata entries"),
      .table(
        RowStream(objects: entries.all.map(shown), emptyText: "(no entry)").neverCutting("key")
          .leavingOut("kind")),
    ]
    if !switches.sentences.isEmpty {
      blocks += [.heading("Sync over time"), .text(list(switches.sentences))]
    }
    if !mirror.differences.isEmpty { blocks += [.heading("Odd"), .text(list(mirror.differences))] }
    return Document(
      command: "mirror", store: identity, payload: "zones", Self.fields, of: self, blocks: blocks)
  }

  private func list(_ sentences: [String]) -> String { sentences.map { "• \($0)" }.joined(separator: "\n") }

  private var tokenText: String {
    let number = token.transaction.map { "transaction \($0), " } ?? ""
    return number + token.state.rawValue + (token.problem.map { " (\($0))" } ?? "")
  }

  private var identityText: String {
    switch identity {
    case .unknown: "unknown: \(entries.problem ?? "")"
    case .none: "no iCloud account recorded"
    case .known: "an iCloud account is recorded"
    case .halfRecorded: "checked, but without the account's record name"
    case .nameOnly: "an account's record name, but not checked"
    }
  }

  // MARK: For people

  private func shown(_ database: MirrorDatabase) -> DataValue {
    [
      "name": .optional(database.name), "scope": .optional(database.scope?.name),
      "hasSubscription": .bool(database.hasSubscription), "token": shown(database.changeToken),
      "lastFetch": .optional(database.lastFetch),
    ]
  }

  private func shown(_ zone: MirrorZone) -> DataValue {
    let flags = zone.flagNames
    // A narrow terminal shows the first.
    let urgent = flags.filter { $0.hasPrefix("needs") }
    return [
      "name": .optional(zone.name), "owner": .optional(zone.owner), "records": .count(zone.records),
      "token": shown(zone.changeToken), "lastFetch": .optional(zone.lastFetch),
      "flags": .text((urgent + flags.filter { !urgent.contains($0) }).joined(separator: ", ")),
    ]
  }

  private func shown(_ token: ChangeTokenState) -> DataValue {
    switch token {
    case .none: "none"
    case .token: "present"
    case .unreadable(_, let why): .text("unreadable: \(why)")
    }
  }

  /// Values of all kinds stand in one column, so all are text; what an archive holds is in JSON.
  private func shown(_ entry: MetadataEntry) -> DataValue {
    let value: DataValue =
      switch entry.value {
      case .integer(let number): .text(String(number))
      case .object(let stores):
        .text(
          stores.map { store in
            guard case .integer(let number) = store.value else { return store.name }
            return "transaction \(number) of \(store.name)"
          }.joined(separator: ", "))
      case .blob(let blob): .text("\(blob.bytes) bytes")
      default: entry.value
      }
    var members: [DataValue.Member] = [
      .init("key", .text(entry.key)), .init("kind", .text(entry.kind.rawValue)), .init("value", value),
    ]
    if entry.rows > 1 { members.append(.init("rows", .count(entry.rows))) }
    return .object(members)
  }
}
