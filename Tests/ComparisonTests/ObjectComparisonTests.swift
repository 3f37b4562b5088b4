import Base
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

@testable import Comparison

struct ObjectComparisonTests {
  struct Life: Sendable, CustomTestStringConvertible {
    var model: FixtureModels.Named
    var seed: UInt64
    var matching: Matching
    var testDescription: String { "\(model), seed \(seed), by \(matching.rawValue)" }
  }

  static let lives = FixtureModels.all.flatMap { model in
    (1...4).flatMap { seed in
      Matching.allCases.map { Life(model: model, seed: UInt64(seed), matching: $0) }
    }
  }

  /// Whatever an app did, exactly that is told, whether the other state has the same keys or is another device's.
  @Test(arguments: lives) func tellsWhatWasDone(_ life: Life) throws {
    let pair = try StorePair(life.model.model, isMirrored: life.matching == .record)
    try RandomLife.live(pair.forge, saves: 12, seed: life.seed)
    if life.matching == .record { try pair.register() }
    let before = try pair.copy("before")
    let old = pair.forge.truth
    try RandomLife.live(pair.forge, saves: 3, seed: life.seed + 100)
    if life.matching == .record { try pair.register() }
    let after = try pair.copy("after")
    let new = pair.forge.truth
    if life.matching == .record { try StorePair.becomeOtherDevice(after, pair.forge.schema) }

    let comparison = try StorePair.compare(before, after)
    #expect(comparison.matching == life.matching)
    let distance = life.matching == .record ? StorePair.keyDistance : 0
    for entity in pair.forge.schema.entities {
      let found = try #require(comparison.entity(entity.name))
      var difference = ExpectedDifference()
      difference.added = Set(found.added.keys.map { $0 - distance })
      difference.removed = Set(found.removed.keys)
      difference.changed = try comparison.changes(of: entity.name).mapValues { Set($0.map(\.name)) }
      #expect(difference == ExpectedDifference(entity, from: old, to: new), "\(entity.name)")
      #expect(found.unmatched.store.isEmpty && found.unmatched.other.isEmpty)
      #expect(found.rows.store == old.objects(of: entity.name).count)
      #expect(found.rows.other == new.objects(of: entity.name).count)
    }
    // The way back tells the same the other way round.
    let back = try StorePair.compare(after, before)
    for entity in comparison.entities {
      let other = try #require(back.entity(entity.name))
      #expect(other.added == entity.removed && other.removed == entity.added)
      #expect(other.changed.keys == entity.changed.keys.map { $0 + distance })
    }
  }

  @Test(arguments: FixtureModels.all) func equalStoresDoNotDiffer(_ model: FixtureModels.Named) throws {
    let pair = try StorePair(model.model)
    try RandomLife.live(pair.forge, saves: 10)
    let comparison = try StorePair.compare(
      try pair.copy("one"), try pair.copy("two"), parts: Set(StoreComparison.Part.allCases))
    #expect(comparison.isEmpty)
  }

