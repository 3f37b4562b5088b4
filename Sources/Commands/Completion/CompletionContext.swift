import Base
import Diagnostics
import Discovery
import Explanations
import Lens
import QueryCatalog
import SQLite
import StoreModel

/// The words that completion offers: what the program knows, what the user saved, and what the store holds.
package struct CompletionContext: Sendable {
  package struct Entity: Sendable, Equatable {
    package var name: String
    /// Attributes, a composite's as `composite.leaf`.
    var attributes: [String]
    /// The columns of its view.
    package var columns: [String]
    /// Attributes and relationships, as history and tables name them.
    var properties: [String] = []
  }

  /// A view or a table with its columns, a rule with its thresholds, a saved query with its parameters.
  struct Named: Sendable, Equatable {
    var name: String
    var parts: [String]
  }

  struct File: Sendable {
    var name: String
    var isFolder = false
    /// Whether an address may go on behind it.
    var isContainer = false
  }

  package var entities: [Entity] = []
  /// What people know objects by.
  var titles: [String] = []
  /// Who saved, as history has them.
  var authors: [String] = []
  var processes: [String] = []
  var bundles: [String] = []
  var zones: [String] = []
  /// What SQL can ask by the model's names, and the store's own tables.
  var views: [Named] = []
  var tables: [Named] = []
  /// Tables of the mirror and of history, by their names in SQL and as the framework's entities.
  var frameworkTables: [String] = []
  var rules: [Named] = []
  var queries: [Named] = []
  /// What `explain` explains.
  var subjects: [String] = []
  /// What lies in a folder; nothing where it can't be read.
  var files: @Sendable (String) -> [File] = { _ in [] }

  package init() {}

  /// What is known without a store.
  package static func withoutStore() -> CompletionContext {
    var context = CompletionContext()
    context.rules = RuleRegistry.all.map {
      Named(name: $0.id, parts: $0.header.thresholds.map(\.name))
    }
    // A query that can't be read is a matter for `query`, which says so.
    context.queries = ((try? SavedQueries.all()) ?? QueryCatalog.all).map {
      Named(name: $0.name, parts: $0.parameters.map(\.name))
    }
    context.subjects = ExplanationCatalog.all.flatMap(\.completions)
    context.files = { FolderListing.files(in: $0) }
    return context
  }

  func entity(named name: String) -> Entity? {
    entities.first { $0.name == name } ?? entities.first { $0.name.lowercased() == name.lowercased() }
  }
}

extension Explanation {
  /// Its code, as short as it is clear, and its name.
  fileprivate var completions: [String] {
    guard let domain, let code else { return [subject] }
    let number = domain == "NSCocoaErrorDomain" ? "\(code)" : "\(domain):\(code)"
    return name == Self.unnamed ? [number] : [number, name]
  }
}

extension CompletionContext {
  private static let longestList = 1000
  private static let transactionsLookedAt = 200_000

  /// What the store offers in addition, read in one go. It takes as long as opening the store and its model does, and
  /// looks at history's newest transactions only. What can't be read is left out: completion never complains.
  package static func make(_ session: Session) -> CompletionContext {
    var context = withoutStore()
    guard let open = try? session.open() else { return context }
    let store = open.store
    let names = store.schema.entities.map(\.name)
    context.tables = store.tables.tables.map { Named(name: $0.key, parts: $0.value.map(\.name)) }
      .sorted { $0.name < $1.name }
    context.frameworkTables = FrameworkTableRows.names(in: store).flatMap { name in
      FrameworkTable(rawValue: name.uppercased())?.spellings ?? [name]
    }
    context.views = (try? views(of: open.lens())) ?? []
    let columns = Dictionary(firstOf: context.views.map { ($0.name, $0.parts) })
    context.entities = store.schema.entities.map { entity in
      Entity(
        name: entity.name, attributes: entity.attributeNames,
        columns: columns[ViewNames.view(for: entity.name, among: names)] ?? [],
        properties: entity.attributes.map(\.path) + entity.relationships.map(\.name))
    }
    context.titles = (try? titles(store)) ?? []
    context.authors = (try? origins("author", store.connection)) ?? []
    context.processes = (try? origins("process", store.connection)) ?? []
    context.bundles = (try? origins("bundle", store.connection)) ?? []
    context.zones = (try? zones(store.connection)) ?? []
    return context
  }

