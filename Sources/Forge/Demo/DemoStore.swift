internal import Archives
internal import Values

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
  package static func forge(in directory: String) throws -> StoreForge {
    try Files.makeFolder(directory)
    let folder = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    let forge = try StoreForge(
      path: "\(folder)/\(fileName)", model: DemoModel.model,
      options: ForgeOptions(
        uuid: "7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9",
        metadata: [
          .init("JourneysLastExport", .date(try moment("2026-04-11T07:30:00Z"))),
          .init("JourneysSchema", .integer(3)),
        ]))
    var story = DemoStory(forge)
    try story.importPlacesAndPeople()
    try story.planTrips()
    try story.travel()
    try story.tidyUp()
    try forge.checkpoint()
    try story.leaveInWAL()
    return forge
  }

  static func moment(_ text: String) throws -> CoreDataDate {
    guard let date = ISO8601.parse(text) else {
      throw StoreScopeError("Cannot make the demo: '\(text)' is no date.")
    }
    return date
  }
}
