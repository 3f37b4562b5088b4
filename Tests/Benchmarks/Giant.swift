import Base
import Bulk
import Forge
import SQLite
import StoreModel

/// The stores of one size, each made by a process of its own: the kernel counts what a parent had in memory before `exec`
/// as its child's.
struct Giant {
  static let forgeOption = "--forge"

  /// How many objects each of its stores has.
  let objects: Int
  private let folder: String

  /// Objects of six attributes and a relationship, without history.
  var store: String { path(.objects) }
  /// The same, in which some objects are others, are gone or are new.
  var later: String { path(.later) }
  /// As many objects, with a record each and five changes for each.
  var mirror: String { path(.mirror) }
  /// Objects with a text and a blob of 250 bytes each.
  var texts: String { path(.texts) }
  /// A place for what a job writes.
  var output: String { folder + "/output" }

  private enum Kind: String, CaseIterable { case objects, later, mirror, texts }

  private func path(_ kind: Kind) -> String { "\(folder)/\(kind.rawValue).store" }

  static func make(objects: Int, in folder: String) throws -> Giant {
    let giant = Giant(objects: objects, folder: folder)
    for kind in Kind.allCases {
      if kind == .later {
        let copied = Process.run("/bin/cp", [giant.store, giant.later])
        guard copied.status == 0 else {
          throw StoreScopeError(.failed, "\(giant.store) could not be copied.")
        }
      }
      let forge = Process.run(
        CommandLine.arguments[0], [forgeOption, kind.rawValue, giant.path(kind), String(objects)])
      guard forge.status == 0 else {
        throw StoreScopeError(.failed, "The store \(giant.path(kind)) could not be forged.")
      }
    }
    return giant
  }

  /// `benchmark --forge KIND PATH OBJECTS`
  static func forge() throws {
    let words = CommandLine.arguments.dropFirst(2)
    guard words.count == 3, let kind = words.first.flatMap(Kind.init),
      let count = words.last.flatMap({ Int($0) })
    else { throw StoreScopeError(.failed, "'\(forgeOption)' takes a kind of store, a path and a number.") }
    let path = words[words.startIndex + 1]
    switch kind {
    case .objects: try forgeObjects(path, count)
    case .later: try change(path)
    case .mirror: try forgeMirror(path, count)
    case .texts: try forgeTexts(path, count)
    }
  }

  // MARK: - Stores

  private static func forgeObjects(_ path: String, _ count: Int) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Measurement",
        attributes: [
          AttributeDescription(name: "at", type: .date),
          AttributeDescription(name: "count", type: .integer64),
          AttributeDescription(name: "id", type: .uuid),
          AttributeDescription(name: "isValid", type: .boolean),
          AttributeDescription(name: "title", type: .string),
          AttributeDescription(name: "value", type: .double),
        ],
        relationships: [
          RelationshipDescription(name: "station", destination: "Station", inverse: "measurements")
        ]),
      EntityDescription(
        name: "Station", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(
            name: "measurements", destination: "Measurement", inverse: "station", isToMany: true)
        ]),
    ])
    let forge = try StoreForge(path: path, model: model)
    try BulkForge.fill(forge) { bulk in
      let stations = try bulk.insert("Station", count: 10, ["name": "'Station ' || i"])
      try bulk.insert(
        "Measurement", count: count,
        [
          "at": "700000000.125 + i * 60.5", "count": "i * 7", "id": "randomblob(16)", "isValid": "i % 2",
          "title": "'measurement number ' || i", "value": "i * 1.25",
          "station": "\(stations.lowerBound) + i % 10",
        ])
    }
    try forge.close()
  }

  private static func change(_ path: String) throws {
    let connection = try Connection(path: path, options: .readWrite())
    try connection.execute(
      """
      PRAGMA journal_mode = DELETE;
      UPDATE ZMEASUREMENT SET ZTITLE = ZTITLE || '!' WHERE Z_PK % 1000 = 7;
      DELETE FROM ZMEASUREMENT WHERE Z_PK % 5000 = 9;
      INSERT INTO ZMEASUREMENT (Z_PK, Z_ENT, Z_OPT) SELECT Z_PK + 20000000, Z_ENT, 1 FROM ZMEASUREMENT WHERE Z_PK < 500;
      """)
    connection.close()
  }

  private static func forgeMirror(_ path: String, _ count: Int) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Item",
        attributes: [
          AttributeDescription(name: "title", type: .string), AttributeDescription(name: "at", type: .date),
        ])
    ])
    let forge = try StoreForge(path: path, model: model)
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    // What is saved after the token isn't processed yet.
    let unprocessed = count / 10
    func updates(_ count: Int, _ keys: ClosedRange<Int64>) -> BulkForge.Changes {
      var updates = BulkForge.Changes(.update, of: "Item", keys: keys, count: count, perTransaction: 100)
      (updates.properties, updates.author) = (["title"], "app")
      return updates
    }
    var keys: ClosedRange<Int64> = 1...1
    try BulkForge.fill(forge) { bulk in
      keys = try bulk.insert("Item", count: count, ["title": "'Item ' || i", "at": "700000000.5 + i"])
      try bulk.record(BulkForge.Changes(.insert, of: "Item", keys: keys, count: count, perTransaction: 100))
      try bulk.record(updates(count * 4 - unprocessed, keys))
    }
    try BulkMirror.register(BulkMirror.Records(of: "Item", keys: keys), in: mirror)
    try forge.checkpoint()
    try BulkForge.fill(forge) { bulk in try bulk.record(updates(unprocessed, keys)) }
    try forge.close()
  }

  private static func forgeTexts(_ path: String, _ count: Int) throws {
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Note",
        attributes: [
          AttributeDescription(name: "text", type: .string),
          AttributeDescription(name: "data", type: .binary),
        ])
    ])
    let forge = try StoreForge(path: path, model: model)
    let words = "'the quick brown fox jumps over the lazy dog near the river and '"
    try BulkForge.fill(forge) { bulk in
      try bulk.insert(
        "Note", count: count,
        ["text": "i || \(words) || hex(randomblob(30)) || \(words) || \(words)", "data": "randomblob(250)"])
    }
    try forge.close()
  }
}
