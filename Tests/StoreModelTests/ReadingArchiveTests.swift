import Archives
import Base
import Forge
import StoreModel
import Testing

/// Archives of models made here: what real ones in reach don't have, and what none should.
struct ReadingArchiveTests {
  typealias Field = KeyedArchiveWriter.Field

  /// A model of the entities that `build` makes.
  private func decode(
    _ build: (KeyedArchiveWriter) -> [(String, KeyedArchiveWriter.Reference)]
  ) throws -> DecodedModel {
    let writer = KeyedArchiveWriter()
    let model = writer.object("NSManagedObjectModel")
    let entities = build(writer).map { (key: writer.string($0.0), value: $0.1) }
    writer.set("NSEntities", to: .reference(writer.dictionary(entities)), of: model)
    return try ModelArchiveReader.read(writer.bytes(root: model))
  }

  private func entity(
    _ writer: KeyedArchiveWriter, _ name: String, properties: [(String, KeyedArchiveWriter.Reference)],
    fields: [(String, Field)] = []
  ) -> KeyedArchiveWriter.Reference {
    let entries = properties.map { (key: writer.string($0.0), value: $0.1) }
    return writer.object(
      "NSEntityDescription",
      fields: [
        ("NSEntityName", .reference(writer.string(name))),
        ("NSProperties", .reference(writer.dictionary(entries))),
      ] + fields)
  }

  private func attribute(
    _ writer: KeyedArchiveWriter, _ name: String, type: Int64, className: String = "NSAttributeDescription",
    fields: [(String, Field)] = []
  ) -> KeyedArchiveWriter.Reference {
    writer.object(
      className,
      superclasses: ["NSAttributeDescription", "NSPropertyDescription", "NSObject"].filter {
        $0 != className
      },
      fields: [("NSPropertyName", .reference(writer.string(name))), ("NSAttributeType", .integer(type))]
        + fields)
  }

  @Test func compositesNest() throws {
    let decoded = try decode { writer in
      let city = attribute(writer, "city", type: 700)
      let country = attribute(writer, "a country", type: 700)
      let inner = attribute(
        writer, "place", type: 2100, className: "NSCompositeAttributeDescription",
        fields: [("NSCompositeElements", .reference(writer.array([city, country])))])
      let street = attribute(writer, "street", type: 700)
      let outer = attribute(
        writer, "address", type: 2100, className: "NSCompositeAttributeDescription",
        fields: [("NSCompositeElements", .reference(writer.array([street, inner])))])
      return [("Person", entity(writer, "Person", properties: [("address", outer)]))]
    }
    #expect(decoded.problems == [])
    let address = try #require(decoded.model["Person"]?.attributes.first)
    #expect(address.type == .composite)
    #expect(address.elements.map(\.name) == ["street", "place"])
    #expect(address.elements.last?.elements.map(\.name) == ["city", "a country"])
  }

  @Test func inheritedPropertiesAreTheSuperentitys() throws {
    let decoded = try decode { writer in
      let name = attribute(writer, "name", type: 700)
      let parent = entity(writer, "Parent", properties: [("name", name)])
      let proxy = writer.object(
        "_NSPropertyDescriptionProxy", fields: [("NSUnderlyingProperty", .reference(name))])
      let copy = attribute(writer, "name", type: 700)
      let own = attribute(writer, "age", type: 100, fields: [("NSFlagsKey", .integer(0x34))])
      let superentity: [(String, Field)] = [("NSSuperentity", .reference(parent))]
      return [
        ("Parent", parent),
        ("A", entity(writer, "A", properties: [("name", proxy)], fields: superentity)),
        ("B", entity(writer, "B", properties: [("name", copy), ("age", own)], fields: superentity)),
      ]
    }
    #expect(decoded.problems == [])
    #expect(decoded.model["A"]?.attributes == [])
    #expect(decoded.model["B"]?.superentity == "Parent")
    let age = try #require(decoded.model["B"]?.attributes.first)
    #expect(age.name == "age")
    #expect(age.allowsExternalStorage && age.preservesValueOnDeletion && age.isFileBackedFuture)
    #expect(decoded.model["Parent"]?.attributes.map(\.name) == ["name"])
  }

  @Test(arguments: [
    (Field.integer(1), AttributeType.boolean, DataValue.bool(true)), (.bool(true), .integer16, .integer(1)),
    (.bool(false), .boolean, .bool(false)), (.real(1.5), .double, .real(1.5)),
    (.string("x"), .string, .text("x")),
  ])
  func defaults(field: Field, type: AttributeType, expected: DataValue) throws {
    let decoded = try decode { writer in
      let attribute = attribute(
        writer, "a", type: Int64(type.rawValue), fields: [("NSDefaultValue", field)])
      return [("E", entity(writer, "E", properties: [("a", attribute)]))]
    }
    #expect(decoded.model["E"]?.attributes.first?.defaultValue == expected)
  }

