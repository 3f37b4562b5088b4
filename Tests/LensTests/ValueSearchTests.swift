import Archives
import Base
import Forge
import Foundation
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// Values are found at their objects, and objects by their values.
struct ValueSearchTests {
  /// With many texts, inheritance, UUIDs and archives; old and new.
  private static let stores = [
    "BrowserServicesKit/Bookmarks_V5.sqlite", "CoreDataPlus/SampleModel_V1.sqlite",
    "CoreDataPlus/CoreDataMigration_Example_3.sqlite", "MagicalRecord/Recipes.sqlite",
    "osxphotos/Photos-10.15.1.sqlite", "osxphotos/Photos-26.1.sqlite", "plaso/knowledgec-10.14.db",
    "plaso/netusage.sqlite", "plaso/NotesV7.storedata", "plaso/RMAdminStore-Local.sqlite",
  ]

  private struct Place: Hashable {
    var object: ObjectKey
    var property: String
  }

  /// What SQL alone finds: every text, and every text in what can be decoded.
  private func places(_ entity: SchemaEntity, _ store: CoreDataStore) throws -> [String: Set<Place>] {
    var places: [String: Set<Place>] = [:]
    for leaf in entity.attributes.flatMap(\.leaves) {
      guard let column = leaf.column.map(quotedIdentifier) else { continue }
      try store.connection.forEachRow(
        "SELECT Z_PK, \(column) FROM main.\(quotedIdentifier(entity.table)) WHERE Z_ENT = \(entity.number)"
      ) { row in
        let place = Place(
          object: ObjectKey(entity: entity.number, primaryKey: row.integer(0)), property: leaf.path)
        switch row.type(1) {
        case .text: places[row.text(1), default: []].insert(place)
        case .blob where leaf.description.type == .uuid && row.bytes(1).count == 16:
          let uuid = try #require(row.withBytes(1) { Hexadecimal.uuid($0) })
          places[uuid, default: []].insert(place)
        case .blob where leaf.description.type != .uuid:
          guard let value = row.withBytes(1, { BlobReader.value(of: $0) }) else { return }
          for text in texts(in: value) { places[text, default: []].insert(place) }
        default: break
        }
      }
    }
    return places
  }

  private func texts(in value: DataValue) -> [String] {
    switch value {
    case .text(let text): [text]
    case .array(let elements): elements.flatMap(texts)
    case .object(let members): members.filter { !$0.name.hasPrefix("$") }.flatMap { texts(in: $0.value) }
    case .blob(let blob): blob.value.map(texts) ?? []
    default: []
    }
  }

  @Test(.enabled(if: RealStores.arePresent, "the folder of real stores is absent"), arguments: stores)
  func everyTextOfARealStoreIsFound(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let open = try OpenStore(at: path)
    let store = open.store
    var count = 0
    for entity in store.schema.entities where store.tables.holdsObjects(entity.table) {
      for (text, places) in try places(entity, store) where !text.isEmpty {
        let search = ValueSearch(SearchQuestion(text, of: [entity]), in: store)
        var found: Set<Place> = []
        while let match = try search.next() {
          found.insert(Place(object: match.object, property: match.property))
        }
        #expect(found.isSuperset(of: places), "a value of \(entity.name) isn't found")
        count += places.count
      }
    }
    #expect(count > 10)
    withExtendedLifetime((folder, open)) {}
  }

