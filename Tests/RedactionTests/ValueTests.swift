import Archives
import Base
import Forge
import Foundation
import Redaction
import SQLite
import StoreModel
import TestSupport
import Testing

/// What comes in place of values.
struct ValueTests {
  private static let name = AttributeDescription(name: "name", type: .string)
  private static let age = AttributeDescription(name: "age", type: .integer16)
  private static let born = AttributeDescription(name: "born", type: .date)
  private static let token = AttributeDescription(name: "token", type: .uuid)
  private static let extra = AttributeDescription(name: "extra", type: .binary)

  @Test func equalTextsStayEqual() throws {
    let fixture = try RedactionFixture(
      [Self.name], objects: [["name": "Ann"], ["name": "Ben"], ["name": "Ann"], ["name": ""], [:]])
    try fixture.redact()
    let names = try fixture.values("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK")
    #expect(names[0] == names[2] && names[0] != names[1])
    #expect(names[0].string?.hasPrefix("text-") ?? false)
    #expect(names[3...] == [.text(""), .null])
  }

  @Test func lengthsAreKept() throws {
    let texts = ["a", "Ann", "Ännchen", "12345", "a long text, " + String(repeating: "word ", count: 50)]
    let fixture = try RedactionFixture([Self.name], objects: texts.map { ["name": .text($0)] })
    try fixture.redact(RedactionOptions(marks: Marks(saltText: "test"), keepsLengths: true))
    let names = try fixture.values("SELECT ZNAME FROM ZPERSON ORDER BY Z_PK").map { $0.string ?? "" }
    #expect(names.map(\.count) == texts.map(\.count))
    #expect(Set(names).isDisjoint(with: texts))
    // A column that prefers numbers must not take them for one.
    #expect(names.allSatisfy { $0.first?.isLetter ?? false })
  }

  /// Only so many short texts can be told apart.
  @Test func uniqueTextsStayUnique() throws {
    let texts = (0..<300).map { String($0, radix: 36) }
    let fixture = try RedactionFixture([Self.name], objects: texts.map { ["name": .text($0)] }) {
      try $0.execute("CREATE UNIQUE INDEX Z_Person_UNIQUE_name ON ZPERSON (ZNAME COLLATE BINARY ASC)")
    }
    let result = try fixture.redact(RedactionOptions(keepsLengths: true))
    #expect(result.problems.isEmpty)
    #expect(Set(try fixture.values("SELECT ZNAME FROM ZPERSON")).count == 300)
  }

  /// Of one byte only 256 can be told apart, and marks collide long before.
  @Test func uniqueDataStaysUnique() throws {
    let objects: [[String: ForgeValue]] = (128..<228).map { ["extra": .bytes([$0])] }
    let fixture = try RedactionFixture([Self.extra], objects: objects) {
      try $0.execute("CREATE UNIQUE INDEX Z_Person_UNIQUE_extra ON ZPERSON (ZEXTRA COLLATE BINARY ASC)")
    }
    try fixture.redact(RedactionOptions(keepsLengths: true))
    #expect(Set(try fixture.values("SELECT ZEXTRA FROM ZPERSON")).count == 100)
  }

  /// A rule of the app's own that is no CHECK: nothing is said of room on the disk.
  @Test func rulesThatMarksDoNotPassAreTold() throws {
    let fixture = try RedactionFixture([Self.name], objects: [["name": "1"], ["name": "2"]]) {
      try $0.execute("CREATE TABLE lone (a TEXT, b AS (SUBSTR(a, 1, 4)) UNIQUE)")
      try $0.execute("INSERT INTO lone (a) VALUES ('secret one'), ('another secret')")
    }
    let error = #expect(throws: StoreScopeError.self) { try fixture.redact() }
    #expect(error?.description.contains("--salt") ?? false)
  }

  @Test(arguments: [
    ("NSCloudKitMirroringDelegate.import", true), ("NSCloudKitMirroringDelegate.Ann", false),
    ("com.apple.coredata.schemamigrator: Ann", false),
    ("com.apple.coredata.schemamigrator: lightweight migration from model with digest { Ann }", false),
    (
      "com.apple.coredata.schemamigrator: lightweight migration from model with digest { "
        + String(repeating: "A", count: 86) + "== }", true
    ),
  ])
  func ofAuthorsOnlyTheFrameworksStay(_ author: String, _ stays: Bool) throws {
    let fixture = try RedactionFixture([Self.name], objects: [["name": "Ben"]]) {
      try $0.execute("UPDATE ATRANSACTIONSTRING SET ZNAME = ?", [.text(author)])
    }
    try fixture.redact()
    let name = try #require(try fixture.values("SELECT ZNAME FROM ATRANSACTIONSTRING").first?.string)
    #expect(stays ? name == author : !name.contains("Ann"))
    // Whose transaction it is decides what the exporter does with it.
    let prefix = "NSCloudKitMirroringDelegate."
    #expect(name.hasPrefix(prefix) == author.hasPrefix(prefix))
  }