  @Test func cyclesEnd() throws {
    let decoded = try decode { writer in
      let composite = attribute(writer, "c", type: 2100)
      writer.set("NSCompositeElements", to: .reference(writer.array([composite])), of: composite)
      let proxy = writer.object("_NSPropertyDescriptionProxy")
      writer.set("NSUnderlyingProperty", to: .reference(proxy), of: proxy)
      let own = attribute(writer, "d", type: 1800)
      writer.set("NSDefaultValue", to: .reference(own), of: own)
      let one = entity(writer, "One", properties: [("c", composite), ("p", proxy), ("d", own)])
      let two = entity(writer, "Two", properties: [])
      let three = entity(writer, "Three", properties: [])
      let selfish = entity(writer, "Selfish", properties: [])
      writer.set("NSSuperentity", to: .reference(three), of: two)
      writer.set("NSSuperentity", to: .reference(two), of: three)
      writer.set("NSSuperentity", to: .reference(selfish), of: selfish)
      return [("One", one), ("Two", two), ("Three", three), ("Selfish", selfish)]
    }
    #expect(decoded.problems.contains("Two is among its own superentities"))
    #expect(decoded.problems.contains("Selfish is among its own superentities"))
    #expect(decoded.problems.contains("One.p isn't a property description and was left out"))
    #expect(decoded.model["Two"]?.superentity == nil)
    #expect(decoded.model["Three"]?.superentity == "Two")
    #expect(decoded.model["One"]?.attributes.map(\.name) == ["c", "d"])
  }

