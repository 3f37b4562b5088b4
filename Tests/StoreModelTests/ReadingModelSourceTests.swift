import Archives
import Base
import StoreModel
import Testing

/// The XML of models, for what the real ones in reach don't have.
struct ReadingModelSourceTests {
  private func read(_ xml: String) throws -> DecodedModel { try ModelSourceReader.read(Array(xml.utf8)) }

  @Test func everything() throws {
    let decoded = try read(
      """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model userDefinedModelVersionIdentifier="7">
        <entity name="Base" isAbstract="YES"><userInfo><entry key="k" value="v"/></userInfo></entity>
        <entity name="Person" representedClassName=".Person" parentEntity="Base" elementID="Human">
          <attribute name="i" attributeType="Integer 16" defaultValueString="-3"/>
          <attribute name="b" optional="YES" attributeType="Boolean" defaultValueString="YES"/>
          <attribute name="d" attributeType="Date" defaultDateTimeInterval="12.5"/>
          <attribute name="f" attributeType="Float" defaultValueString="0.1"/>
          <attribute name="m" attributeType="Decimal" defaultValueString="0.10"/>
          <attribute name="photo" attributeType="Binary" allowsExternalBinaryDataStorage="YES"
            preserveAfterDeletion="YES"/>
          <attribute name="t" attributeType="Transformable" valueTransformerName="T" customClassName="[String]"/>
          <attribute name="sum" transient="YES" derived="YES" attributeType="Double" derivationExpression="x"/>
          <attribute name="home" attributeType="Composite" composite="Address"/>
          <relationship name="friends" toMany="YES" ordered="YES" minCount="1" maxCount="5" deletionRule="Deny"
            destinationEntity="Person" inverseName="friends"/>
          <relationship name="boss" maxCount="1" deletionRule="No Action" destinationEntity="Person"/>
          <fetchedProperty name="found"/>
          <uniquenessConstraints>
            <uniquenessConstraint><constraint value="i"/><constraint value="b"/></uniquenessConstraint>
          </uniquenessConstraints>
        </entity>
        <configuration name="Local"><memberEntity name="Person"/></configuration>
        <composite name="Address">
          <attribute name="street" attributeType="String"/>
          <attribute name="place" attributeType="Composite" composite="Place"/>
        </composite>
        <composite name="Place"><attribute name="city" attributeType="String"/></composite>
        <elements><element name="Person" positionX="0"/></elements>
      </model>
      """)
    #expect(decoded.problems == [])
    #expect(decoded.model.versionIdentifiers == ["7"])
    #expect(decoded.model.configurations == ["Local": ["Person"]])
    #expect(decoded.model["Base"]?.isAbstract == true)
    #expect(decoded.model["Base"]?.userInfo == ["k": "v"])
    let person = try #require(decoded.model["Person"])
    #expect(person.superentity == "Base")
    #expect(person.renamingIdentifier == "Human")
    #expect(person.fetchedProperties == ["found"])
    #expect(person.uniquenessConstraints == [["i", "b"]])
    let attributes = Dictionary(uniqueKeysWithValues: person.attributes.map { ($0.name, $0) })
    #expect(attributes["i"]?.defaultValue == .integer(-3))
    #expect(attributes["b"]?.defaultValue == .bool(true))
    #expect(attributes["b"]?.isOptional == true)
    #expect(attributes["i"]?.isOptional == false)
    #expect(attributes["d"]?.defaultValue == .date(CoreDataDate(seconds: 12.5)))
    #expect(attributes["f"]?.defaultValue == .real(Double(Float(0.1))))
    #expect(attributes["m"]?.defaultValue == .text("0.10"))
    #expect(attributes["photo"]?.allowsExternalStorage == true)
    #expect(attributes["photo"]?.preservesValueOnDeletion == true)
    #expect(attributes["t"]?.valueClassName == "[String]")
    #expect(attributes["sum"]?.isDerived == true)
    #expect(attributes["home"]?.elements.map(\.name) == ["street", "place"])
    #expect(attributes["home"]?.elements.last?.elements.map(\.name) == ["city"])
    let friends = try #require(person.relationships.last)
    #expect(friends.isToMany && friends.isOrdered && friends.deleteRule == .deny)
    #expect(friends.minCount == 1 && friends.maxCount == 5)
    #expect(person.relationships.first?.maxCount == 1)
    #expect(person.relationships.first?.deleteRule == .noAction)
  }

