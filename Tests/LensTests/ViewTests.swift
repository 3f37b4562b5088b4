import Base
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// Views of the demo store under the model's names.
struct ViewTests {
  private func rows(_ sql: String) throws -> [[SQLiteValue]] {
    let folder = TemporaryFolder("lens")
    let path = try DemoStore.copy(in: folder.path)
    defer { withExtendedLifetime(folder) {} }
    return try OpenStore(at: path).rows(sql)
  }

  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var sql: String
    var expected: [[SQLiteValue]]
  }

  static let cases = [
    Case(
      testDescription: "dates are text, and compare by time",
      sql: "SELECT name, birthday FROM Person WHERE birthday < '1989'",
      expected: [["Ada Lindqvist", "1988-06-03 00:00:00.000000Z"]]),
    Case(
      testDescription: "sub-entities' rows are in the view of what is above them",
      sql: "SELECT entity, COUNT(*) FROM Place GROUP BY entity ORDER BY entity",
      expected: [["City", 4], ["Landmark", 5]]),
    Case(
      testDescription: "views join by to-one relationships",
      sql: "SELECT COUNT(*) FROM Landmark l JOIN City c ON c.pk = l.city WHERE c.uri LIKE '%/City/p%'",
      expected: [[5]]),
    Case(
      testDescription: "history has names",
      sql: "SELECT DISTINCT author FROM changes WHERE entity = 'Trip' AND change = 'insert'",
      expected: [["app"]]),
    Case(
      testDescription: "a to-one relationship has its target's URI",
      sql: "SELECT COUNT(*) FROM Landmark l JOIN City c ON c.uri = l.city_uri AND c.pk = l.city",
      expected: [[5]]),
    Case(
      testDescription: "links of a many-to-many relationship are the same from both sides",
      sql: """
        SELECT (SELECT COUNT(*) FROM Trip_participants) > 0,
          (SELECT COUNT(*) FROM Trip_participants p JOIN Person_trips t ON t.target = p.source AND t.source = p.target)
            = (SELECT COUNT(*) FROM Trip_participants)
        """, expected: [[1, 1]]),
    Case(
      testDescription: "links of a to-many relationship are those of its inverse",
      sql:
        "SELECT COUNT(*) FROM City_landmarks s JOIN Landmark l ON l.pk = s.target WHERE l.city IS NOT s.source",
      expected: [[0]]),
    Case(
      testDescription: "the views list themselves",
      sql: """
        SELECT (SELECT COUNT(*) FROM views WHERE name = 'changes' AND "column" = 'properties'),
          (SELECT type FROM views WHERE name = 'Person' AND "column" = 'birthday'),
          (SELECT COUNT(*) FROM views WHERE name = 'Trip_places'),
          (SELECT COUNT(*) FROM temp.sqlite_schema WHERE type = 'view' AND name NOT IN (SELECT name FROM views))
        """, expected: [[1, "date", 5, 0]]),
    Case(
      testDescription: "functions give NULL for NULL",
      sql:
        "SELECT iso_date(NULL), uuid_text(NULL), blob_kind(NULL), object_uri(NULL, 1), core_data_date('x')",
      expected: [[nil, nil, nil, nil, nil]]),
  ]

  @Test(arguments: cases)
  func shows(_ testCase: Case) throws { #expect(try rows(testCase.sql) == testCase.expected) }

  @Test func linksHaveAPositionWhereTheyHaveAnOrder() throws {
    let folder = TemporaryFolder("lens")
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "List",
        relationships: [
          RelationshipDescription(
            name: "items", destination: "Item", inverse: "list", isToMany: true, isOrdered: true)
        ]),
      EntityDescription(
        name: "Item",
        relationships: [RelationshipDescription(name: "list", destination: "List", inverse: "items")]),
    ])
    let forge = try StoreForge(path: folder.path("App.store"), model: model)
    try forge.save { save in
      let list = try save.insert("List")
      for _ in 0..<3 { try save.link(save.insert("Item"), "list", list) }
    }
    let open = try OpenStore(forge.connection, path: forge.path)
    let items = try #require(open.store.schema["List"]?.relationships.first { $0.name == "items" })
    guard case .toMany(_, _, _, let order?, _) = items.storage else {
      Issue.record("the relationship has no order column")
      return
    }
    try forge.connection.execute("UPDATE ZITEM SET \(order) = 4096 - 1024 * Z_PK")
    #expect(
      try open.rows("SELECT source, target, position FROM List_items ORDER BY position")
        == [[1, 3, 1024], [1, 2, 2048], [1, 1, 3072]])
  }

  @Test func namesAreNeverTakenTwice() {
    let entities = ["Person", "person", "Changes", "Changes_", "Pending", "PERSON", "sqlite_x", "pragma_y"]
    let views = ViewNames.views(for: entities)
    #expect(
      entities.map { views[$0] } == [
        "Person", "person_", "Changes__", "Changes_", "Pending_", "PERSON__", "_sqlite_x", "_pragma_y",
      ])
    let properties = ["name", "Name", "name_", "pk", "PK", "property.pk"]
    let columns = ViewNames.columns(for: properties)
    #expect(Set(columns.values.map { $0.lowercased() }).count == properties.count)
    #expect(columns["name"] == "name" && columns["Name"] == "Name__" && columns["name_"] == "name_")
    #expect(columns["property.pk"] == "property.pk" && columns["pk"] == "property.pk_")
  }

  @Test func whatDiffersByCaseAloneIsShown() throws {
    let folder = TemporaryFolder("lens")
    let model = ManagedObjectModel(
      entities: ["Changes", "Changes_", "sqlite_x"].map { name in
        EntityDescription(
          name: name,
          attributes: ["name", "nAme"].map { AttributeDescription(name: $0, type: .string) })
      })
    let forge = try StoreForge(path: folder.path("App.store"), model: model)
    for entity in model.entities {
      try forge.save { _ = try $0.insert(entity.name, ["name": "low", "nAme": .text(entity.name)]) }
    }
    let open = try OpenStore(forge.connection, path: forge.path)
    for (view, entity) in [("Changes__", "Changes"), ("Changes_", "Changes_"), ("_sqlite_x", "sqlite_x")] {
      let row = try open.rows("SELECT * FROM temp.\(view)").first
      let cells = try #require(row)
      #expect(
        cells.contains(.text("low")) && cells.filter { $0 == .text(entity) }.count == 2, "\(view): \(cells)")
    }
  }
}