  /// From the list that views are made of.
  private static func views(of store: CoreDataStore) throws -> [Named] {
    var tables: [Named] = []
    try store.connection.forEachRow("SELECT name, \"column\" FROM temp.views") { row in
      let name = row.text(0)
      if tables.last?.name != name { tables.append(Named(name: name, parts: [])) }
      tables[tables.count - 1].parts.append(row.text(1))
    }
    return tables
  }

  private static let titlesPerEntity = 200

  /// Those of each entity's first objects.
  private static func titles(_ store: CoreDataStore) throws -> [String] {
    let titles = ObjectTitles(store)
    let views = ViewNames.views(for: store.schema.entities.map(\.name))
    var found: [String] = []
    for entity in store.schema.entities where found.count < longestList {
      guard let view = views[entity.name] else { continue }
      let keys = try store.connection.rows(
        "SELECT pk FROM temp.\(quotedIdentifier(view)) LIMIT \(titlesPerEntity)"
      ) { $0.integer(0) }
      found += try keys.compactMap {
        try titles.title(of: ObjectKey(entity: entity.number, primaryKey: $0))
      }
    }
    // What was cut finds nothing.
    return SQLCompleter.unique(found.filter { !$0.hasSuffix("…") })
  }

  private static func origins(_ column: String, _ connection: Connection) throws -> [String] {
    try connection.rows(
      """
      SELECT DISTINCT \(column) FROM (
        SELECT \(column) FROM temp.transactions ORDER BY "transaction" DESC LIMIT \(transactionsLookedAt))
      WHERE \(column) IS NOT NULL ORDER BY 1 LIMIT \(longestList)
      """
    ) { $0.name(0) }
  }

  private static func zones(_ connection: Connection) throws -> [String] {
    try connection.rows(
      "SELECT DISTINCT name FROM temp.zones WHERE name IS NOT NULL ORDER BY 1 LIMIT \(longestList)"
    ) { $0.name(0) }
  }
}

/// File names for completion.
package enum FolderListing {
  /// What lies in the folder, which may begin with `~/`; nothing where it can't be read.
  static func files(in folder: String) -> [CompletionContext.File] {
    let folder = expanded(folder.isEmpty ? "." : folder)
    if folder.contains("!/"), FileReader.kind(of: folder) == nil { return insides(of: folder) }
    guard let names = try? FileReader.names(in: folder) else { return [] }
    let all = Set(names)
    return names.compactMap { name in
      // What SQLite keeps next to a database is opened with it, never by its own name.
      if let owner = SideFiles.owner(of: name), all.contains(owner) { return nil }
      let path = "\(folder)/\(name)"
      return .init(
        name: name, isFolder: FileReader.kind(of: path) == .folder,
        isContainer: ContainerListing.isContainer(path))
    }
  }

  /// How long a person waits for Tab.
  private static let patience = 1.0

  private static func insides(of address: String) -> [CompletionContext.File] {
    let end = Platform.monotonicSeconds() + patience
    let paths = ContainerListing.paths(in: address) {
      Platform.monotonicSeconds() < end && !Interruption.isRequested
    }
    return paths.map { path in
      let isFolder = path.hasSuffix("/")
      return .init(name: isFolder ? String(path.dropLast()) : path, isFolder: isFolder)
    }
  }

  /// The path with the home folder for `~/`, which is for a shell to replace: a word that completion sees may still have it.
  package static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = Platform.environment("HOME") else { return path }
    return home + path.dropFirst()
  }
}