  /// What the app puts into the metadata is the app's, keys too; a framework's prefix makes it no name.
  @Test func keysOfTheAppsMetadataAreValues() throws {
    let known = "PFCloudKitMetadataNeedsMetadataMigrationKey"
    let fixture = try RedactionFixture([Self.name], objects: [["name": "Ben"]]) {
      let stored = try $0.first("SELECT Z_PLIST FROM Z_METADATA") { $0.bytes(0) } ?? []
      var entries = try BinaryPropertyList.read(stored).dictionary?.entries ?? []
      entries += [.init("ann@example.com", .string("Ann")), .init("PFCloudKitAnn", .integer(1))]
      entries += [.init(known, .string("Ann"))]
      let bytes = BinaryPropertyList.write(.dictionary(PropertyListDictionary(entries)))
      try $0.execute("UPDATE Z_METADATA SET Z_PLIST = ?", [.blob(bytes)])
    }
    try fixture.redact()
    let bytes = try fixture.bytes("SELECT Z_PLIST FROM Z_METADATA")
    let list = try #require(try BinaryPropertyList.read(bytes).dictionary)
    #expect(list.keys.filter { $0.hasPrefix("text-") }.count == 2 && list.keys.contains(known))
    #expect(list["NSStoreType"]?.string == "SQLite")
    let text = String(decoding: bytes, as: UTF8.self).lowercased()
    #expect(!text.contains("ann"))
  }

  private static let kept: [(RedactionOptions.Kept, Bool, Bool)] = [
    ([], false, false), (.numbers, true, false), (.dates, false, true), ([.numbers, .dates], true, true),
  ]

  @Test(arguments: kept)
  func numbersAndDatesAreValues(_ kept: RedactionOptions.Kept, _ hasNumbers: Bool, _ hasDates: Bool) throws {
    let date = CoreDataDate(seconds: 700_000_000)
    let fixture = try RedactionFixture([Self.age, Self.born], objects: [["age": 41, "born": .date(date)]])
    try fixture.redact(RedactionOptions(kept: kept))
    #expect((try fixture.values("SELECT ZAGE FROM ZPERSON") == [41]) == hasNumbers)
    #expect((try fixture.values("SELECT ZBORN FROM ZPERSON") == [.integer(700_000_000)]) == hasDates)
    // The time of a save is state.
    #expect(try fixture.values("SELECT COUNT(*) FROM ATRANSACTION WHERE ZTIMESTAMP > 0") == [1])
  }

  @Test func programsAreMarkedOrKept() throws {
    let fixture = try RedactionFixture([Self.name], objects: [["name": "Ann"]]) {
      try $0.execute(
        "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (9, 16003, 1, 'com.example.app')")
      try $0.execute("UPDATE ATRANSACTION SET ZBUNDLEIDTS = 9")
    }
    try fixture.redact()
    let names = try fixture.values("SELECT ZNAME FROM ATRANSACTIONSTRING").compactMap(\.string)
    #expect(names.filter { !$0.hasPrefix("program-") } == ["the app"] && names.count == 2)
    try FileManager.default.removeItem(atPath: fixture.copyPath)
    try fixture.redact(RedactionOptions(kept: .programs))
    #expect(try fixture.values("SELECT ZNAME FROM ATRANSACTIONSTRING").contains("com.example.app"))
  }

  @Test func aSaltRepeats() throws {
    let fixture = try RedactionFixture(
      [Self.name, Self.token], objects: [["name": "Ann", "token": .text(uuid)]])
    var copies: [[SQLiteValue]] = []
    for options in [
      RedactionOptions(marks: Marks(saltText: "a")), .init(marks: Marks(saltText: "a")), .init(),
    ] {
      try fixture.redact(options)
      copies.append(
        try fixture.values(
          "SELECT ZNAME FROM ZPERSON UNION ALL SELECT HEX(ZTOKEN) FROM ZPERSON UNION ALL SELECT Z_UUID FROM Z_METADATA"
        ))
      try FileManager.default.removeItem(atPath: fixture.copyPath)
    }
    #expect(copies[0] == copies[1])
    #expect(Set(copies[0]).isDisjoint(with: copies[2]))
  }

  private let uuid = "7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9"

