import Base
import Forge
import SQLite
import StoreModel

extension RuleExamples {
  static let cloudKitModels: [RuleExample] = incompatibleModels + recordLimits

  private static let incompatibleModels: [RuleExample] = [
    .mirrored("cloudkit-model-incompatible", "a model that CloudKit takes", .healthy),
    RuleExample("cloudkit-model-incompatible", "required with a default, computed, transient", .healthy) {
      try ModelStore.mirrored(
        $0,
        model([
          AttributeDescription(name: "count", type: .integer64, isOptional: false, defaultValue: 1),
          AttributeDescription(name: "computed", type: .integer64, isOptional: false, isDerived: true),
          AttributeDescription(name: "passing", type: .undefined, isOptional: false, isTransient: true),
        ]))
    },
    .plain("cloudkit-model-incompatible", "not mirrored", .skipped("not mirrored")),
    RuleExample("cloudkit-model-incompatible", "an entity that isn't mirrored", .healthy) {
      try ModelStore.mirrored(
        $0,
        ManagedObjectModel(
          entities: [
            EntityDescription(name: "Sent", attributes: [AttributeDescription(name: "text", type: .string)]),
            EntityDescription(
              name: "Local",
              attributes: [AttributeDescription(name: "code", type: .string, isOptional: false)],
              uniquenessConstraints: [["code"]]),
          ], configurations: ["Cloud": ["Sent"], "Device": ["Local"]]))
    },
    RuleExample("cloudkit-model-incompatible", "required, and unique", .broken(count: 2)) {
      try ModelStore.mirrored(
        $0,
        model(
          [AttributeDescription(name: "code", type: .string, isOptional: false)], unique: [["code"]]))
    },
    RuleExample("cloudkit-model-incompatible", "relationships of all wrong kinds", .broken(count: 6)) {
      try ModelStore.mirrored(
        $0,
        ManagedObjectModel(entities: [
          EntityDescription(
            name: "Base", isAbstract: true,
            relationships: [
              RelationshipDescription(name: "lonely", destination: "Other"),
              RelationshipDescription(
                name: "listed", destination: "Other", inverse: "lister", isToMany: true, isOrdered: true),
            ]),
          EntityDescription(
            name: "Item", superentity: "Base",
            relationships: [
              RelationshipDescription(
                name: "needed", destination: "Other", inverse: "needer", isOptional: false),
              RelationshipDescription(
                name: "held", destination: "Other", inverse: "holder", deleteRule: .deny),
            ]),
          EntityDescription(
            name: "Other",
            relationships: [
              RelationshipDescription(name: "lister", destination: "Base", inverse: "listed"),
              RelationshipDescription(name: "needer", destination: "Item", inverse: "needed"),
              RelationshipDescription(
                name: "holder", destination: "Item", inverse: "held", isToMany: true, isOrdered: true,
                deleteRule: .deny),
            ]),
        ]))
    },
    RuleExample("cloudkit-model-incompatible", "a relationship out of its configuration", .broken(count: 1)) {
      try ModelStore.mirrored(
        $0,
        ManagedObjectModel(
          entities: [
            EntityDescription(
              name: "Sent",
              relationships: [
                RelationshipDescription(name: "local", destination: "Local", inverse: "sent")
              ]),
            EntityDescription(
              name: "Local",
              relationships: [
                RelationshipDescription(name: "sent", destination: "Sent", inverse: "local")
              ]),
          ], configurations: ["Cloud": ["Sent"], "Device": ["Local"]]))
    },
  ]

  private static func model(
    _ attributes: [AttributeDescription], unique: [[String]] = []
  ) -> ManagedObjectModel {
    ManagedObjectModel(entities: [
      EntityDescription(name: "Item", attributes: attributes, uniquenessConstraints: unique)
    ])
  }

  private static let recordLimits: [RuleExample] = [
    .mirrored("record-near-limit", "a record of half a megabyte", .healthy) {
      try rename($0, bytes: 500_000)
    },
    .mirrored("record-near-limit", "a text of nearly a megabyte", .broken(count: 1, objects: ["Person/p1"])) {
      try rename($0, bytes: 950_000)
    },
    .mirrored(
      "record-near-limit", "a text of nearly a megabyte, V16", .broken(count: 1, objects: ["Person/p1"]),
      layout: .v16
    ) { try rename($0, bytes: 950_000) },
    RuleExample("record-near-limit", "120 texts", .broken(count: 1)) {
      try ModelStore.mirrored(
        $0, model((0..<120).map { AttributeDescription(name: "text\($0)", type: .string) }))
    },
    RuleExample("record-near-limit", "200 numbers", .healthy) {
      try ModelStore.mirrored(
        $0, model((0..<200).map { AttributeDescription(name: "number\($0)", type: .integer64) }))
    },
  ]

  private static func rename(_ mirror: MirrorForge, bytes: Int) throws {
    let person = try mirror.object("Person")
    let name = String(repeating: "abcdefghij", count: bytes / 10)
    try mirror.save(author: "app") { try $0.update(person, ["name": .text(name)]) }
    try mirror.export()
  }
}
