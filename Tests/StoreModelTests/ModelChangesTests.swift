import Base
import StoreModel
import TestSupport
import Testing

@Suite struct ModelChangesTests {
  /// One change to a model, and what Apple's page says of it, or doesn't.
  struct Pair: CustomTestStringConvertible {
    var testDescription: String
    var source: Source
    var expected: [Expected]
    var edit: @Sendable (inout ManagedObjectModel) -> Void

    init(
      _ name: String, _ source: Source, _ expected: Expected...,
      edit: @escaping @Sendable (inout ManagedObjectModel) -> Void
    ) {
      testDescription = name
      self.source = source
      self.expected = expected
      self.edit = edit
    }
  }

  struct Expected: Hashable {
    var kind: ModelChange.Kind
    var subject: String
    var migration: ModelChange.Migration

    init(_ kind: ModelChange.Kind, _ subject: String, _ migration: ModelChange.Migration = .inferred) {
      self.kind = kind
      self.subject = subject
      self.migration = migration
    }
  }

  /// Where the outcome is documented.
  enum Source: String {
    /// https://developer.apple.com/documentation/coredata/migrating-your-data-model-automatically
    case lightweight
    /// https://developer.apple.com/documentation/coredata/nsentitydescription/versionhash
    /// and nspropertydescription/versionhash: what makes a version another one.
    case versionHash
    /// Validation: https://developer.apple.com/documentation/coredata/1535452-validation_error_codes
    case validation
    /// On none of Apple's lists: refused where the stored values would have to be converted.
    case unlisted
  }

  /// An item has parts and a tag; a book is an item; a shelf stands alone.
  static let base = ManagedObjectModel(entities: [
    EntityDescription(
      name: "Item",
      attributes: [
        AttributeDescription(name: "title", type: .string, isOptional: false, defaultValue: .text("")),
        AttributeDescription(name: "price", type: .double),
        AttributeDescription(name: "count", type: .integer16),
        AttributeDescription(name: "note", type: .string, isTransient: true),
      ],
      relationships: [
        RelationshipDescription(name: "parts", destination: "Part", inverse: "item", isToMany: true),
        RelationshipDescription(name: "tag", destination: "Tag", inverse: "items"),
      ]),
    EntityDescription(
      name: "Book", superentity: "Item", attributes: [AttributeDescription(name: "pages", type: .integer32)]),
    EntityDescription(name: "Game", superentity: "Item"),
    EntityDescription(
      name: "Part", attributes: [AttributeDescription(name: "name", type: .string)],
      relationships: [RelationshipDescription(name: "item", destination: "Item", inverse: "parts")]),
    EntityDescription(
      name: "Tag", attributes: [AttributeDescription(name: "color", type: .string)],
      relationships: [
        RelationshipDescription(name: "items", destination: "Item", inverse: "tag", isToMany: true)
      ]),
    EntityDescription(
      name: "Shelf",
      attributes: [
        AttributeDescription(name: "room", type: .string),
        AttributeDescription(name: "look", type: .transformable),
      ]),
  ])

