import Archives
import Base
import Forge
import Foundation
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

@testable import Commands

/// Every place of a store where a value or a name of somebody can stand has one that is looked for in all answers.
struct AssistantNeedleTests {
  private static let date = CoreDataDate(seconds: 712_345_678)
  private let folder = TemporaryFolder("assistant")
  private let store: String
  private let questions: AssistantQuestions
  private var entities: [(name: String, keys: [Int64])] = []

  init() throws {
    store = try DemoStore.copy(in: folder.path)
    questions = try AssistantQuestions(AssistantSettings(showsValues: false, folders: []))
    let connection = try Connection(path: store, options: OpenOptions(.readWrite(create: false)))
    let open = try OpenStore(connection, path: store)
    for entity in open.store.schema.entities {
      let table = quotedIdentifier(entity.table)
      for leaf in entity.attributes.flatMap(\.leaves) {
        guard let column = leaf.column.map(quotedIdentifier), let value = Self.needle(leaf) else { continue }
        try connection.execute("UPDATE \(table) SET \(column) = \(value) WHERE Z_ENT = \(entity.number)")
      }
      entities.append(
        (
          entity.name,
          try connection.rows("SELECT Z_PK FROM \(table) WHERE Z_ENT = \(entity.number)") { $0.integer(0) }
        ))
    }
    for sql in [
      "UPDATE ANSCKRECORDMETADATA SET ZCKRECORDNAME = 'needle record ' || Z_PK",
      "UPDATE ANSCKRECORDZONEMETADATA SET ZCKOWNERNAME = 'needle owner', ZCKRECORDZONENAME = 'needle zone'",
      """
      UPDATE ANSCKMIRROREDRELATIONSHIP SET ZCKRECORDID = 'needle link ' || Z_PK, ZRECORDNAME = 'needle record 1',
        ZRELATEDRECORDNAME = 'needle record 2', ZCDENTITYNAME = 'thimble', ZRELATIONSHIPNAME = 'thimble'
      """,
      "UPDATE ANSCKMETADATAENTRY SET ZSTRINGVALUE = 'needle value' WHERE ZSTRINGVALUE IS NOT NULL",
      "INSERT INTO ANSCKMETADATAENTRY (Z_PK, ZKEY, ZSTRINGVALUE) VALUES (99, 'needle key', 'needle value')",
      "UPDATE ANSCKDATABASEMETADATA SET ZDATABASENAME = 'needle database'",
      "UPDATE ATRANSACTIONSTRING SET ZNAME = 'needle@' || Z_PK",
      "UPDATE ACHANGE SET ZTOMBSTONE0 = 'needle tombstone' WHERE ZCHANGETYPE = 2",
      // Numbers have places for texts, too.
      "UPDATE ANSCKEVENT SET ZCOUNTAFFECTEDOBJECTS = 'needle count'",
      "UPDATE ANSCKRECORDMETADATA SET ZLASTEXPORTEDTRANSACTIONNUMBER = 'needle number'",
      "UPDATE ZENTRY SET ZPLACE = 'needle key' WHERE Z_PK = 2",
    ] { try connection.execute(sql) }
    connection.close()
  }

  private static func needle(_ leaf: SchemaAttribute) -> String? {
    switch leaf.description.type {
    case .string, .uri: "'needle ' || Z_PK"
    case .date: String(date.seconds)
    case .integer16, .integer32, .integer64: "987654321"
    case .double, .float, .decimal: "987654321.5"
    case .uuid: "x'6E6565646C656E6565646C656E656564'"
    case .binary, .transformable: "CAST('needle data' AS BLOB)"
    default: nil
    }
  }

  private static let needles = [
    "needle", "987654321", "712345678", "6E656564", String(date.iso8601?.prefix(16) ?? "?"),
  ]

  private func check(
    _ tool: String, _ arguments: [String: Any], _ needles: [String] = Self.needles + ["thimble"],
    mayFail: Bool = false
  ) throws {
    let text = try AssistantCall.text(tool, arguments, store, questions)
    // Where nothing is answered, nothing is found.
    #expect(mayFail || !text.contains(#""isError":true"#), "\(tool) \(arguments): \(text.prefix(500))")
    for needle in needles {
      #expect(
        !text.contains(needle) && !text.lowercased().contains(needle),
        "\(tool) \(arguments): \(text.prefix(4000))")
    }
  }

  @Test func noneIsShown() throws {
    for tool in ["summary", "preflight", "find"] {
      try check(tool, tool == "find" ? ["path": folder.path] : [:])
    }
    try check("pending", ["limit": 1000])
    // Names of entities in the mirror's rows are the rules' own evidence.
    try check("doctor", ["limit": 1000], Self.needles)
    for text in ["eedle", "eedle 1", "98765432", "2023-07-29"] {
      try check("search", ["text": text, "limit": 1000])
    }
  }

  @Test func noneIsTraced() throws {
    for (entity, keys) in entities {
      for key in keys { try check("trace", ["object": "\(entity)/p\(key)"]) }
    }
    for key in 1...12 { try check("trace", ["object": "Trip/p\(key)"], mayFail: true) }
  }

  @Test func noneIsQueried() throws {
    let result = try AssistantCall.result("query", ["list": "views", "limit": 1000], store, questions)
    let views = try #require((result["structuredContent"] as? [String: Any])?["views"] as? [[String: String]])
    let names = Set(views.compactMap { $0["name"] })
    #expect(names.isSuperset(of: ["records", "pending", "changes", "zones", "Trip"]))
    for name in names { try check("query", ["sql": "SELECT * FROM \"\(name)\"", "limit": 1000]) }
    for query in ["changes-by-author", "pending-by-author", "errors-by-code", "records-by-zone"] {
      try check("query", ["sql": query])
    }
  }

  /// Sentences that help people to choose name titles, similar texts and authors.
  @Test(
    arguments: [
      ("trace", ["object": "eedl"]), ("trace", ["object": "Trip titl=eedl"]),
      ("trace", ["object": "name=eedle 1"]),
      ("trace", ["object": "Entry trip=eedle"]), ("trace", ["object": "needel 1"]),
      ("trace", ["object": "eedle record"]),
      ("trace", ["object": "Trip"]), ("trace", ["object": "Entry trip=Trip/p1"]),
      ("query", ["sql": "SELECT pk FROM Entry WHERE trip = 'eedle'"]), ("query", ["sql": "object-history"]),
      ("query", ["sql": "SELECT pk FROM Entry WHERE trip = pk('Trip/p99')"]),
      ("search", ["text": "needel 1"]),
      ("search", ["text": "eedle", "entity": "Tripp"]),
    ] as [(String, [String: String])]) func noneIsInAnError(_ tool: String, _ arguments: [String: String])
    throws
  {
    try check(tool, arguments, mayFail: true)
  }
}
