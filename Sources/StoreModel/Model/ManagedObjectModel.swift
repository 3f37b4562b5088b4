/// A managed object model as its author wrote it, wherever it was read from: the store's own cache, a compiled
/// `.mom`, or Xcode's XML. Knows nothing of tables; `StoreSchema` does.
package struct ManagedObjectModel: Sendable, Equatable {
  /// In no particular order; `EntityNumbering` gives the store's.
  package var entities: [EntityDescription]
  package var versionIdentifiers: [String]
  /// Configuration name → names of its entities. Empty where the model has only the default one.
  package var configurations: [String: Set<String>]

  package init(
    entities: [EntityDescription], versionIdentifiers: [String] = [],
    configurations: [String: Set<String>] = [:]
  ) {
    self.entities = entities
    self.versionIdentifiers = versionIdentifiers
    self.configurations = configurations
  }

  package subscript(name: String) -> EntityDescription? { entities.first { $0.name == name } }
}