  /// A default that isn't written as its type is still one: an attribute that was Boolean keeps "NO" when it becomes an
  /// integer, and its migration was said to fail for lack of a default.
  @Test(
    arguments: [
      ("Integer 16", "NO", 0), ("Integer 64", "YES", 1), ("Integer 32", "0.0", 0), ("Integer 32", "-2.5", -2),
      ("Integer 16", "zero", "zero"), ("Integer 16", "9223372036854775807", .integer(.max)),
      ("Double", "NO", .real(0)), ("Float", "yes", .real(1)), ("Boolean", "NO", false),
      ("Boolean", "YES", true),
      ("Boolean", "1", true), ("Boolean", "0", false), ("Boolean", "true", true), ("Decimal", "0.0", "0.0"),
      ("String", "NO", "NO"), ("String", "", ""), ("Integer 16", "", nil), ("UUID", "A", "A"),
      ("URI", "a:b", "a:b"),
    ] as [(String, String, DataValue?)])
  func defaultsOfEachType(_ type: String, _ text: String, _ value: DataValue?) throws {
    let model = try read(
      #"<model><entity name="A"><attribute name="a" attributeType="\#(type)" defaultValueString="\#(text)"/></entity></model>"#
    ).model
    #expect(model["A"]?.attributes.first?.defaultValue == value)
  }

  @Test func faultsAreReported() throws {
    let decoded = try read(
      """
      <model>
        <entity/><entity name="A" parentEntity="Gone"/><entity name="A"/>
        <entity name="B">
          <attribute attributeType="String"/><attribute name="x" attributeType="Quaternion"/>
          <attribute name="x" attributeType="String"/><attribute name="c" attributeType="Composite" composite="No"/>
          <relationship name="r"/><relationship name="s" destinationEntity="A" deletionRule="Explode"/>
        </entity>
      </model>
      """)
    #expect(
      decoded.problems == [
        "an element <entity> has no name",
        "B has an element <attribute> without a name",
        "B.x has the unknown type Quaternion",
        "B.c refers to a composite that isn't in the model",
        "B.r has no destination and was left out",
        "B.s has the unknown deletion rule Explode",
        "there is more than one entity A",
        "there is more than one property B.x",
        "A has a superentity Gone that is not in the model",
      ])
    #expect(decoded.model.entities.map(\.name) == ["A", "B"])
  }

  @Test func compositesThatHoldThemselves() throws {
    let decoded = try read(
      """
      <model><entity name="E"><attribute name="a" attributeType="Composite" composite="C"/></entity>
      <composite name="C"><attribute name="c" attributeType="Composite" composite="C"/></composite></model>
      """)
    #expect(decoded.problems.count == 1)
  }

  @Test func compositesThatMultiply() {
    let twice = (0..<10).map { #"<attribute name="\#($0)" attributeType="Composite" composite="C"/>"# }
      .joined()
    #expect(throws: ArchiveError.self) {
      try read(
        """
        <model><entity name="E"><attribute name="a" attributeType="Composite" composite="C"/></entity>
        <composite name="C">\(twice)</composite></model>
        """)
    }
  }

  @Test(arguments: ["", "<plist/>", "<model>", "<!DOCTYPE m [<!ENTITY a 'b'>]><model>&a;</model>"])
  func noModel(xml: String) {
    #expect(throws: ArchiveError.self) { try read(xml) }
  }
}
