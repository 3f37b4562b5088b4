import Archives
import Base
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

struct DemoStoreTests {
  private let folder = TemporaryFolder()

  @Test func isWholeAndFitsItsModel() throws {
    let path = try DemoStore.make(in: folder.path("demo"))
    let connection = try Connection(path: path, options: .overlay())
    #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
    let store = try CoreDataStore(connection: connection, path: path)
    #expect(store.discrepancies.isEmpty)
    #expect(store.notes.isEmpty)
    #expect(store.modelSource == .cache)
  }

  @Test func countsAreThoseOfTheTruth() throws {
    let forge = try DemoStore.forge(in: folder.path)
    let truth = forge.truth
    try forge.close(leaving: .wal)
    let connection = try Connection(path: forge.path, options: .overlay())
    let store = try CoreDataStore(connection: connection, path: forge.path)
    let counts = try store.rowCounts()
    for entity in store.schema.entities {
      #expect(counts[entity.number] ?? 0 == truth.objects(of: entity.name).count, "\(entity.name)")
    }
    #expect(truth.objects.count > 30)
    let times = truth.transactions.map(\.timestamp)
    #expect(times == times.sorted())
    #expect(try connection.value("SELECT COUNT(*) FROM ACHANGE") == .integer(Int64(truth.changes.count)))
    #expect(
      try connection.value("SELECT COUNT(*) FROM ATRANSACTION") == .integer(Int64(truth.transactions.count)))
  }

  @Test func lastCommitsAreInTheWALOnly() throws {
    let path = try DemoStore.make(in: folder.path)
    let sum = "SELECT COUNT(*) FROM ATRANSACTION"
    let whole = try Connection(path: path, options: .overlay()).value(sum)
    let withoutWAL = try Connection(path: path, options: .overlay(walLimit: 0)).value(sum)
    guard case .integer(let all) = whole, case .integer(let old) = withoutWAL else {
      Issue.record("no counts")
      return
    }
    #expect(all == old + 3)
    #expect(
      try folder.names() == [
        ".Journeys_SUPPORT", "Journeys.store", "Journeys.store-shm", "Journeys.store-wal",
      ])
  }

  @Test func aFullAccountLetsThingsWait() throws {
    let truth = try DemoStore.mirror(in: folder.path).truth
    for kind in [MirrorTruth.Kind.upload, .cloudDelete, .link, .unanalyzed] { #expect(truth.count(kind) > 0) }
    #expect(truth.records.contains { $0.state == .uploaded })
    #expect(truth.verdict == .blocked && truth.token == .behind)
    #expect(truth.events.last?.failure == .quotaExceeded)
    #expect(truth.events.contains { $0.failure?.effect == .noise })
    #expect(truth.events.map(\.started) == truth.events.map(\.started).sorted())
  }

  /// With a model that breaks a rule, every setup fails and nothing is ever mirrored: a store like the demo could not
  /// exist.
  /// https://developer.apple.com/documentation/coredata/creating-a-core-data-model-for-cloudkit
  @Test func modelKeepsTheRulesOfCloudKit() throws {
    let model = try DemoStore.forge(in: folder.path).model
    let entities = Dictionary(model.entities.map { ($0.name, $0) }) { $1 }
    for entity in model.entities {
      #expect(entity.uniquenessConstraints.isEmpty, "\(entity.name)")
      for attribute in entity.attributes {
        let place: Comment = "\(entity.name).\(attribute.name)"
        #expect(attribute.isOptional || attribute.defaultValue != nil, place)
        #expect(attribute.type != .undefined && attribute.type != .objectID, place)
      }
      for relationship in entity.relationships {
        let place: Comment = "\(entity.name).\(relationship.name)"
        #expect(relationship.isOptional && relationship.minCount == 0, place)
        #expect(!relationship.isOrdered, place)
        #expect(relationship.deleteRule != .deny, place)
        let inverse = entities[relationship.destination]?.relationships.first {
          $0.name == relationship.inverse
        }
        #expect(inverse?.inverse == relationship.name && inverse?.destination == entity.name, place)
      }
    }
  }

  @Test func everyRunMakesTheSame() throws {
    let (one, other) = (TemporaryFolder(), TemporaryFolder())
    for folder in [one, other] { _ = try DemoStore.make(in: folder.path) }
    #expect(try one.read(DemoStore.fileName) == other.read(DemoStore.fileName))
    func rows(_ folder: TemporaryFolder) throws -> [[SQLiteValue]] {
      let connection = try Connection(path: folder.path(DemoStore.fileName), options: .overlay())
      let tables = try connection.rows("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY 1") {
        $0.text(0)
      }
      return try tables.flatMap { table in
        try connection.rows("SELECT * FROM \(quotedIdentifier(table))") { $0.values }
      }
    }
    #expect(try rows(one) == rows(other))
  }

  @Test func keepsWhatIsThere() throws {
    try folder.write([1, 2, 3], to: DemoStore.fileName)
    #expect(throws: StoreScopeError.self) { try DemoStore.make(in: folder.path) }
    #expect(try folder.read(DemoStore.fileName) == [1, 2, 3])
    #expect(try folder.names() == [DemoStore.fileName])
  }
}