  @Test func sharedCompositesDontMultiply() throws {
    #expect(throws: ArchiveError.self) {
      try decode { writer in
        var last = attribute(writer, "leaf", type: 700)
        for level in 0..<12 {
          last = attribute(
            writer, "level \(level)", type: 2100,
            fields: [
              ("NSCompositeElements", .reference(writer.array(Array(repeating: last, count: 16))))
            ])
        }
        return [("E", entity(writer, "E", properties: [("a", last)]))]
      }
    }
  }

  @Test func sharedDictionariesDontMultiply() throws {
    #expect(throws: ArchiveError.self) {
      try decode { writer in
        let attribute = attribute(writer, "a", type: 700)
        let all = entity(writer, "E", properties: (0..<2000).map { ("a\($0)", attribute) })
        return (0..<15_000).map { ("E\($0)", all) }
      }
    }
  }

  /// With a copy for each reference this would need 150 GB.
  @Test func sharedDataIsNotCopied() throws {
    let decoded = try decode { writer in
      let data = writer.data([UInt8](repeating: 7, count: 10_000_000))
      return (0..<15_000).map { ("E\($0)", data) }
    }
    #expect(decoded.model.entities == [])
    #expect(decoded.problems.count == 100)
  }

  @Test func tooManyEntitiesAreRefused() throws {
    #expect(throws: ArchiveError.self) {
      try decode { writer in
        let one = entity(writer, "E", properties: [])
        return (0..<16_000).map { ("E\($0)", one) }
      }
    }
  }

  @Test func whatIsMissingIsReported() throws {
    let decoded = try decode { writer in
      let lost = writer.object("NSRelationshipDescription")
      let odd = writer.object("Odd")
      let untyped = writer.object("NSAttributeDescription")
      let future = attribute(writer, "future", type: 9999)
      let gone = writer.object(
        "NSRelationshipDescription",
        fields: [
          ("_NSDestinationEntityName", .reference(writer.string("Gone"))), ("NSDeleteRule", .integer(77)),
          ("NSMaxCount", .integer(.max)),
        ])
      return [
        (
          "E",
          entity(
            writer, "E",
            properties: [
              ("lost", lost), ("odd", odd), ("untyped", untyped), ("future", future), ("gone", gone),
              ("text", writer.string("text")),
            ])
        ), ("F", writer.string("no entity")),
      ]
    }
    #expect(
      decoded.problems == [
        "E.lost has no destination and was left out",
        "E.odd is of the unknown kind Odd and was left out",
        "E.untyped has no type",
        "E.future has the unknown type 9999",
        "E.gone has the unknown deletion rule 77",
        "E.text isn't a property description and was left out",
        "F isn't an entity description and was left out",
        "E.gone leads to Gone, which isn't an entity of the model",
      ])
    #expect(decoded.model["E"]?.attributes.map(\.type) == [.undefined, .undefined])
    #expect(decoded.model["E"]?.relationships.map(\.isToMany) == [true])
  }

  @Test func longNamesAndManyProblemsStaySmall() throws {
    let name = String(repeating: "n", count: 10_000)
    let decoded = try decode { writer in
      let future = attribute(writer, name, type: 9999)
      return [("E", entity(writer, "E", properties: (0..<500).map { ("\($0)\(name.prefix(900))", future) }))]
    }
    #expect(decoded.problems.count == 100)
    #expect(decoded.problems.allSatisfy { $0.utf8.count < 400 })
  }

  @Test(arguments: [
    "NSEntities", "NSConfigurations", "NSVersionIdentifiers", "NSEntityName", "NSClassNameForEntity",
    "NSIsAbstract",
    "NSSuperentity", "NSSubentities", "NSProperties", "NSUserInfo", "NSUniqueTuples", "NSPropertyName",
    "NSEntity",
    "NSRenamingIdentifier", "NSIsOptional", "NSIsTransient", "NSAttributeType", "NSAttributeValueClassName",
    "NSDefaultValue", "NSValueTransformerName", "NSFlagsKey", "NSCompositeElements",
    "_NSDestinationEntityName",
    "NSDestinationEntity", "_NSInverseRelationshipName", "NSInverseRelationship", "NSMinCount", "NSMaxCount",
    "NSDeleteRule", "NSIsOrdered",
  ])
  func wrongTypesInAField(key: String) throws {
    for index in 0..<10 {
      let writer = KeyedArchiveWriter()
      let wrong: [Field] = [
        .bool(true), .integer(-1), .integer(.min), .real(.nan), .string("text"), .data([1, 2]),
        .reference(.null),
        .references([]), .reference(writer.array([writer.integer(7)])),
        .reference(writer.dictionary([(writer.integer(1), writer.integer(2))])),
      ]
      // All fields in all objects: each reader takes what it knows.
      let leaf = attribute(writer, "leaf", type: 700)
      let objects = [
        "NSManagedObjectModel", "NSEntityDescription", "NSAttributeDescription", "NSRelationshipDescription",
      ].map { writer.object($0) }
      let members = writer.dictionary(
        [("one", objects[2]), ("two", objects[3]), ("leaf", leaf)].map { (writer.string($0.0), $0.1) })
      let entities = writer.dictionary([(writer.string("E"), objects[1])])
      for object in objects {
        for (name, value) in fields(of: writer, leaf: leaf, members: members, entities: entities) {
          writer.set(name, to: name == key ? wrong[index] : value, of: object)
        }
      }
      let decoded = try? ModelArchiveReader.read(writer.bytes(root: objects[0]))
      if key != "NSEntities" { #expect(decoded?.model.entities.count == 1) }
    }
  }

  private func fields(
    of writer: KeyedArchiveWriter, leaf: KeyedArchiveWriter.Reference, members: KeyedArchiveWriter.Reference,
    entities: KeyedArchiveWriter.Reference
  ) -> [(String, Field)] {
    let text = Field.reference(writer.string("text"))
    let leaves = Field.reference(writer.array([leaf]))
    return [
      ("NSEntities", .reference(entities)), ("NSConfigurations", .reference(entities)),
      ("NSVersionIdentifiers", .reference(writer.set([]))), ("NSEntityName", text),
      ("NSClassNameForEntity", text), ("NSIsAbstract", .bool(true)), ("NSSuperentity", .reference(leaf)),
      ("NSSubentities", .reference(.null)), ("NSProperties", .reference(members)),
      ("NSUserInfo", .reference(members)),
      ("NSUniqueTuples", .reference(writer.array([writer.array([writer.string("leaf")])]))),
      ("NSPropertyName", text), ("NSEntity", .reference(leaf)), ("NSRenamingIdentifier", text),
      ("NSIsOptional", .bool(true)), ("NSIsTransient", .bool(true)), ("NSAttributeType", .integer(2100)),
      ("NSAttributeValueClassName", text), ("NSDefaultValue", text), ("NSValueTransformerName", text),
      ("NSFlagsKey", .integer(4)), ("NSCompositeElements", leaves), ("_NSDestinationEntityName", text),
      ("NSDestinationEntity", .reference(leaf)), ("_NSInverseRelationshipName", text),
      ("NSInverseRelationship", .reference(leaf)), ("NSMinCount", .integer(0)), ("NSMaxCount", .integer(0)),
      ("NSDeleteRule", .integer(1)), ("NSIsOrdered", .bool(true)),
    ]
  }

  @Test(arguments: [
    ([UInt8](), "empty"), (Array("bplist00".utf8), "short"), (Array("{}".utf8), "no plist"),
    (BinaryPropertyList.write(["a": .integer(1)]), "no archive"),
  ])
  func noArchive(bytes: [UInt8], why: String) {
    #expect(throws: ArchiveError.self) { try ModelArchiveReader.read(bytes) }
  }

  @Test func anotherRoot() throws {
    let writer = KeyedArchiveWriter()
    let bytes = writer.bytes(root: writer.array([]))
    let error = #expect(throws: ArchiveError.self) { try ModelArchiveReader.read(bytes) }
    #expect(error?.description == "the keyed archive holds a NSArray instead of an NSManagedObjectModel")
  }
}
