import Base
import Forge
import Lens
import SQLite
import TestSupport
import Testing

/// What is pending, against a model of it that is kept while a random life goes on.
@Suite struct RandomMirrorTests {
  private struct Life {
    var random: SeededGenerator
    var registered: Set<ForgedObject> = []
    var flagged: Set<ForgedObject> = []
    /// Saved since the last analysis: inserted (true) or touched.
    var fresh: [ForgedObject: Bool] = [:]
    var deleted: Set<ForgedObject> = []
    var unregistered: Set<ForgedObject> = []
  }

  @Test(arguments: 0..<24, MirrorSchema.Layout.allCases)
  func countsEqualTheModel(_ seed: Int, _ layout: MirrorSchema.Layout) throws {
    let fixture = try MirrorFixture(layout)
    try fixture.setUp()
    // One of each entity is uploaded, so that all are mirrored for certain.
    var life = Life(random: SeededGenerator(seed: UInt64(seed)))
    let first = try fixture.forge.save(author: "app") { save in
      try ["Person", "Employee", "Tag", "Draft"].map { try save.insert($0) }
    }
    for object in first { try fixture.record(object) }
    life.registered = Set(first)
    var token: Int64 = 1
    for _ in 0..<Int.random(in: 1..<40, using: &life.random) {
      if Int.random(in: 0..<6, using: &life.random) == 0 {
        token = Int64(fixture.forge.truth.transactions.count)
        try analyze(&life, fixture)
      } else {
        try save(&life, fixture, sparing: Set(first))
      }
    }
    try fixture.setToken(token)

    let mirror = try #require(try fixture.mirror())
    let counts = try PendingReader(mirror).counts
    let waiting =
      life.fresh.keys.filter { !life.flagged.contains($0) }.count
      + life.deleted.filter { life.registered.contains($0) && !life.flagged.contains($0) }.count
    #expect(
      counts[.upload, default: 0] + counts[.cloudDelete, default: 0] == life.flagged.count, "seed \(seed)")
    #expect(counts[.unanalyzed, default: 0] == waiting, "seed \(seed)")
    #expect(
      counts[.unregistered, default: 0] == life.unregistered.subtracting(life.fresh.keys).count,
      "seed \(seed)")
  }

  /// The exporter flags what it found and makes records of what has none.
  private func analyze(_ life: inout Life, _ fixture: MirrorFixture) throws {
    for object in life.fresh.keys.sorted(by: { $0.primaryKey < $1.primaryKey }) {
      if life.registered.insert(object).inserted {
        try fixture.record(object, acknowledged: false, ["ZNEEDSUPLOAD": 1])
        life.unregistered.remove(object)
      } else {
        try flag(object, "ZNEEDSUPLOAD = 1", fixture)
      }
      life.flagged.insert(object)
    }
    for object in life.deleted where life.registered.contains(object) {
      try flag(object, "ZNEEDSUPLOAD = 1, ZNEEDSCLOUDDELETE = 1", fixture)
      life.flagged.insert(object)
    }
    life.fresh = [:]
    life.deleted = []
  }

  private func flag(_ object: ForgedObject, _ assignments: String, _ fixture: MirrorFixture) throws {
    try fixture.connection.execute(
      "UPDATE ANSCKRECORDMETADATA SET \(assignments) WHERE ZENTITYID = ? AND ZENTITYPK = ?",
      [.integer(object.entityNumber), .integer(object.primaryKey)])
  }

  private func save(_ life: inout Life, _ fixture: MirrorFixture, sparing kept: Set<ForgedObject>) throws {
    let living = fixture.forge.truth.objects.keys.sorted {
      ($0.entity, $0.primaryKey) < ($1.entity, $1.primaryKey)
    }
    let object = living.randomElement(using: &life.random)
    let entity = ["Person", "Employee", "Tag", "Draft"].randomElement(using: &life.random) ?? "Tag"
    let isImport = Int.random(in: 0..<4, using: &life.random) == 0
    let author =
      isImport
      ? "NSCloudKitMirroringDelegate.import" : [nil, "app"].randomElement(using: &life.random) ?? nil
    switch Int.random(in: 0..<5, using: &life.random) {
    case 0, 1:
      let inserted = try fixture.forge.save(author: author) { try $0.insert(entity) }
      if isImport {
        try fixture.record(inserted)
        life.registered.insert(inserted)
      } else {
        life.fresh[inserted] = true
      }
    case 2:
      guard let object else { return }
      let attribute = ["Tag": "label", "Draft": "text"][object.entity] ?? "name"
      try fixture.forge.save(author: author) { try $0.update(object, [attribute: "x"]) }
      if !isImport { life.fresh[object] = life.fresh[object] ?? false }
    case 3:
      guard let object, !kept.contains(object) else { return }
      try fixture.forge.save(author: author) { try $0.delete(object) }
      let wasInserted = life.fresh.removeValue(forKey: object) == true
      life.unregistered.remove(object)
      if isImport {
        // An import that deletes drops the record too.
        try fixture.connection.execute(
          "DELETE FROM ANSCKRECORDMETADATA WHERE ZENTITYID = ? AND ZENTITYPK = ?",
          [.integer(object.entityNumber), .integer(object.primaryKey)])
        life.registered.remove(object)
        life.flagged.remove(object)
      } else if !wasInserted {
        life.deleted.insert(object)
      }
    default:
      life.unregistered.insert(try fixture.forge.save(recordsHistory: false) { try $0.insert(entity) })
    }
  }
}
