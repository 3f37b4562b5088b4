import Base
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// Stores made at random from each fixture model, read with our own readers, held against the truth.
struct ForgedStoreTests {
  @Test(arguments: FixtureModels.all) func readersFindWhatWasWritten(_ fixture: FixtureModels.Named) throws {
    let folder = TemporaryFolder()
    let forge = try StoreForge(path: folder.path("App.sqlite"), model: fixture.model)
    try RandomLife.live(forge, saves: 20)
    try forge.close()
    let connection = try Connection(path: forge.path, options: .overlay())
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    let store = try CoreDataStore(connection: connection, path: forge.path)
    #expect(store.notes.isEmpty)
    #expect(store.modelSource == .cache)
    let expected = ManagedObjectModel(
      entities: fixture.model.entities.sorted { $0.name < $1.name },
      versionIdentifiers: fixture.model.versionIdentifiers, configurations: fixture.model.configurations)
    var model = try #require(store.model)
    model.entities.sort { $0.name < $1.name }
    #expect(model == expected)

    try expectRows(store, forge.truth)
    try expectLinks(store, forge.truth)
    try expectHistory(store, forge.truth)
  }

  private func expectRows(_ store: CoreDataStore, _ truth: ForgeTruth) throws {
    let counts = try store.rowCounts()
    for entity in store.schema.entities {
      let objects = truth.objects(of: entity.name)
      #expect(counts[entity.number] ?? 0 == objects.count, "\(entity.name)")
      for state in objects {
        let version = try store.connection.value(
          "SELECT Z_OPT FROM \(entity.table) WHERE Z_PK = ? AND Z_ENT = ?",
          [.integer(state.object.primaryKey), .integer(entity.number)])
        #expect(version == .integer(state.version))
      }
    }
  }

  private func expectLinks(_ store: CoreDataStore, _ truth: ForgeTruth) throws {
    for state in truth.objects.values {
      let entity = try #require(store.schema[state.object.entityNumber])
      for relationship in entity.relationships {
        let keys = try keys(of: relationship, state.object.primaryKey, entity.table, store.connection)
        let expected = (state.links[relationship.name] ?? []).map(\.primaryKey)
        let isOrdered = relationship.description.isOrdered
        #expect(
          (isOrdered ? keys : keys.sorted()) == (isOrdered ? expected : expected.sorted()),
          "\(entity.name).\(relationship.name)")
      }
    }
  }

  private func keys(
    of relationship: SchemaRelationship, _ key: Int64, _ ownTable: String, _ connection: Connection
  ) throws -> [Int64] {
    let sql: String
    switch relationship.storage {
    case .toOne(let column, _, _):
      sql = "SELECT \(column) FROM \(ownTable) WHERE Z_PK = ? AND \(column) IS NOT NULL"
    case .toMany(let table, let column, _, let order, _):
      sql = "SELECT Z_PK FROM \(table) WHERE \(column) = ? ORDER BY \(order ?? "1")"
    case .join(let table, let own, let other, let order):
      sql = "SELECT \(other) FROM \(table) WHERE \(own) = ? ORDER BY \(order ?? "1")"
    case .none: return []
    }
    return try connection.rows(sql, [.integer(key)]) { $0.integer(0) }
  }

  private func expectHistory(_ store: CoreDataStore, _ truth: ForgeTruth) throws {
    let rows = try store.connection.rows(
      "SELECT Z_PK, ZTRANSACTIONID, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZCOLUMNS FROM ACHANGE ORDER BY Z_PK"
    ) { row in
      (values: (0..<5).map { row.integer($0) }, mask: row.optionalBytes(5))
    }
    #expect(
      rows.map(\.values)
        == truth.changes.map {
          [$0.number, $0.transaction, $0.kind.rawValue, $0.object.entityNumber, $0.object.primaryKey]
        })
    for (row, change) in zip(rows, truth.changes) {
      guard let mask = row.mask else {
        #expect(change.kind != .update)
        continue
      }
      let entity = try #require(store.schema[change.object.entityNumber])
      let decoded = ChangeMask(entity, in: store.schema).decode(mask)
      #expect(decoded.problem == nil)
      #expect(Set(decoded.properties + decoded.unnamed) == change.properties)
    }
    let authors = try store.connection.rows(
      """
      SELECT s.ZNAME FROM ATRANSACTION t LEFT JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS ORDER BY t.Z_PK
      """
    ) { $0.optionalText(0) }
    #expect(authors == truth.transactions.map(\.author))
  }
}
