import Diagnostics
import Lens
import Rendering
import StoreModel
import SystemCalls
import Values

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

  static func absent(_ identity: StoreIdentity) -> Document {
    Document(
      command: "mirror", store: identity,
      fields: [
        .init("layout", nil), .init("scope", nil), .init("databases", .array([])), .init("zones", .array([])),
        .init("entries", .array([])), .init("token", ["transaction": nil, "state": "missing"]),
      ],
      payload: "zones",
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
      command: "mirror", store: identity,
      fields: [
        .init("layout", .text(mirror.layout.name)), .init("scope", .optional(scope?.name)),
        .init("databases", .array(databases.map(value))), .init("zones", .array(zoneValues)),
        .init("entries", .array(entryValues)),
        .init(
          "token",
          [
            "transaction": .optional(token.transaction), "state": .text(token.state.rawValue),
            "problem": .optional(token.problem),
          ]),
        .init("switches", switches.value),
        .init("differences", .array(mirror.differences.map(DataValue.text))),
        .init(
          "tables", .array(FrameworkTableRows.names(in: mirror.store).map(DataValue.text))),
      ],
      payload: "zones", blocks: blocks)
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

  private var entryValues: [DataValue] {
    entries.all.map { entry in
      [
        "key": .text(entry.key), "kind": .text(entry.kind.rawValue), "value": entry.value,
        "rows": .count(entry.rows),
      ]
    }
  }

  private func value(_ database: MirrorDatabase) -> DataValue {
    [
      "name": .optional(database.name), "scope": .optional(database.scope?.name),
      "hasSubscription": .bool(database.hasSubscription), "hasToken": .bool(database.changeToken.isPresent),
      "token": database.changeToken.value, "lastFetch": .optional(database.lastFetch),
    ]
  }

  private var zoneValues: [DataValue] {
    zones.map { zone in
      var members: [DataValue.Member] = [
        .init("name", .optional(zone.name)), .init("owner", .optional(zone.owner)),
        .init("scope", .optional(zone.scope?.name)), .init("records", .count(zone.records)),
        .init("needsImport", .bool(zone.flags.contains(.needsImport))),
        .init("hasToken", .bool(zone.changeToken.isPresent)), .init("lastFetch", .optional(zone.lastFetch)),
        .init("token", zone.changeToken.value), .init("shareBytes", .optional(zone.shareBytes)),
      ]
      for (bit, name) in MirrorZone.Flags.names.enumerated() where name != "needsImport" {
        members.append(.init(name, .bool(zone.flags.contains(.init(rawValue: 1 << UInt16(bit))))))
      }
      return .object(members)
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
    // What a zone supports says nothing of how it stands.
    let flags = MirrorZone.Flags.names.enumerated().filter { bit, name in
      !name.hasPrefix("supports") && zone.flags.contains(.init(rawValue: 1 << UInt16(bit)))
    }.map(\.element)
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

extension RowStream {
  /// Rows made of objects that have these members, or some of them.
  init(
    names: [String], emptyText: String = "(none)", count: @escaping () throws -> Int? = { nil },
    produce: @escaping (any RowSink) throws -> Void
  ) {
    self.init(columns: names.map { Column($0) }, emptyText: emptyText, count: count, produce: produce)
  }
}

extension RowSink {
  /// One row from an object's members; false when no more are wanted.
  func push(_ object: DataValue, columns: [String]) throws -> Bool {
    beginRow()
    for column in columns {
      if let cell = object[column] { value(cell) } else { skip() }
    }
    return try endRow()
  }
}

extension DataValue {
  /// Sets an object's member, at the end where it is a new one.
  mutating func replace(_ name: String, with value: DataValue) {
    guard case .object(var members) = self else { return }
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].value = value
    } else {
      members.append(Member(name, value))
    }
    self = .object(members)
  }
}

extension MirrorRecord {
  /// All members that a record may have; the last ones only where its copy was decoded.
  static let columns = [
    "recordName", "zone", "entity", "pk", "uri", "state", "needsUpload", "needsCloudDelete", "acknowledged",
    "lastExported", "pendingExport", "objectExists", "recordType", "fields", "changeTag", "created",
    "modified",
    "problem",
  ]

  /// `Person/p12`
  var objectText: String {
    guard let objectKey else { return "" }
    return "\(entity ?? entityNumber.map { "entity \($0)" } ?? "?")/p\(objectKey)"
  }
}
