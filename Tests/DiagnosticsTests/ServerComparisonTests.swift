import Base
import Diagnostics
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// Values here against the server's copy, for every type of attribute.
struct ServerComparisonTests {
  private static let model: ManagedObjectModel = {
    var model = FixtureModels.attributes
    let secret = AttributeDescription(name: "secret", type: .string, allowsCloudEncryption: true)
    model.entities[0].attributes.append(secret)
    model.entities[0].attributes.sort { $0.name < $1.name }
    let boss = RelationshipDescription(name: "boss", destination: "Sample", inverse: "staff")
    let staff = RelationshipDescription(
      name: "staff", destination: "Sample", inverse: "boss", isToMany: true)
    model.entities[0].relationships = [boss, staff]
    model.configurations = [:]
    return model
  }()

  private static let values: [String: ForgeValue] = [
    "attached": .bytes([1, 2, 3]), "bytes": .bytes([4, 5]), "created": .date("2026-03-20T10:00:00.123Z"),
    "double": 0.1, "flag": true, "float": 0.1, "id": "0B6E8A52-3C1D-4B7F-8E25-6A4D9F01C3E7", "int16": -3,
    "int32": 7, "int64": .integer(.max), "kind": "cat", "link": "https://example.com/a%20b", "money": 12.5,
    "tags": .bytes(tags(["a", "b"])), "text": "Kafe\u{301}", "secret": "s",
  ]

  private static func tags(_ words: [String]) -> [UInt8] { Array(words.joined(separator: ",").utf8) }

  private func sample(_ change: (MirrorForge, ForgedObject, ForgedObject) throws -> Void) throws
    -> ServerComparison
  {
    let folder = TemporaryFolder("comparison")
    let forge = try StoreForge(path: folder.path("App.store"), model: Self.model)
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    let (one, other) = try mirror.save(author: "app") { save in
      let other = try save.insert("Sample", ["id": "4C7D20E6-9B15-4A83-8F4E-D0A6C3B7E512", "text": "boss"])
      return (try save.insert("Sample", Self.values, links: ["boss": [other]]), other)
    }
    try mirror.export()
    try change(mirror, one, other)
    let open = try OpenStore(forge.connection, path: forge.path)
    let trace = try TraceReader(open).trace(
      of: ObjectKey(entity: one.entityNumber, primaryKey: one.primaryKey))
    withExtendedLifetime(folder) {}
    return trace.comparison
  }

  @Test func equalValuesAreNeverListed() throws {
    let comparison = try sample { _, _, _ in }
    #expect(comparison.isCompared)
    #expect(comparison.differences.isEmpty, "\(comparison.differences)")
    // Of a composite that has no value on either side, nothing is left to compare.
    #expect(comparison.notCompared.map(\.property) == ["secret"])
  }

  /// One value spelled in another way, as stores and servers do.
  @Test(arguments: [
    "ZINT32 = 7.0", "ZMONEY = '12.5'", "ZFLAG = 1.0", "ZCREATED = ZCREATED + 0.0004",
    "ZTEXT = 'Kaf' || char(233)",
  ])
  func spellingsOfOneValueAreEqual(_ assignment: String) throws {
    let comparison = try sample { mirror, one, _ in
      try mirror.forge.connection.execute("UPDATE ZSAMPLE SET \(assignment) WHERE Z_PK = \(one.primaryKey)")
    }
    #expect(comparison.differences.isEmpty, "\(comparison.differences)")
  }

  static let changes: [(String, ForgeValue)] = [
    ("attached", .bytes([1, 2, 4])), ("bytes", .null), ("created", .date("2026-03-20T10:00:00.223Z")),
    ("double", 0.2), ("flag", false), ("float", 0.5), ("id", "9F4A1D38-26BE-4E0C-A7D3-C85E12F6B04B"),
    ("int16", 3), ("int32", .null), ("int64", 1), ("kind", "dog"), ("link", "https://example.com/b"),
    ("money", 12.25), ("tags", .bytes(tags(["a", "c"]))), ("text", ""),
  ]

  @Test(arguments: changes)
  func aChangedValueIsListed(_ name: String, _ value: ForgeValue) throws {
    let comparison = try sample { mirror, one, _ in
      try mirror.save(author: "app") { try $0.update(one, [name: value]) }
    }
    #expect(comparison.differences.map(\.property) == [name])
    #expect(comparison.differences.allSatisfy { $0.local != $0.server })
  }

  @Test func relationshipsAreComparedByTheirTargets() throws {
    let moved = try sample { mirror, one, other in
      try mirror.save(author: "app") { save in
        let third = try save.insert("Sample", ["id": "E2C94F07-75A8-4D36-B0F1-1D5B3A8C6E90"])
        try save.unlink(one, "boss", other)
        try save.link(one, "boss", third)
      }
    }
    #expect(moved.differences.map(\.property) == ["boss"])
    #expect(moved.differences.first?.local.text?.hasSuffix("/Sample/p3") == true)
    #expect(moved.differences.first?.server.text?.hasSuffix("/Sample/p1") == true)
    let cut = try sample { mirror, one, other in
      try mirror.save(author: "app") { try $0.unlink(one, "boss", other) }
    }
    #expect(cut.differences.map(\.property) == ["boss"] && cut.differences.first?.local == .null)
  }

  /// They aren't where a reader of the record finds them.
  @Test func largeAndEncryptedValuesAreNotCompared() throws {
    let comparison = try sample { mirror, one, _ in
      try mirror.save(author: "app") {
        try $0.update(
          one,
          [
            "author": .composite(["id": 7]), "bytes": .bytes([UInt8](repeating: 7, count: 20_000)),
            "secret": nil,
          ])
      }
      try mirror.export()
      try mirror.save(author: "app") { try $0.update(one, ["bytes": .bytes([7]), "secret": "new"]) }
    }
    #expect(comparison.differences.isEmpty, "\(comparison.differences)")
    #expect(
      comparison.notComparedText
        == "'author' (a composite attribute), 'bytes' (in a file of its own), 'secret' (encrypted)")
  }
}