  @Test func aUUIDIsOneWhereverItStands() throws {
    let fixture = try RedactionFixture(
      [Self.name, Self.token], objects: [["name": .text(uuid), "token": .text(uuid)]])
    try fixture.redact()
    let text = try #require(try fixture.values("SELECT ZNAME FROM ZPERSON").first?.string)
    let bytes = try #require(Hexadecimal.uuidBytes(text))
    #expect(text != uuid)
    #expect(try fixture.values("SELECT ZTOKEN FROM ZPERSON") == [.blob(bytes)])
  }

  private static let kinds: [(String, [UInt8])] = [
    ("json", Array(#"{"name":["Ann",41,true]}"#.utf8)),
    ("png", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2]),
    ("text", Array("a note about Ann".utf8) + Array("!".utf8)),
    ("bplist", BinaryPropertyList.write(["name": .string("Ann"), "when": .date(CoreDataDate(seconds: 1))])),
    ("keyedArchive", archive),
  ]

  @Test(arguments: kinds)
  func dataKeepsItsKind(_ kind: String, _ bytes: [UInt8]) throws {
    let fixture = try RedactionFixture([Self.extra], objects: [["extra": .bytes(bytes)]])
    try fixture.redact()
    let copy = try fixture.bytes("SELECT ZEXTRA FROM ZPERSON")
    #expect(copy.withUnsafeBytes { BlobKind.sniff($0) }.rawValue == kind)
    #expect(copy != bytes && !String(decoding: copy, as: UTF8.self).contains("Ann"))
  }

  private static let archive: [UInt8] = {
    let writer = KeyedArchiveWriter()
    return writer.bytes(
      root: writer.object(
        "App.Note",
        fields: [("author", .reference(writer.string("Ann"))), ("stars", .integer(5)), ("done", .bool(true))])
    )
  }()

  @Test func ofAnArchivedObjectOnlyTheValuesGo() throws {
    let fixture = try RedactionFixture([Self.extra], objects: [["extra": .bytes(Self.archive)]])
    try fixture.redact()
    let copy = try fixture.bytes("SELECT ZEXTRA FROM ZPERSON")
    let root = try #require(try KeyedArchive(bytes: copy).root)
    #expect(root.className == "App.Note")
    #expect(root["author"]?.string?.hasPrefix("text-") ?? false)
    #expect(root["stars"]?.integer != 5)
  }

  /// Nobody reads these places, so anything can hide there.
  @Test func whatNoObjectHasGoesFromAnArchive() throws {
    let list = try #require(try BinaryPropertyList.read(Self.archive).dictionary)
    let objects = try #require(list["$objects"]?.array)
    let forged = objects.enumerated().map { place, object -> PropertyList in
      if place == 0 { return .string("Ann Hidden") }
      guard let entries = object.dictionary?.entries, object["$classname"] != nil else { return object }
      return .dictionary(PropertyListDictionary(entries + [.init("Ann", .string("Ann Hidden"))]))
    }
    let bytes = BinaryPropertyList.write(
      .dictionary(
        PropertyListDictionary(
          list.entries.map { $0.key == "$objects" ? .init("$objects", .array(forged)) : $0 })))
    let fixture = try RedactionFixture([Self.extra], objects: [["extra": .bytes(bytes)]])
    try fixture.redact()
    let copy = try fixture.bytes("SELECT ZEXTRA FROM ZPERSON")
    #expect(!String(decoding: copy, as: UTF8.self).contains("Ann"))
    #expect(String(decoding: copy, as: UTF8.self).contains("App.Note"))
  }

  /// A mask has as many bits as the entity has properties; what is longer is something else, and stays as long.
  @Test func whatIsNoMaskOfChangesGoes() throws {
    let fixture = try RedactionFixture([Self.name], objects: [["name": "Ben"], ["name": "Cid"]]) {
      try $0.execute(
        "UPDATE ACHANGE SET ZCOLUMNS = CASE Z_PK WHEN 1 THEN x'80' ELSE ? END", [.blob(Array("Ann".utf8))])
    }
    try fixture.redact()
    let masks = try fixture.values("SELECT ZCOLUMNS FROM ACHANGE ORDER BY Z_PK")
    #expect(masks.first == .blob([0x80]) && masks.last != .blob(Array("Ann".utf8)))
    #expect(try fixture.values("SELECT LENGTH(ZCOLUMNS) FROM ACHANGE ORDER BY Z_PK") == [1, 3])
  }

  /// Bytes that no archive reader can make sense of stay such.
  @Test func damagedArchivesStayDamaged() throws {
    let fixture = try RedactionFixture(
      [Self.extra], objects: [["extra": .bytes(Array(Self.archive.prefix(90)))]])
    try fixture.redact()
    let copy = try fixture.bytes("SELECT ZEXTRA FROM ZPERSON")
    #expect((try? KeyedArchive(bytes: copy)) == nil)
  }
}
