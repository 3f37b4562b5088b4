import Base
package import StoreModel

/// Small models, each with one of the rules by which Core Data names tables and columns.
package enum FixtureModels {
  /// Plain: two entities and one relationship.
  package static let library = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Author", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "books", destination: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)
      ]),
    EntityDescription(
      name: "Book",
      attributes: [
        AttributeDescription(name: "title", type: .string, preservesValueOnDeletion: true),
        AttributeDescription(name: "year", type: .integer32),
      ], relationships: [RelationshipDescription(name: "author", destination: "Author", inverse: "books")]),
  ])

  /// People with tags, a model that CloudKit takes, and what a test needs of it.
  /// - Parameters:
  ///   - attributes: of a person, in addition to the name.
  ///   - namesAll: whether tags and notes have a `name` in place of a `label` and a `text`.
  package static func people(
    _ attributes: [AttributeDescription] = [], namesAll: Bool = false, hasFriends: Bool = false,
    hasNotes: Bool = true, hasDrafts: Bool = false, configurations: [String: Set<String>] = [:]
  ) -> ManagedObjectModel {
    func string(_ name: String) -> [AttributeDescription] {
      [AttributeDescription(name: name, type: .string)]
    }
    let friends = RelationshipDescription(
      name: "friends", destination: "Person", inverse: "friends", isToMany: true)
    let notes = RelationshipDescription(name: "notes", destination: "Note", inverse: "owner", isToMany: true)
    let tags = RelationshipDescription(name: "tags", destination: "Tag", inverse: "people", isToMany: true)
    var entities = [
      EntityDescription(
        name: "Person", attributes: string("name") + attributes,
        relationships: (hasFriends ? [friends] : []) + (hasNotes ? [notes] : []) + [tags]),
      EntityDescription(name: "Employee", superentity: "Person"),
      EntityDescription(
        name: "Tag", attributes: string(namesAll ? "name" : "label"),
        relationships: [
          RelationshipDescription(name: "people", destination: "Person", inverse: "tags", isToMany: true)
        ]),
    ]
    if hasNotes {
      entities.append(
        EntityDescription(
          name: "Note", attributes: string(namesAll ? "name" : "text"),
          relationships: [RelationshipDescription(name: "owner", destination: "Person", inverse: "notes")]))
    }
    if hasDrafts { entities.append(EntityDescription(name: "Draft", attributes: string("text"))) }
    return ManagedObjectModel(entities: entities, configurations: configurations)
  }

  /// Siblings share names, so that columns get numbers; a sub-entity's target needs an entity column; an ordered
  /// tree of one entity.
  package static let inheritance = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Item", isAbstract: true,
      attributes: [
        AttributeDescription(name: "created", type: .date), AttributeDescription(name: "id", type: .uuid),
      ]),
    EntityDescription(
      name: "Note", superentity: "Item",
      attributes: [
        AttributeDescription(name: "title", type: .string),
        AttributeDescription(name: "Title", type: .string),
      ], relationships: [RelationshipDescription(name: "folder", destination: "Folder", inverse: "items")]),
    EntityDescription(
      name: "Folder", superentity: "Item", attributes: [AttributeDescription(name: "title", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "items", destination: "Note", inverse: "folder", isToMany: true, isOrdered: true),
        RelationshipDescription(name: "parent", destination: "Folder", inverse: "subfolders"),
        RelationshipDescription(name: "subject", destination: "Item"),
        RelationshipDescription(
          name: "subfolders", destination: "Folder", inverse: "parent", isToMany: true, isOrdered: true,
          deleteRule: .cascade),
      ]),
    EntityDescription(
      name: "SmartFolder", superentity: "Folder",
      attributes: [
        AttributeDescription(name: "query", type: .string),
        AttributeDescription(name: "title2", type: .string),
      ]),
  ])

  /// To-many relationships without inverse, plain and ordered, of an entity with sub-entities.
  package static let virtualToOnes = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Recipe", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "ingredients", destination: "Ingredient", isToMany: true, deleteRule: .cascade),
        RelationshipDescription(name: "steps", destination: "Step", isToMany: true, isOrdered: true),
      ]),
    EntityDescription(name: "Dessert", superentity: "Recipe"),
    EntityDescription(name: "Ingredient", attributes: [AttributeDescription(name: "name", type: .string)]),
    EntityDescription(name: "Step", attributes: [AttributeDescription(name: "text", type: .string)]),
  ])

  /// Many-to-many: ordered at one end, with itself, and several between the same two entities.
  package static let manyToMany = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Song", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "favouriteOf", destination: "Listener", inverse: "favourites", isToMany: true),
        RelationshipDescription(name: "playlists", destination: "Playlist", inverse: "songs", isToMany: true),
        RelationshipDescription(
          name: "skippedBy", destination: "Listener", inverse: "skipped", isToMany: true),
      ]),
    EntityDescription(
      name: "Playlist", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "songs", destination: "Song", inverse: "playlists", isToMany: true, isOrdered: true)
      ]),
    EntityDescription(
      name: "Listener", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [
        RelationshipDescription(
          name: "favourites", destination: "Song", inverse: "favouriteOf", isToMany: true),
        RelationshipDescription(name: "friends", destination: "Listener", inverse: "friends", isToMany: true),
        RelationshipDescription(name: "partner", destination: "Listener", inverse: "partner"),
        RelationshipDescription(name: "skipped", destination: "Song", inverse: "skippedBy", isToMany: true),
      ]),
  ])

  /// Every type of attribute, composites whose leaves bear other attributes' names, and an enumeration as
  /// SwiftData models it.
  package static let attributes = ManagedObjectModel(
    entities: [
      EntityDescription(
        name: "Sample",
        attributes: [
          AttributeDescription(
            name: "author", type: .composite,
            elements: [
              AttributeDescription(name: "id", type: .integer64),
              AttributeDescription(
                name: "address", type: .composite,
                elements: [AttributeDescription(name: "street", type: .string)]),
            ]),
          AttributeDescription(name: "attached", type: .binary, allowsExternalStorage: true),
          AttributeDescription(name: "bytes", type: .binary),
          AttributeDescription(name: "created", type: .date),
          AttributeDescription(name: "double", type: .double, defaultValue: .real(0.5)),
          AttributeDescription(name: "flag", type: .boolean, isOptional: false, defaultValue: true),
          AttributeDescription(name: "float", type: .float),
          AttributeDescription(name: "id", type: .uuid, isOptional: false),
          AttributeDescription(name: "int16", type: .integer16, isOptional: false, defaultValue: -1),
          AttributeDescription(name: "int32", type: .integer32),
          AttributeDescription(name: "int64", type: .integer64),
          AttributeDescription(
            name: "kind", type: .composite, elements: [AttributeDescription(name: "kind", type: .string)],
            userInfo: ["EnumType": "true"]),
          AttributeDescription(name: "link", type: .uri),
          AttributeDescription(name: "money", type: .decimal),
          AttributeDescription(name: "shown", type: .string, isTransient: true),
          AttributeDescription(
            name: "tags", type: .transformable, valueTransformerName: "NSSecureUnarchiveFromData",
            valueClassName: "NSArray"),
          AttributeDescription(name: "text", type: .string, defaultValue: "none", renamingIdentifier: "body"),
        ], fetchedProperties: ["recent"], uniquenessConstraints: [["id"], ["int32", "text"]],
        userInfo: ["owner": "tests"])
    ], versionIdentifiers: ["1.0.0"], configurations: ["default": ["Sample"]])

  /// All of them, for parameterised tests.
  package static let all = [
    Named(description: "library", model: library), Named(description: "inheritance", model: inheritance),
    Named(description: "virtualToOnes", model: virtualToOnes),
    Named(description: "manyToMany", model: manyToMany), Named(description: "attributes", model: attributes),
  ]

  package struct Named: Sendable, CustomStringConvertible {
    package let description: String
    package let model: ManagedObjectModel
  }
}
