import Archives
import Forge
import Foundation
import SQLite
import StoreModel
import TestSupport

extension RuleExamples {
  private static let temporary = "x-coredata:///Note/t4DA54E01-0940-45F4-9E16-956E3C7993B52"

  static let values: [RuleExample] =
    [
      .mirrored("temporary-object-id", "nothing keeps one", .healthy),
      .plain("temporary-object-id", "permanent URIs, and what only looks like one", .healthy) { forge in
        try forge.connection.execute(
          "UPDATE ZPERSON SET ZNAME = 'x-coredata:///Note/t4DA5', ZHOMEPAGE = ? WHERE Z_PK = 1",
          [.text(ExampleStore.uri("Note/p1"))])
      },
    ]
    + places.map { name, cell in
      .plain("temporary-object-id", name, .broken(count: 1, objects: ["Person/p2"])) { forge in
        try forge.connection.execute("UPDATE ZPERSON SET \(cell.column) = ? WHERE Z_PK = 2", [cell.value])
      }
    } + framework + permanent

  private static let places: [(String, (column: String, value: SQLiteValue))] = [
    ("in a text", ("ZNAME", .text("see \(temporary), or don't"))),
    (
      "in a URI, with the store's UUID",
      ("ZHOMEPAGE", .text(ExampleStore.uri(String(temporary.dropFirst(14)))))
    ),
    (
      "in JSON, with its slashes escaped",
      ("ZNAME", .text(#"{"last": ["\#(temporary.replacing("/", with: #"\/"#))"]}"#))
    ),
    ("in a text where binary data belongs", ("ZPREFERENCES", .text(temporary))),
    (
      "in a property list",
      ("ZPREFERENCES", .blob(BinaryPropertyList.write(["last": .array([.string(temporary)])])))
    ),
    (
      "in one that holds it as UTF-16",
      ("ZPREFERENCES", .blob(BinaryPropertyList.write(.string("é \(temporary)"))))
    ),
    (
      "in UTF-16 of the other order",
      ("ZPREFERENCES", .blob(Array(temporary.utf16).flatMap { [UInt8($0), 0] }))
    ),
    ("in a keyed archive", ("ZPREFERENCES", .blob(ExampleStore.archive(temporary)))),
    ("behind the tag of external storage", ("ZPHOTO", .blob([1] + ExampleStore.archive(temporary)))),
    ("in a blob of no known kind", ("ZPREFERENCES", .blob([0, 255, 3] + Array(temporary.utf8) + [0, 9]))),
  ]

  private static let framework: [RuleExample] = [
    .plain(
      "temporary-object-id", "in a file next to the store", .broken(count: 1, objects: ["Person/p1"]),
      options: ForgeOptions(inlineLimit: 8)
    ) { forge in
      try forge.save { _ = try $0.insert("Person", ["photo": .bytes(ExampleStore.archive(temporary))]) }
    },
    .mirrored("temporary-object-id", "in the mirror's texts", .broken(count: 1)) { mirror in
      try mirror.forge.connection.execute(
        "UPDATE ANSCKMETADATAENTRY SET ZSTRINGVALUE = ? WHERE Z_PK = (SELECT MAX(Z_PK) FROM ANSCKMETADATAENTRY)",
        [.text(temporary)])
    },
    RuleExample("temporary-object-id", "in what history keeps of a deleted object", .broken(count: 1)) {
      path in
      let name = AttributeDescription(name: "name", type: .string, preservesValueOnDeletion: true)
      let model = ManagedObjectModel(entities: [
        EntityDescription(
          name: "Tag",
          attributes: [
            name, AttributeDescription(name: "label", type: .string),
          ])
      ])
      try ExampleStore.plain(path, model: model, options: ForgeOptions()) { forge in
        let tag = try forge.save { try $0.insert("Tag", ["name": .text(temporary)]) }
        try forge.save { try $0.delete(tag) }
      }
    },
    .plain("temporary-object-id", "in the app's part of the metadata", .broken(count: 1)) {
      try $0.setMetadata([.init("last", .string(temporary))])
    },
  ]

  private static let permanent =
    [
      example("object-uri-dangling", "of an object that is there, in other letters", .healthy) {
        ExampleStore.uri("Note/p1").replacing("5C0E", with: "5c0e")
      },
      example("object-uri-dangling", "of an employee, by the superentity's name", .healthy) {
        ExampleStore.uri("Person/p3")
      },
      example(
        "object-uri-dangling", "of a person, by the sub-entity's name",
        .broken(count: 1, objects: ["Person/p2"])
      ) {
        ExampleStore.uri("Employee/p1")
      },
      example(
        "object-uri-dangling", "of an object that was deleted", .broken(count: 1, objects: ["Person/p2"])
      ) {
        ExampleStore.uri("Note/p7")
      },
      example(
        "object-uri-dangling", "of an entity that nobody knows", .broken(count: 1, objects: ["Person/p2"])
      ) {
        ExampleStore.uri("Memo/p1")
      },
      example("object-uri-foreign", "of this store", .healthy) { ExampleStore.uri("Note/p1") },
      example("object-uri-foreign", "of another store", .broken(count: 1, objects: ["Person/p2"])) {
        "x-coredata://0F0F0F0F-0000-4000-8000-000000000001/Note/p1"
      },
      .mirrored("object-uri-persisted", "nothing keeps one", .healthy),
      .plain("object-uri-persisted", "in a store that isn't mirrored", .skipped("not mirrored")),
      .mirrored("object-uri-persisted", "in a mirrored entity", .broken(count: 1, objects: ["Person/p2"])) {
        mirror in
        try mirror.forge.connection.execute(
          "UPDATE ZPERSON SET ZHOMEPAGE = ? WHERE Z_PK = 2", [.text(ExampleStore.uri("Note/p1"))])
      },
    ]

  private static func example(
    _ rule: String, _ name: String, _ verdict: RuleExample.Verdict, _ text: @escaping @Sendable () -> String
  ) -> RuleExample {
    .plain(rule, name, verdict) { forge in
      try forge.connection.execute("UPDATE ZPERSON SET ZHOMEPAGE = ? WHERE Z_PK = 2", [.text(text())])
    }
  }
}

extension ExampleStore {
  static func uri(_ object: String) -> String { "x-coredata://\(ForgeOptions().uuid)/\(object)" }

  /// A list with a URL, as an app's transformable attribute holds it.
  static func archive(_ url: String) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    return writer.bytes(root: writer.array([writer.string("recent"), writer.url(url)]))
  }
}
