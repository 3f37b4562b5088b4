import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

/// Stores that nothing is wrong with, to be broken in one way each.
enum ExampleStore {
  /// People with tags and notes, a model that CloudKit takes.
  static let model = FixtureModels.people([
    AttributeDescription(name: "homepage", type: .uri),
    AttributeDescription(name: "photo", type: .binary, allowsExternalStorage: true),
    AttributeDescription(name: "preferences", type: .transformable),
  ])

  /// Not mirrored: two people, an employee, a tag, a note, saved by `app`. `Person/p1` … `Person/p3`, `Tag/p1`,
  /// `Note/p1`.
  static func plain(_ path: String, _ change: (StoreForge) throws -> Void = { _ in }) throws {
    let forge = try StoreForge(path: path, model: model)
    try forge.save(author: "app") { try populate($0) }
    try change(forge)
    try close(forge)
  }

  /// With an empty -wal, as Apple's SQLite leaves it.
  static func close(_ forge: StoreForge) throws {
    try forge.close(leaving: forge.options.journal == .rollback ? .nothing : .emptyWAL)
  }

  /// The same, mirrored, everything uploaded: no rule has anything to say about it.
  static func mirrored(
    _ path: String, layout: MirrorSchema.Layout = .v17, scope: MirrorForge.Scope = .private,
    _ change: (MirrorForge) throws -> Void = { _ in }
  ) throws {
    let forge = try StoreForge(path: path, model: model)
    let mirror = try MirrorForge(forge, layout: layout, scope: scope)
    try mirror.setUp()
    try mirror.save(author: "app") { try populate($0) }
    try mirror.export()
    try change(mirror)
    try close(forge)
  }

  private static func populate(_ save: Save) throws {
    let tag = try save.insert("Tag", ["label": "family"])
    let ann = try save.insert("Person", ["name": "Ann"])
    _ = try save.insert("Person", ["name": "Ben"])
    _ = try save.insert("Employee", ["name": "Cleo"])
    let note = try save.insert("Note", ["text": "call"])
    try save.link(ann, "tags", tag)
    try save.link(note, "owner", ann)
  }
}

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
  /// The store that isn't mirrored, after a change; `options` make another kind of store.
  static func plain(
    _ rule: String, _ name: String, _ verdict: Verdict, options: ForgeOptions? = nil,
    alsoErrors: Set<String> = [], _ change: @escaping @Sendable (StoreForge) throws -> Void = { _ in }
  ) -> RuleExample {
    RuleExample(rule, name, verdict, alsoErrors: alsoErrors) { path in
      if let options {
        try ExampleStore.plain(path, options: options, change)
      } else {
        try ExampleStore.plain(path, change)
      }
    }
  }

  /// The healthy mirrored store, after a change.
  static func mirrored(
    _ rule: String, _ name: String, _ verdict: Verdict, layout: MirrorSchema.Layout = .v17,
    scope: MirrorForge.Scope = .private, alsoErrors: Set<String> = [],
    _ change: @escaping @Sendable (MirrorForge) throws -> Void = { _ in }
  ) -> RuleExample {
    RuleExample(rule, name, verdict, alsoErrors: alsoErrors) {
      try ExampleStore.mirrored($0, layout: layout, scope: scope, change)
    }
  }

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
    .mirrored(rule, "\(name), \(layout.rawValue)", verdict, layout: layout, alsoErrors: alsoErrors) {
      try $0.forge.connection.edit(statements)
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