  static let pairs: [Pair] = [
    Pair("nothing", .versionHash) { _ in },
    Pair("an attribute is added", .lightweight, .init(.attributeAdded, "Shelf.width")) {
      $0.edit("Shelf") { $0.attributes.append(.init(name: "width", type: .double)) }
    },
    Pair("an attribute is removed", .lightweight, .init(.attributeRemoved, "Shelf.room")) {
      $0.edit("Shelf") { $0.attributes.removeAll { $0.name == "room" } }
    },
    Pair("an attribute becomes optional", .lightweight, .init(.becameOptional, "Item.title")) {
      $0.attribute("Item", "title") { $0.isOptional = true }
    },
    Pair(
      "an attribute becomes required, with a default", .lightweight, .init(.becameRequired, "Item.price"),
      .init(.defaultChanged, "Item.price", .nothing)
    ) {
      $0.attribute("Item", "price") {
        $0.isOptional = false
        $0.defaultValue = .real(0)
      }
    },
    Pair(
      "an attribute becomes required, without a default", .validation,
      .init(.becameRequired, "Item.price", .failsWithNulls)
    ) { $0.attribute("Item", "price") { $0.isOptional = false } },
    Pair(
      "a required attribute is added, with a default", .lightweight, .init(.attributeAdded, "Shelf.width")
    ) {
      $0.edit("Shelf") {
        $0.attributes.append(.init(name: "width", type: .double, isOptional: false, defaultValue: .real(1)))
      }
    },
    Pair(
      "a required attribute is added, without a default", .validation,
      .init(.attributeAdded, "Shelf.width", .failsWithRows)
    ) { $0.edit("Shelf") { $0.attributes.append(.init(name: "width", type: .double, isOptional: false)) } },
    Pair("a derived attribute is added", .lightweight, .init(.attributeAdded, "Shelf.width")) {
      $0.edit("Shelf") {
        $0.attributes.append(.init(name: "width", type: .double, isOptional: false, isDerived: true))
      }
    },
    Pair("an attribute is renamed", .lightweight, .init(.attributeRenamed, "Tag.paint")) {
      $0.attribute("Tag", "color") {
        $0.name = "paint"
        $0.renamingIdentifier = "color"
      }
    },
    Pair(
      "an attribute is renamed without an identifier", .lightweight, .init(.attributeAdded, "Tag.paint"),
      .init(.attributeRemoved, "Tag.color")
    ) { $0.attribute("Tag", "color") { $0.name = "paint" } },
    Pair("an entity is added", .lightweight, .init(.entityAdded, "Room")) {
      $0.entities.append(EntityDescription(name: "Room"))
    },
    Pair("an entity is removed", .lightweight, .init(.entityRemoved, "Shelf")) {
      $0.entities.removeAll { $0.name == "Shelf" }
    },
    Pair("an entity is renamed", .lightweight, .init(.entityRenamed, "Rack")) {
      $0.edit("Shelf") {
        $0.name = "Rack"
        $0.renamingIdentifier = "Shelf"
      }
    },
    Pair(
      "an entity is renamed without an identifier", .lightweight, .init(.entityAdded, "Rack"),
      .init(.entityRemoved, "Shelf")
    ) { $0.edit("Shelf") { $0.name = "Rack" } },
    Pair("a relationship's destination is renamed", .lightweight, .init(.entityRenamed, "Label")) {
      $0.edit("Tag") {
        $0.name = "Label"
        $0.renamingIdentifier = "Tag"
      }
      $0.relationship("Item", "tag") { $0.destination = "Label" }
    },
    Pair(
      "a relationship is added", .lightweight, .init(.relationshipAdded, "Shelf.items"),
      .init(.relationshipAdded, "Item.shelf")
    ) {
      $0.edit("Shelf") {
        $0.relationships = [.init(name: "items", destination: "Item", inverse: "shelf", isToMany: true)]
      }
      $0.edit("Item") {
        $0.relationships.append(.init(name: "shelf", destination: "Shelf", inverse: "items"))
      }
    },
    Pair(
      "a relationship is removed", .lightweight, .init(.relationshipRemoved, "Item.tag"),
      .init(.relationshipRemoved, "Tag.items")
    ) {
      $0.edit("Item") { $0.relationships.removeAll { $0.name == "tag" } }
      $0.edit("Tag") { $0.relationships = [] }
    },
    Pair("a relationship is renamed", .lightweight, .init(.relationshipRenamed, "Item.label")) {
      $0.relationship("Item", "tag") {
        $0.name = "label"
        $0.renamingIdentifier = "tag"
      }
      $0.relationship("Tag", "items") { $0.inverse = "label" }
    },
    Pair("a to-one relationship becomes to-many", .lightweight, .init(.becameToMany, "Item.tag")) {
      $0.relationship("Item", "tag") {
        $0.isToMany = true
        $0.maxCount = 0
      }
    },
    Pair(
      "a to-many relationship becomes to-one", .unlisted, .init(.becameToOne, "Item.parts", .refused)
    ) {
      $0.relationship("Item", "parts") {
        $0.isToMany = false
        $0.maxCount = 1
      }
    },
    Pair("a relationship becomes ordered", .lightweight, .init(.becameOrdered, "Item.parts")) {
      $0.relationship("Item", "parts") { $0.isOrdered = true }
    },
    Pair("a relationship becomes required", .validation, .init(.becameRequired, "Item.tag", .failsWithNulls))
    {
      $0.relationship("Item", "tag") { $0.isOptional = false }
    },
    Pair("a delete rule changes", .versionHash, .init(.deleteRuleChanged, "Item.parts")) {
      $0.relationship("Item", "parts") { $0.deleteRule = .cascade }
    },
    Pair("the number of objects changes", .versionHash, .init(.countChanged, "Item.parts")) {
      $0.relationship("Item", "parts") { $0.maxCount = 5 }
    },
    Pair(
      "a relationship leads to another entity", .unlisted,
      .init(.destinationChanged, "Part.item", .undocumented)
    ) { $0.relationship("Part", "item") { $0.destination = "Shelf" } },
    Pair("an inverse is removed", .versionHash, .init(.inverseChanged, "Tag.items")) {
      $0.relationship("Tag", "items") { $0.inverse = nil }
    },
    Pair("a parent is added", .lightweight, .init(.entityAdded, "Thing"), .init(.parentChanged, "Shelf")) {
      $0.entities.append(EntityDescription(name: "Thing", isAbstract: true))
      $0.edit("Shelf") { $0.superentity = "Thing" }
    },
    Pair("a child is added", .lightweight, .init(.entityAdded, "Comic")) {
      $0.entities.append(EntityDescription(name: "Comic", superentity: "Book"))
    },
    Pair(
      "an attribute moves up", .lightweight, .init(.attributeAdded, "Item.pages")
    ) {
      $0.edit("Book") { $0.attributes = [] }
      $0.edit("Item") { $0.attributes.append(.init(name: "pages", type: .integer32)) }
    },
    Pair(
      "an attribute moves down", .lightweight, .init(.attributeRemoved, "Item.count")
    ) {
      $0.edit("Item") { $0.attributes.removeAll { $0.name == "count" } }
      for name in ["Book", "Game"] {
        $0.edit(name) { $0.attributes.append(.init(name: "count", type: .integer16)) }
      }
    },
    Pair(
      "an entity moves within its hierarchy", .lightweight, .init(.parentChanged, "Game"),
      .init(.attributeAdded, "Game.pages")
    ) {
      $0.edit("Game") { $0.superentity = "Book" }
    },
    Pair(
      "an entity moves out of a hierarchy", .lightweight, .init(.parentChanged, "Game"),
      .init(.attributeRemoved, "Game.title"), .init(.attributeRemoved, "Game.price"),
      .init(.attributeRemoved, "Game.count"), .init(.attributeRemoved, "Game.note"),
      .init(.relationshipRemoved, "Game.parts"), .init(.relationshipRemoved, "Game.tag")
    ) { $0.edit("Game") { $0.superentity = nil } },
    Pair(
      "two hierarchies get a common parent", .lightweight, .init(.entityAdded, "Thing"),
      .init(.parentChanged, "Shelf"), .init(.parentChanged, "Part"),
      .init(.hierarchiesMerged, "Shelf", .refused)
    ) {
      $0.entities.append(EntityDescription(name: "Thing"))
      $0.edit("Shelf") { $0.superentity = "Thing" }
      $0.edit("Part") { $0.superentity = "Thing" }
    },
    Pair(
      "an entity moves into another's hierarchy", .lightweight, .init(.parentChanged, "Shelf"),
      .init(.attributeAdded, "Shelf.name"), .init(.relationshipAdded, "Shelf.item"),
      .init(.hierarchiesMerged, "Shelf", .refused)
    ) {
      $0.edit("Shelf") { $0.superentity = "Part" }
    },
    Pair("an entity becomes abstract", .unlisted, .init(.abstractChanged, "Shelf", .undocumented)) {
      $0.edit("Shelf") { $0.isAbstract = true }
    },
    Pair("a text becomes a number", .unlisted, .init(.typeChanged, "Tag.color", .refused)) {
      $0.attribute("Tag", "color") { $0.type = .integer64 }
    },
    Pair("an integer gets wider", .unlisted, .init(.typeChanged, "Item.count", .undocumented)) {
      $0.attribute("Item", "count") { $0.type = .integer64 }
    },
    Pair("a default value changes", .versionHash, .init(.defaultChanged, "Item.title", .nothing)) {
      $0.attribute("Item", "title") { $0.defaultValue = .text("Untitled") }
    },
    Pair("a value transformer changes", .versionHash, .init(.transformerChanged, "Shelf.look", .nothing)) {
      $0.attribute("Shelf", "look") { $0.valueTransformerName = "LookTransformer" }
    },
    Pair("a transient attribute is stored", .versionHash, .init(.becamePersistent, "Item.note")) {
      $0.attribute("Item", "note") { $0.isTransient = false }
    },
    Pair("an attribute isn't stored anymore", .versionHash, .init(.becameTransient, "Item.price")) {
      $0.attribute("Item", "price") { $0.isTransient = true }
    },
    Pair(
      "values have to be unique", .validation, .init(.constraintAdded, "Shelf.room", .failsWithDuplicates)
    ) { $0.edit("Shelf") { $0.uniquenessConstraints = [["room"]] } },
  ]

