import Base
import Lens
import QueryCatalog
import SQLite
import StoreModel

/// The values of a query's parameters, from words to what SQL compares with. What can't be meant is an error: an empty
/// result would be a wrong answer.
enum QueryParameters {
  static func bind(
    _ given: [String: String], to statement: Statement, of query: SavedQuery, in open: OpenStore,
    _ moments: DateParser, _ find: (String) throws -> ObjectKey
  ) throws {
    let names = statement.parameterNames.map { name in name.map { String($0.dropFirst()) } ?? "?" }
    if let unknown = given.keys.sorted().first(where: { !names.contains($0) }) {
      throw StoreScopeError(
        .invalid, "The query has no parameter '\(unknown)'.\(Suggestion.sentence(for: unknown, in: names))",
        about: unknown, advice: "It has: \(names.isEmpty ? "none" : names.joined(separator: ", "))")
    }
    for (index, name) in names.enumerated() {
      let parameter = query.parameters.first { $0.name == name }
      let value: SQLiteValue
      if let word = given[name] {
        value =
          try parameter.map { try self.value(word, of: $0, query, in: open, moments, find) }
          ?? undeclared(word)
      } else if let word = parameter?.defaultValue {
        // A default may be what nobody would type, such as % for all entities.
        value = parameter?.kind == .number ? number(word) ?? .text(word) : .text(word)
      } else {
        let meaning = parameter.map { " (\($0.meaning))" } ?? ""
        let example = try parameter.map {
          let value = ShellQuotes.word(try self.example(of: $0, in: open))
          // One in a file anywhere is called like the file.
          let option = query.path == query.name ? "-f " : ""
          return
            " For example: 'storescope query STORE \(option)\(ShellQuotes.word(query.name)) --param \(name)=\(value)'."
        }
        throw UsageError.conflict("The query needs --param \(name)=VALUE\(meaning).\(example ?? "")")
      }
      try statement.bind(value, at: index + 1)
    }
  }

  /// A value that could stand there, of this store if that has one.
  private static func example(of parameter: SavedQuery.Parameter, in open: OpenStore) throws -> String {
    let store = open.store
    switch parameter.kind {
    case .number: return "10"
    case .date: return "2026-03-01"
    case .object, .entity:
      guard let example = try ObjectReference.example(in: store) else { return "VALUE" }
      return parameter.kind == .object ? example.address : example.entity.name
    case .author where store.withholdsValues, .zone where store.withholdsValues: return "VALUE"
    case .author: return try HistoryReader(store)?.names(of: .author).first ?? "app"
    case .zone: return try open.mirror()?.zones.compactMap(\.name).first ?? "VALUE"
    case .text, nil: return "VALUE"
    }
  }

  private static func value(
    _ word: String, of parameter: SavedQuery.Parameter, _ query: SavedQuery, in open: OpenStore,
    _ moments: DateParser, _ find: (String) throws -> ObjectKey
  ) throws -> SQLiteValue {
    let store = open.store
    if word == parameter.defaultValue, parameter.kind != .number { return .text(word) }
    func wrong(_ what: String) -> UsageError {
      .conflict("The parameter '\(parameter.name)' takes \(what), not '\(word)'.")
    }
    switch parameter.kind {
    case .text: return .text(word)
    case .number:
      guard let number = number(word) else { throw wrong("a number") }
      return number
    case .date:
      guard let date = moments.parse(word)?.sqlText else { throw wrong(DateParser.examples) }
      return .text(date)
    case .object: return .text(try object(word, in: open, find))
    case .entity: return .text(try store.entity(named: word).name)
    case .author:
      guard let reader = try HistoryReader(store) else { return .text(word) }
      return .text(try HistoryArguments.known(.author, word, reader, in: store))
    case .zone:
      let zones = try open.mirror()?.zones.compactMap(\.name) ?? []
      guard zones.contains(word) else {
        throw StoreScopeError(
          .notFound, store.path,
          "has no zone '\(word)'.\(Suggestion.sentence(for: word, in: store.withholdsValues ? [] : zones))",
          advice: "'storescope mirror STORE' lists them")
      }
      return .text(word)
    case nil:
      let kinds = SavedQuery.Parameter.Kind.allCases.map(\.rawValue).joined(separator: ", ")
      throw StoreScopeError(
        .invalid, query.path ?? query.name,
        "gives the parameter '\(parameter.name)' the type '\(parameter.typeName)', which doesn't exist",
        advice: "use one of \(kinds)")
    }
  }

  /// A number as it would be printed is one: SQLite takes no text for equal to a number. `007` and `1.50` are texts.
  private static func undeclared(_ word: String) -> SQLiteValue {
    guard let number = number(word) else { return .text(word) }
    let printed =
      switch number {
      case .integer(let integer): String(integer)
      case .real(let real): String(real)
      default: ""
      }
    return printed == word ? number : .text(word)
  }

  private static func number(_ word: String) -> SQLiteValue? {
    if let integer = Int64(word) { return .integer(integer) }
    return Double(word).flatMap { $0.isFinite ? .real($0) : nil }
  }

  /// The URI as the views print it: with the object's own entity, which may be below the one that was named.
  private static func object(
    _ word: String, in open: OpenStore, _ find: (String) throws -> ObjectKey
  ) throws -> String {
    let store = open.store
    let object = try find(word)
    guard let entity = store.schema[object.entity] else { return store.uri(object) }
    let reference = ObjectReference(entity: entity, primaryKey: object.primaryKey)
    let number = try reference.knownEntity(in: store)
    if let found = store.schema[number], !entity.subtree.contains(number) {
      throw ObjectReference.wrongEntity(reference, found, store)
    }
    return store.uri(ObjectKey(entity: number, primaryKey: object.primaryKey))
  }
}