  @Test func valuesAreTold() throws {
    let pair = try StorePair(FixtureModels.manyToMany)
    let (song, list, other) = try pair.forge.save { save in
      let song = try save.insert("Song", ["name": "Old"])
      let list = try save.insert("Playlist", ["name": "Mix"], links: ["songs": [song]])
      let other = try save.insert("Song", ["name": "Other"])
      return (song, list, other)
    }
    let before = try pair.copy("before")
    try pair.forge.save { save in
      try save.update(song, ["name": "New"])
      try save.unlink(list, "songs", song)
      try save.link(list, "songs", other)
    }
    let comparison = try StorePair.compare(before, try pair.copy("after"))
    let songs = try comparison.changes(of: "Song")
    let (songURI, listURI) = (pair.forge.uri(of: song), pair.forge.uri(of: list))
    #expect(
      songs[song.primaryKey] == [
        PropertyChange(name: "name", what: .value(from: "Old", to: "New")),
        PropertyChange(
          name: "playlists", what: .links(removed: [listURI], added: [], isReordered: false)),
      ])
    #expect(
      try comparison.changes(of: "Playlist")[list.primaryKey] == [
        PropertyChange(
          name: "songs",
          what: .links(removed: [songURI], added: [pair.forge.uri(of: other)], isReordered: false))
      ])
  }

  /// "The photo got a keyword" was told nowhere if the keyword was new, and its loss not if the keyword was deleted.
  @Test(arguments: Matching.allCases) func linksToNewAndDeletedObjectsAreTold(_ matching: Matching) throws {
    let pair = try StorePair(FixtureModels.manyToMany, isMirrored: matching == .record)
    let (old, list, other) = try pair.forge.save { save in
      let song = try save.insert("Song", ["name": "Old"])
      let list = try save.insert("Playlist", ["name": "Mix"], links: ["songs": [song]])
      return (song, list, try save.insert("Playlist", ["name": "Empty"]))
    }
    if matching == .record { try pair.register() }
    let before = try pair.copy("before")
    let song = try pair.forge.save { save in
      try save.delete(old)
      return try save.insert("Song", ["name": "New"], links: ["playlists": [list]])
    }
    // Of an object without a record nobody knows whether the other device has it.
    if matching == .record { try pair.register(except: { $0 == other }) }
    let comparison = try StorePair.compare(before, try pair.copy("after"), matching: matching)
    #expect(comparison.entity("Song")?.added.count == 1 && comparison.entity("Song")?.removed.count == 1)
    #expect(
      try comparison.changes(of: "Playlist") == [
        list.primaryKey: [
          PropertyChange(
            name: "songs",
            what: .links(
              removed: [pair.forge.uri(of: old)], added: [pair.forge.uri(of: song)], isReordered: false))
        ]
      ])
  }

  /// Photos' Asset inherited its albums from an entity that a later version doesn't have: no album was told any more.
  @Test(arguments: [true, false]) func linksAreToldAcrossHierarchies(_ isForward: Bool) throws {
    func pair(_ superentity: String?) throws -> (pair: StorePair, before: String) {
      let albums = RelationshipDescription(
        name: "albums", destination: "Album", inverse: "photos", isToMany: true)
      let photos = RelationshipDescription(
        name: "photos", destination: superentity ?? "Photo", inverse: "albums", isToMany: true)
      let above = superentity.map { EntityDescription(name: $0, isAbstract: true, relationships: [albums]) }
      let pair = try StorePair(
        ManagedObjectModel(
          entities: [
            EntityDescription(name: "Album", relationships: [photos]),
            EntityDescription(
              name: "Photo", superentity: superentity, relationships: superentity == nil ? [albums] : []),
          ] + (above.map { [$0] } ?? [])))
      let (photo, _) = try pair.forge.save { (try $0.insert("Photo"), try $0.insert("Album")) }
      let before = try pair.copy("before")
      try pair.forge.save { save in
        _ = try save.insert("Album", links: ["photos": [photo]])
      }
      return (pair, before)
    }
    let (old, new) = (try pair(isForward ? "Asset" : nil), try pair(isForward ? nil : "Asset"))
    let comparison = try StorePair.compare(old.before, new.pair.copy("after"), matching: .key)
    #expect(
      try comparison.changes(of: "Photo").mapValues { $0.map(\.name) } == [1: ["albums"]])
  }

  // MARK: Values in files

  @Test func filesAreComparedByContent() throws {
    var options = ForgeOptions()
    options.inlineLimit = 100
    let pair = try StorePair(FixtureModels.attributes, options: options)
    let large = [UInt8](repeating: 7, count: 5000)
    let objects = try pair.forge.save { save in
      try (0..<4).map { number in
        try save.insert(
          "Sample",
          ["attached": .bytes(large), "id": .text("00000000-0000-4000-8000-00000000000\(number)")])
      }
    }
    let before = try pair.copy("before")
    // The same bytes, in a new file; other bytes of the same size; bytes that are small enough for the row.
    try pair.forge.save { save in
      try save.update(objects[0], ["attached": .bytes(large)])
      try save.update(objects[1], ["attached": .bytes([UInt8](repeating: 8, count: 5000))])
      try save.update(objects[2], ["attached": .bytes([1, 2])])
    }
    let after = try pair.copy("after")
    #expect(try StorePair.compare(before, after).entity("Sample")?.changed.keys == [2, 3])
    // The same name, and another content: a file that somebody damaged.
    let cell = try pair.forge.connection.first("SELECT ZATTACHED FROM ZSAMPLE WHERE Z_PK = 4") { $0.bytes(0) }
    let name = String(decoding: try #require(cell).dropFirst().prefix(36), as: UTF8.self)
    let file = "after/.App_SUPPORT/_EXTERNAL_DATA/\(name)"
    try pair.folder.write([UInt8](repeating: 9, count: 5000), to: file)
    #expect(try StorePair.compare(before, after).entity("Sample")?.changed.keys == [2, 3, 4])
  }

  // MARK: Models

  @Test func modelsMayDiffer() throws {
    func model(_ entities: [EntityDescription]) -> ManagedObjectModel {
      ManagedObjectModel(entities: entities)
    }
    let text = AttributeDescription(name: "text", type: .string)
    let old = try StorePair(
      model([
        EntityDescription(name: "Gone", attributes: [text]),
        EntityDescription(
          name: "Note", attributes: [text, AttributeDescription(name: "rank", type: .integer16)]),
      ]))
    let new = try StorePair(
      model([
        EntityDescription(name: "Album", attributes: [text]),
        EntityDescription(
          name: "Note",
          attributes: [
            text, AttributeDescription(name: "rank", type: .string),
            AttributeDescription(name: "mood", type: .string),
          ]),
      ]))
    try old.forge.save { save in
      _ = try save.insert("Gone", ["text": "x"])
      _ = try save.insert("Note", ["text": "same", "rank": 1])
      _ = try save.insert("Note", ["text": "old"])
    }
    try new.forge.save { save in
      _ = try save.insert("Album", ["text": "y"])
      _ = try save.insert("Note", ["text": "same", "mood": "new"])
      _ = try save.insert("Note", ["text": "new"])
    }
    try new.forge.connection.execute("UPDATE ZNOTE SET ZRANK = '1' WHERE Z_PK = 1")
    let comparison = try StorePair.compare(try old.copy("copy"), try new.copy("copy"))
    #expect(comparison.model?.newEntities == ["Album"])
    #expect(comparison.model?.goneEntities == ["Gone"])
    #expect(
      comparison.model?.properties == [
        .init(entity: "Note", name: "mood", from: nil, to: "String"),
        .init(entity: "Note", name: "rank", from: "Integer 16", to: "String"),
      ])
    // One entity was asked for, and the whole model's differences were shown.
    let paths = (try old.copy("part"), try new.copy("part"))
    func models(_ entities: Set<String>?, _ parts: Set<StoreComparison.Part>) throws -> ModelComparison? {
      try StorePair.compare(paths.0, paths.1, parts: parts, entities: entities).model
    }
    #expect(try models(["Album"], [.objects])?.newEntities == ["Album"])
    #expect(try models(["Album"], [.objects])?.properties.isEmpty == true)
    #expect(try models(["Note"], [.objects])?.properties == comparison.model?.properties)
    // It was called equal.
    #expect(try models(nil, [.history]) == nil)
    #expect(comparison.entity("Gone")?.removed.count == 1)
    #expect(comparison.entity("Album")?.added.count == 1)
    // The number became a text, which is another value.
    #expect(
      try comparison.changes(of: "Note").mapValues { $0.map(\.name) } == [1: ["rank"], 2: ["text"]])
  }
}