  @Test(arguments: pairs) func aChangeIsFoundWithWhatItsMigrationNeeds(_ pair: Pair) {
    var model = Self.base
    pair.edit(&model)
    let changes = ModelChanges(from: Self.base, to: model).all
    let found = changes.map {
      Expected($0.kind, [$0.entity, $0.property].compactMap(\.self).joined(separator: "."), $0.migration)
    }
    #expect(Set(found) == Set(pair.expected))
    #expect(found.count == pair.expected.count, "each change once: \(changes.map(\.sentence))")
  }

  /// An identifier names what the property was called first, so that versions may be skipped.
  /// What a version hash is made of, spelled out without the code under test:
  /// https://developer.apple.com/documentation/coredata/nspropertydescription/versionhash
  private static func hashed(_ model: ManagedObjectModel) -> [String] {
    model.entities.map { entity in
      let attributes = entity.attributes.map {
        "\($0.name) \($0.type) \($0.isOptional) \($0.isTransient) \($0.isDerived) \($0.elements.map(\.name)) \($0.versionHashModifier ?? "")"
      }
      let relationships = entity.relationships.map {
        "\($0.name) \($0.destination) \($0.inverse ?? "") \($0.isToMany) \($0.isOrdered) \($0.isOptional) \($0.isTransient) \($0.deleteRule) \($0.minCount) \($0.maxCount) \($0.versionHashModifier ?? "")"
      }
      return
        "\(entity.name) \(entity.superentity ?? "") \(entity.isAbstract) \(entity.uniquenessConstraints) \(entity.versionHashModifier ?? "") \(attributes.sorted()) \(relationships.sorted())"
    }.sorted()
  }

