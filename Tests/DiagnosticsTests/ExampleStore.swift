import Forge
import StoreModel
import TestSupport

/// Stores that nothing is wrong with, to be broken in one way each.
enum ExampleStore {
  /// People with tags and notes, a model that CloudKit takes.
  static let model = FixtureModels.people([
    AttributeDescription(name: "homepage", type: .uri),
    AttributeDescription(name: "photo", type: .binary, allowsExternalStorage: true),
    AttributeDescription(name: "preferences", type: .transformable),
  ])

  /// Not mirrored: two people, an employee, a tag, a note, saved by `app`. `Person/p1` … `Person/p3`, `Tag/p1`,
  /// `Note/p1`.
  static func plain(_ path: String, _ change: (StoreForge) throws -> Void = { _ in }) throws {
    let forge = try StoreForge(path: path, model: model)
    try forge.save(author: "app") { try populate($0) }
    try change(forge)
    try close(forge)
  }

  /// With an empty -wal, as Apple's SQLite leaves it.
  static func close(_ forge: StoreForge) throws {
    try forge.close(leaving: forge.options.journal == .rollback ? .nothing : .emptyWAL)
  }

  /// The same, mirrored, everything uploaded: no rule has anything to say about it.
  static func mirrored(
    _ path: String, layout: MirrorSchema.Layout = .v17, scope: MirrorForge.Scope = .private,
    _ change: (MirrorForge) throws -> Void = { _ in }
  ) throws {
    let forge = try StoreForge(path: path, model: model)
    let mirror = try MirrorForge(forge, layout: layout, scope: scope)
    try mirror.setUp()
    try mirror.save(author: "app") { try populate($0) }
    try mirror.export()
    try change(mirror)
    try close(forge)
  }

  private static func populate(_ save: Save) throws {
    let tag = try save.insert("Tag", ["label": "family"])
    let ann = try save.insert("Person", ["name": "Ann"])
    _ = try save.insert("Person", ["name": "Ben"])
    _ = try save.insert("Employee", ["name": "Cleo"])
    let note = try save.insert("Note", ["text": "call"])
    try save.link(ann, "tags", tag)
    try save.link(note, "owner", ann)
  }
}
