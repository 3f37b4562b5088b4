import Archives
import SystemCalls
import Values

/// Makes the built-in demo: the store of a travel journal after a spring of use by an app, its widget and its
/// importer. The same content in every run.
package enum DemoStore {
  /// The store's file name.
  package static let fileName = "Journeys.store"

  /// Makes the store in the folder, which is made where it isn't there.
  /// - Returns: the store's path.
  /// - Throws: `StoreScopeError`, where there is such a store already or the folder can't be written.
  package static func make(in directory: String) throws -> String {
    let forge = try forge(in: directory)
    try forge.close(leaving: .wal)
    return forge.path
  }

  /// The store, still open, with the truth of what it holds. Its last three commits are only in the WAL.
  package static func forge(in directory: String) throws -> StoreForge { try mirror(in: directory).forge }

  /// The store with its mirror, still open: a private database, and a full iCloud account, so that what was saved in
  /// April waits. Three saves aren't processed yet.
  package static func mirror(in directory: String) throws -> MirrorForge {
    try Files.makeFolder(directory, mode: 0o755)
    let folder = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    let forge = try StoreForge(
      path: "\(folder)/\(fileName)", model: DemoModel.model,
      options: ForgeOptions(
        uuid: "7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9",
        metadata: [
          .init("JourneysLastExport", .date(try moment("2026-04-11T07:30:00Z"))),
          .init("JourneysSchema", .integer(3)),
        ]))
    let mirror = try MirrorForge(forge, layout: .v17)
    var story = DemoStory(forge)
    try story.importPlacesAndPeople()
    try mirror.setUp(at: moment("2026-03-02T19:38:02.300Z"))
    try mirror.importChanges(at: moment("2026-03-02T19:38:05.120Z")) { _ in }
    try mirror.export(at: moment("2026-03-02T19:38:09.447Z"))
    try story.planTrips()
    try mirror.export(.failure(.networkUnavailable), at: moment("2026-03-19T21:12:30.066Z"))
    try mirror.export(at: moment("2026-03-20T07:02:11.900Z"))
    try story.travel()
    try mirror.importChanges(at: moment("2026-03-29T02:59:40.512Z")) { _ in }
    try mirror.export(at: moment("2026-03-29T02:59:51.008Z"))
    try story.tidyUp()
    try mirror.setUp(at: moment("2026-04-15T19:20:00.741Z"))
    try mirror.importChanges(at: moment("2026-04-15T19:20:04.250Z")) { _ in }
    try mirror.export(.failure(.quotaExceeded), at: moment("2026-04-15T19:20:09.635Z"))
    try mirror.run(.export, failing: .deferred, at: moment("2026-04-16T02:00:00.018Z"))
    try mirror.export(.failure(.quotaExceeded), at: moment("2026-04-16T06:45:22.871Z"))
    try forge.checkpoint()
    try story.leaveInWAL()
    return mirror
  }

  static func moment(_ text: String) throws -> CoreDataDate {
    guard let date = ISO8601.parse(text) else {
      throw StoreScopeError(.invalid, "Cannot make the demo: '\(text)' is no date")
    }
    return date
  }
}