  /// A model that differed in a renaming ID alone was said to lose the values of the attribute. No version hash has it, so
  /// that nothing is migrated; whatever else changes is migrated as before.
  @Test(arguments: pairs) func whatNoVersionHashHasIsNotMigrated(_ pair: Pair) {
    var model = Self.base
    pair.edit(&model)
    func isMigrated(_ new: ManagedObjectModel) -> Bool {
      ModelChanges(from: Self.base, to: new).all.contains { $0.migration != .nothing }
    }
    let isOther = Self.hashed(Self.base) != Self.hashed(model)
    #expect(isMigrated(model) == isOther)
    guard !isOther else { return }
    for index in model.entities.indices {
      model.entities[index].renamingIdentifier = "Old\(index)"
      for property in model.entities[index].attributes.indices {
        model.entities[index].attributes[property].renamingIdentifier = "old\(property)"
      }
      for property in model.entities[index].relationships.indices {
        model.entities[index].relationships[property].renamingIdentifier = "older\(property)"
      }
    }
    #expect(!isMigrated(model))
  }

  @Test func aRenamingIDAloneIsNoted() {
    var new = Self.base
    new.attribute("Tag", "color") { $0.renamingIdentifier = "paint" }
    let changes = ModelChanges(from: Self.base, to: new).all
    #expect(changes.map(\.sentence) == ["Tag.color: renaming ID changed (none → paint)"])
    #expect(changes.first?.migration == .nothing)
    // Two entities that exchange their identifiers.
    var exchanged = Self.base
    exchanged.edit("Book") { $0.renamingIdentifier = "Game" }
    exchanged.edit("Game") { $0.renamingIdentifier = "Book" }
    #expect(
      ModelChanges(from: Self.base, to: exchanged).all.map(\.kind) == [
        .renamingIDChanged, .renamingIDChanged,
      ])
  }

  @Test func twoRenamesInARowAreOne() {
    var second = Self.base
    second.attribute("Tag", "color") {
      $0.name = "paint"
      $0.renamingIdentifier = "color"
    }
    var third = second
    third.attribute("Tag", "paint") { $0.name = "hue" }
    for older in [Self.base, second] {
      #expect(ModelChanges(from: older, to: third).all.map(\.kind) == [.attributeRenamed])
    }
  }

  /// Of several with one renaming identifier one was dropped, or the wrong one taken for the old one.
  @Test(arguments: [
    (["color"], ["paint:color", "color"], ["attributeAdded paint"]),
    (["color"], ["paint:color", "hue:color"], ["attributeRenamed hue", "attributeAdded paint"]),
    (["paint:color", "hue:color"], ["paint:color", "hue:color"], []),
    (["paint:color", "hue:color"], ["hue:color"], ["attributeRemoved paint"]),
    (["paint:color", "hue:color"], ["tint:color"], ["attributeRenamed tint", "attributeRemoved paint"]),
  ])
  func propertiesWithOneRenamingIdentifierAreToldApart(
    _ old: [String], _ new: [String], _ expected: [String]
  ) {
    func model(_ names: [String]) -> ManagedObjectModel {
      let attributes = names.map { words in
        let parts = words.split(separator: ":").map(String.init)
        return AttributeDescription(
          name: parts[0], type: .string, renamingIdentifier: parts.count > 1 ? parts[1] : nil)
      }
      return ManagedObjectModel(entities: [EntityDescription(name: "Tag", attributes: attributes)])
    }
    let changes = ModelChanges(from: model(old), to: model(new)).all
    #expect(changes.map { "\($0.kind) \($0.property ?? "")" } == expected)
  }

  @Test func entitiesWithOneRenamingIdentifierAreToldApart() {
    func entity(_ name: String) -> EntityDescription {
      var entity = EntityDescription(name: name)
      entity.renamingIdentifier = "Tag"
      return entity
    }
    let old = ManagedObjectModel(entities: [EntityDescription(name: "Tag")])
    let new = ManagedObjectModel(entities: [entity("Label"), entity("Tag"), entity("Mark")])
    let changes = ModelChanges(from: old, to: new).all
    #expect(changes.map(\.sentence) == ["Label: entity added", "Mark: entity added"])
    #expect(
      ModelChanges(from: new, to: old).all.map(\.sentence) == [
        "Label: entity removed", "Mark: entity removed",
      ])
  }
}

extension ManagedObjectModel {
  fileprivate mutating func edit(_ entity: String, _ body: (inout EntityDescription) -> Void) {
    for index in entities.indices where entities[index].name == entity { body(&entities[index]) }
  }

  fileprivate mutating func attribute(
    _ entity: String, _ name: String, _ body: (inout AttributeDescription) -> Void
  ) {
    edit(entity) { entity in
      for index in entity.attributes.indices where entity.attributes[index].name == name {
        body(&entity.attributes[index])
      }
    }
  }

  fileprivate mutating func relationship(
    _ entity: String, _ name: String, _ body: (inout RelationshipDescription) -> Void
  ) {
    edit(entity) { entity in
      for index in entity.relationships.indices where entity.relationships[index].name == name {
        body(&entity.relationships[index])
      }
    }
  }
}
