import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

extension MirrorForge {
  /// The first object of that entity, where the store has one.
  func object(_ entity: String) throws -> ForgedObject {
    let objects = forge.truth.objects.keys.filter { $0.entity == entity }
    return try #require(objects.min { $0.primaryKey < $1.primaryKey })
  }

  /// Edits the store outside Core Data.
  func run(_ statements: String...) throws { try forge.connection.edit(statements) }
}

extension Connection {
  /// Edits the store outside Core Data, and counts the keys that the framework's tables then have, which isn't what the
  /// examples are about.
  func edit(_ statements: [String]) throws {
    try statements.forEach(execute)
    let entities = try rows("SELECT Z_ENT, Z_NAME FROM Z_PRIMARYKEY WHERE Z_ENT >= 16000") {
      ($0.integer(0), "A" + $0.text(1).uppercased())
    }
    for (number, table) in entities where try columns(of: table).contains(where: { $0.name == "Z_PK" }) {
      try execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = MAX(Z_MAX, (SELECT COALESCE(MAX(Z_PK), 0) FROM \(table))) WHERE Z_ENT = \(number)"
      )
    }
  }
}

extension RuleExample {
  /// The healthy mirrored store, with some SQL run over it.
  static func broken(
    _ rule: String, _ name: String, layout: MirrorSchema.Layout = .v17, count: Int, objects: [String] = [],
    _ statements: String..., alsoErrors: Set<String> = []
  ) -> RuleExample {
    edited(
      rule, name, .broken(count: count, objects: objects), layout: layout, statements, alsoErrors: alsoErrors)
  }

  static func edited(
    _ rule: String, _ name: String, _ verdict: Verdict, layout: MirrorSchema.Layout = .v17,
    _ statements: [String], alsoErrors: Set<String> = []
  ) -> RuleExample {
    RuleExample(rule, "\(name), \(layout.rawValue)", verdict, alsoErrors: alsoErrors) { path in
      try ExampleStore.mirrored(path, layout: layout) { mirror in
        try mirror.forge.connection.edit(statements)
      }
    }
  }
}

/// Stores of other models, an object of each entity, mirrored and uploaded.
enum ModelStore {
  static func mirrored(_ path: String, _ model: ManagedObjectModel) throws {
    let forge = try StoreForge(path: path, model: model)
    let mirror = try MirrorForge(forge, layout: .v17, configuration: model.configurations.keys.min())
    try mirror.setUp()
    try mirror.save(author: "app") { save in
      for entity in model.entities where !entity.isAbstract { _ = try save.insert(entity.name) }
    }
    try mirror.export()
    try forge.close()
  }
}