/// `Views.md`: what SQL can name, from the lists that SQL itself, help and completion use.
struct ViewsPageTests {
  @Test func isCurrent() throws {
    var lines = [
      "# Views and functions", "",
      "What SQL in storescope can name: in `query`, in the shell and in conditions.", "",
      "## Overview", "",
      "`SELECT * FROM views` lists all views of a store with their columns.", "",
      "Each entity is a view under its own name with the columns `pk`, `uri` and `entity`, its attributes, and its to-one",
      "relationships: `RELATIONSHIP` is the target's `pk`, `RELATIONSHIP_uri` its URI. Sub-entities are included.",
      "",
      "Each to-many relationship is a view `Entity_relationship` with the columns `source`, `target`, `position` (NULL if it",
      "isn't ordered), `sourceURI` and `targetURI`.", "",
      "Dates are text in UTC, always as long (`2026-03-22T15:00:00.500000Z`); comparisons follow time for every usual",
      "spelling. A column of the type bool is 0 or 1. Only reading is possible.", "",
      "The views below are the same in every store that has the tables behind them.",
    ]
    for view in MirrorViews.documented {
      lines += [
        "", "## \(view.name)", "", "One row per \(view.rows).", "", "| column | type | meaning |",
        "|---|---|---|",
      ]
      lines += view.columns.map { "| `\($0.name)` | \($0.type.rawValue) | \($0.meaning) |" }
    }
    lines += [
      "", "## Functions", "", "In addition to SQLite's own.", "", "| function | result |", "|---|---|",
    ]
    lines += SQLFunction.all.map { "| `\($0.usage)` | \($0.meaning) |" }
    try expectPage("Views.md", lines.joined(separator: "\n") + "\n")
  }
}
