import Base
import Lens
import QueryCatalog
import Rendering
import SQLite
import StoreModel

/// The help of a saved query: what it shows, and its parameters.
enum QueryHelp {
  /// Nil for a word that is none.
  static func text(of name: String?, width: Int) -> String? {
    guard let query = try? SavedQueries.all().first(where: { $0.name == name }) else { return nil }
    let name = ShellQuotes.word(query.name)
    let usage = query.parameters.map { parameter in
      let option = "--param \(parameter.name)=VALUE"
      return parameter.defaultValue == nil ? " " + option : " [\(option)]"
    }
    var sections = [
      Help.flowed("\(query.title.isEmpty ? query.name : query.title).", width: width),
      "Usage:\n  storescope query STORE \(name)\(usage.joined())",
    ]
    if !query.parameters.isEmpty {
      let entries = query.parameters.map { parameter in
        let value =
          parameter.defaultValue.map { $0 == "%" ? "; default: all" : "; default \($0)" } ?? "; required"
        return ("--param \(parameter.name)=\(parameter.typeName.uppercased())", parameter.meaning + value)
      }
      sections.append("Parameters:\n" + Help.list(entries, width))
    }
    if !query.shows.isEmpty { sections.append(Help.flowed("Shows \(query.shows)", width: width)) }
    sections.append(
      Help.flowed(
        "'storescope query STORE \(name) --show' prints its SQL, 'storescope query --help' is about SQL in general.",
        width: width))
    // A file of the user's own may hold anything.
    let lines = sections.joined(separator: "\n\n").split(separator: "\n", omittingEmptySubsequences: false)
    return lines.map { TerminalText.escaped(String($0)) }.joined(separator: "\n") + "\n"
  }
}

/// What SQL can name: the views and the functions.
enum SQLHelp {
  static let functionsKey = Shape.Key(
    "functions", .list(SQLFunction.shape), "SQL functions in addition to SQLite's own")

  static func functions(_ identity: StoreIdentity) -> Document {
    QueryDocument.document(
      functionsKey, SQLFunction.all.map(\.value), identity,
      [
        .heading("Functions, in addition to SQLite's own"),
        .pairs(SQLFunction.all.map { ($0.usage, .text($0.meaning)) }),
      ])
  }

  /// The store's views with their columns; of one view, what its columns mean.
  static func views(of store: CoreDataStore, named name: String?, _ identity: StoreIdentity) throws
    -> Document
  {
    let all = try store.connection.rows("SELECT name, \"column\", type, meaning FROM temp.views") { row in
      Column(view: row.text(0), name: row.text(1), type: row.text(2), meaning: row.text(3))
    }
    guard let name else {
      return QueryDocument.document(viewsKey, all.map(\.value), identity, overview(all, in: store))
    }
    let names = names(of: all)
    guard
      let view = names.first(where: { $0 == name })
        ?? names.first(where: { $0.lowercased() == name.lowercased() })
    else {
      throw StoreScopeError(
        .notFound, store.path, "has no view '\(name)'.\(Suggestion.sentence(for: name, in: names))",
        advice: "'storescope query STORE --views' lists them all")
    }
    let columns = all.filter { $0.view == view }
    let rows = MirrorViews.documented.first { $0.name == view }?.rows
    let links = ViewNames.links(of: store).filter { $0.entityView == view }.map(\.view).filter(names.contains)
    return QueryDocument.document(
      viewsKey, columns.map(\.value), identity,
      [
        .heading(view + (rows.map { ": one row per \($0)" } ?? "")),
        .table(RowStream(objects: columns.map(\.line)).withSentences()),
      ]
        + (links.isEmpty
          ? [] : [.text("To-many relationships, with source and target: \(links.joined(separator: ", "))")]))
  }

  static let viewsKey = Shape.Key("views", .list(Column.shape), "one entry per column of a view")

  private struct Column: HasFields {
    var view: String
    var name: String
    var type: String
    var meaning: String

    static let fields: [Field<Self>] = [
      Field("name", "the view") { $0.view }, Field("column", "the column") { $0.name },
      Field(
        "type", .words(View.ColumnType.self), "integer, real, text, bool, date, uuid, uri, json, blob or any"
      ) {
        $0.type
      },
      Field("meaning", "what it means") { $0.meaning },
    ]

    var line: DataValue { ["column": .text(name), "type": .text(type), "meaning": .text(meaning)] }
  }

  private static func names(of columns: [Column]) -> [String] {
    var seen: Set<String> = []
    return columns.map(\.view).filter { seen.insert($0).inserted }
  }

  private static func overview(_ columns: [Column], in store: CoreDataStore) -> [Document.Block] {
    let entities = Set(ViewNames.views(for: store.schema.entities.map(\.name)).values)
    let byView = Dictionary(grouping: columns, by: \.view)
    func pairs(_ names: [String]) -> [(String, DataValue)] {
      names.map { name in
        (name, .text((byView[name] ?? []).map(\.name).joined(separator: ", ")))
      }
    }
    let names = names(of: columns)
    let framework = ViewNames.framework.filter(names.contains)
    let ofEntities = names.filter(entities.contains)
    let links = names.filter { !framework.contains($0) && !entities.contains($0) }
    var blocks: [Document.Block] = []
    if !ofEntities.isEmpty { blocks += [.heading("Entities"), .pairs(pairs(ofEntities))] }
    if !links.isEmpty {
      blocks += [
        .heading("To-many relationships, with source, target, position, sourceURI and targetURI"),
        .text(links.joined(separator: ", ")),
      ]
    }
    return blocks + [
      .heading("The same in every store"), .pairs(pairs(framework)),
      .text("'query --views NAME' describes the columns of one."),
    ]
  }
}