  private static let model = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Note",
      attributes: [
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "rating", type: .double),
        AttributeDescription(name: "share", type: .float), AttributeDescription(name: "at", type: .date),
        AttributeDescription(name: "id", type: .uuid), AttributeDescription(name: "isDone", type: .boolean),
        AttributeDescription(name: "extra", type: .binary), AttributeDescription(name: "link", type: .uri),
      ])
  ])

  /// An object for each list of values, in this order.
  private func store(_ rows: [[String: ForgeValue]]) throws -> (TemporaryFolder, OpenStore) {
    let folder = TemporaryFolder("search")
    let forge = try StoreForge(path: folder.path("Notes.sqlite"), model: Self.model)
    try forge.save { save in for row in rows { _ = try save.insert("Note", row) } }
    try forge.close()
    return (folder, try OpenStore(at: forge.path))
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String { "'\(text)' finds \(found)" }
    var text: String
    /// Key and property.
    var found: [String]
  }

  private static let noon: Double = 795_182_400
  private static let rows: [[String: ForgeValue]] = [
    ["title": .text("Five 5.0"), "rating": .real(5), "share": .real(Double(Float(0.1)))],
    ["title": .text("five"), "rating": .real(5.5), "at": .date(CoreDataDate(seconds: noon + 0.25))],
    ["id": .text("5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10"), "isDone": .boolean(true)],
    ["extra": .bytes(Array(#"{"city":"Z\u00fcrich","size":5}"#.utf8))],
    ["extra": .bytes(BinaryPropertyList.write(.array([.string("Зима"), .integer(5), .string("winter")])))],
    ["link": .text("https://example.com/A%20b")],
    ["title": .text("x"), "at": .date(CoreDataDate(seconds: noon))],
    ["title": .text("0E29AB7C9F044B318D3A6B1F2C5D7E80"), "rating": .real(1_312_400)],
    ["title": .text("İstanbul gezisi güzeldi"), "rating": .real(10.0 / 3)],
    ["extra": .bytes(packedMessage)],
    ["extra": .bytes(BinaryPropertyList.write(.array([.data(message), .data(packedMessage)])))],
  ]
  /// A protocol buffer, as Notes keeps them: plain, and in gzip.
  private static let message: [UInt8] = [0x08, 0x96, 0x01, 0x12, 21] + Array("the word is persimmon".utf8)
  private static let packedMessage = [UInt8](
    Data(base64Encoded: "H4sIAAAAAAACA+OYxigkWpKRqlCeX5SikFmsUJBaVJyZm5ufBwCUAO5GGgAAAA==") ?? Data())

  static let cases = [
    Case(text: "5", found: ["1 title", "1 rating", "4 extra", "5 extra", "8 title"]),
    Case(text: "5.00", found: ["1 rating", "4 extra", "5 extra"]), Case(text: "0.1", found: ["1 share"]),
    // As the sqlite3 shell prints it.
    Case(text: "3.3333333333", found: ["9 rating"]),
    // Letters that fold to two.
    Case(text: "İstanbul gezisi", found: ["9 title"]),
    Case(text: "FIVE", found: ["1 title", "2 title"]),
    Case(text: "5c1b7e0c-1d3b", found: ["3 id"]), Case(text: "zürich", found: ["4 extra"]),
    // In what can't be decoded, at any depth.
    Case(text: "persimmon", found: ["10 extra", "11 extra"]), Case(text: "mon", found: []),
    Case(text: "зима", found: ["5 extra"]), Case(text: "Winter", found: ["5 extra"]),
    Case(text: "city", found: ["4 extra"]), Case(text: "example.COM", found: ["6 link"]),
    Case(text: "2026-03-14", found: ["2 at", "7 at"]), Case(text: "2026-03", found: ["2 at", "7 at"]),
    Case(text: "2026-03-14T12:00:00.25", found: ["2 at"]),
    Case(text: "2026-03-14 14:00+02:00", found: ["2 at", "7 at"]), Case(text: "nowhere", found: []),
    // As people write them.
    Case(text: "5,50", found: ["2 rating"]), Case(text: "5c1b7e0c1d3b4e558c5c0d9c7b1f2a10", found: ["3 id"]),
    Case(text: "5c1b7e0c1d3b", found: ["3 id"]),
    Case(text: "{5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10}", found: ["3 id"]),
    Case(text: "0e29ab7c-9f04-4b31-8d3a-6b1f2c5d7e80", found: ["8 title"]),
    // A part of a UUID without its hyphens, and a date as the file has it.
    Case(text: "0D9C7B1F2A10", found: ["3 id"]), Case(text: "0c1d3b4e", found: ["3 id"]),
    Case(text: "795182400", found: ["2 at", "7 at"]),
    Case(text: "1,312,400.0", found: ["8 rating"]), Case(text: "1 312 400", found: ["8 rating"]),
  ]

  @Test(arguments: cases) func valuesAreFoundAsTheyAreTyped(_ example: Case) throws {
    let (folder, open) = try store(Self.rows)
    let search = ValueSearch(
      SearchQuestion(example.text, of: open.store.schema.entities), in: open.store)
    var found: [String] = []
    while let match = try search.next() { found.append("\(match.object.primaryKey) \(match.property)") }
    #expect(Set(found) == Set(example.found))
    withExtendedLifetime((folder, open)) {}
  }

  @Test(arguments: [
    ("title", "five", [2], ClosestMatches.Closeness.equal), ("title", "FIVE", [2], .alike),
    ("title", "iv", [1, 2], .partial), ("rating", "5", [1], .equal), ("rating", "5.50", [2], .equal),
    ("share", "0.1", [1], .equal), ("at", "2026-03-14", [2, 7], .equal),
    ("at", "2026-03-14T12:00", [2, 7], .equal), ("at", "2026-03-14T12:00:00.25", [2], .equal),
    ("id", "5c1b7e0c-1d3b-4e55-8c5c-0d9c7b1f2a10", [3], .alike), ("id", "5C1B", [3], .partial),
    ("id", "5C1B7E0C1D3B4E558C5C0D9C7B1F2A10", [3], .equal), ("rating", "1,312,400", [8], .equal),
    ("at", "795182400", [2, 7], .equal), ("at", "795182400.0", [7], .equal), ("isDone", "yes", [3], .equal),
    ("isDone", "1", [3], .equal), ("extra", "zürich", [4], .alike), ("extra", "zür", [4], .partial),
  ])
  func objectsAreFoundByValue(
    _ name: String, _ text: String, _ keys: [Int64], _ closeness: ClosestMatches.Closeness
  ) throws {
    let (folder, open) = try store(Self.rows)
    let question = SearchQuestion(text, of: open.store.schema.entities, in: PropertyName(name))
    let search = ValueSearch(question, in: open.store)
    var closest = ClosestMatches(to: text)
    while let match = try search.next() { closest.add(match) }
    #expect(closest.matches.map(\.object.primaryKey) == keys)
    #expect(closest.closeness == closeness)
    withExtendedLifetime((folder, open)) {}
  }

  /// Nobody can choose among more, and a closer one may come last.
  @Test func theClosestReplaceAllOthers() {
    func match(_ key: Int64, _ text: String, _ end: Int) -> SearchMatch {
      SearchMatch(
        ObjectKey(entity: 1, primaryKey: key), "title", "",
        TextHit(text, text.startIndex..<text.index(text.startIndex, offsetBy: end)))
    }
    var closest = ClosestMatches(to: "trip")
    for key in 1...20 { closest.add(match(Int64(key), "Trip \(key)", 4)) }
    #expect(closest.closeness == .partial && closest.matches.count == ClosestMatches.limit)
    closest.add(match(21, "Trip", 4))
    #expect(closest.closeness == .alike && closest.matches.map(\.object.primaryKey) == [21])
    for key in [22, 22, 23] { closest.add(match(Int64(key), "trip", 4)) }
    closest.add(match(24, "Trip", 4))
    #expect(closest.closeness == .equal && closest.matches.map(\.object.primaryKey) == [22, 23])
    #expect(!closest.isFull)
  }

  @Test func similarWordsAreFound() throws {
    let (folder, open) = try store([
      ["title": .text("Spring in Lisbon")], ["title": .text("LISBON")], ["title": .text("Lisboa")],
      ["title": .text(String(repeating: "word ", count: 1000))],
    ])
    let similar = try SimilarTexts.find(
      SearchQuestion("lisbom", of: open.store.schema.entities), in: open.store)
    #expect(similar.map(\.text) == ["Lisboa", "LISBON"])
    #expect(
      try SimilarTexts.find(SearchQuestion("xyzzy", of: open.store.schema.entities), in: open.store).isEmpty)
    withExtendedLifetime((folder, open)) {}
  }

  /// Words of ASCII are found without a look at most of their letters, others letter by letter.
  @Test func similarWordsAreFoundWhereverTheyStand() throws {
    for words in ["on", "a", "in", "of Spring", "x-y", "!", "longer than the one that is looked for"] {
      for text in ["Lisboa \(words)", "\(words) Lisboa", "\(words).Lisboa,\(words)", "\(words)'Lisboa"] {
        let (folder, open) = try store([["title": .text(text)]])
        let (other, accented) = try store([["title": .text(text + " é")]])
        let found = try [open, accented].map {
          try SimilarTexts.find(SearchQuestion("lisbom", of: $0.store.schema.entities), in: $0.store).map(
            \.text)
        }
        #expect(found == [["Lisboa"], ["Lisboa"]], "\(text)")
        withExtendedLifetime((folder, other, open, accented)) {}
      }
    }
  }

  /// Comparing long texts took half a minute, and nobody means a similar one.
  @Test func longTextsHaveNoSimilarOnes() throws {
    let long = String(repeating: "lisbon", count: 30)
    let (folder, open) = try store([["title": .text(long + "x")]])
    #expect(
      try SimilarTexts.find(SearchQuestion(long, of: open.store.schema.entities), in: open.store).isEmpty)
    withExtendedLifetime((folder, open)) {}
  }

  @Test func blobsThatAreTooLargeAreSaid() throws {
    let (folder, closed) = try store([["title": .text("large")], ["title": .text("none")]])
    let path = closed.store.path
    _ = consume closed
    let connection = try Connection(path: path, options: OpenOptions(.readWrite(create: false)))
    try connection.execute("UPDATE ZNOTE SET ZEXTRA = zeroblob(70000000) WHERE Z_PK = 1")
    let open = try OpenStore(at: path)
    let search = ValueSearch(SearchQuestion("xyz", of: open.store.schema.entities), in: open.store)
    #expect(try search.next() == nil)
    let sentence = "'extra' has 70 MB, and only up to 67 MB are searched"
    #expect(search.problems == ["A value wasn't searched: \(sentence)."])
    withExtendedLifetime((folder, open, connection)) {}
  }
}
