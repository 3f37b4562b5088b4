import Lens
import StoreModel
import Values

/// What words behind `rows ENTITY` stand for that aren't options: `where rating > 4`, `title rating`, `order by date desc`,
/// `limit 5`.
struct RowsWords {
  /// Options with their values.
  private(set) var options: [(name: OptionName, value: String)] = []

  private let entity: SchemaEntity
  private let store: CoreDataStore
  private let properties: [String]

  /// Nil for words that mean none of these.
  /// - Parameter given: the options that were typed.
  init?(_ words: [String], of entity: SchemaEntity, given: [OptionName: [String]], in store: CoreDataStore) {
    (self.entity, self.store) = (entity, store)
    properties =
      store.schema.descendants(of: entity).flatMap { member in
        member.attributes.flatMap { [$0.name] + $0.leaves.map(\.path) } + member.relationships.map(\.name)
      } + ViewNames.identity + ["object"]
    var text = words.joined(separator: " ")
    // A shell takes an unquoted condition apart.
    if let begun = given[.where]?.last {
      if let names = names(in: text) {
        options = [(.columns, names.joined(separator: ","))]
      } else if let condition = condition("\(begun) \(text)") {
        options = [(.where, condition)]
      } else {
        return nil
      }
      return
    }
    if let columns = given[.columns], let names = names(in: text) {
      // `name, birthday` has its comma already.
      let begun = columns.map { $0.replacing(/[,\s]+$/, with: "") }.filter { !$0.isEmpty }
      options = [(.columns, (begun + names).joined(separator: ","))]
      return
    }
    if let sort = given[.sort]?.last,
      let match = text.wholeMatch(of: /(?i)(asc|desc)(?:ending)?(?:\s+limit\s+(\d+))?/)
    {
      options = [(.sort, (match.1.lowercased() == "desc" ? "-" : "") + sort)]
      if let limit = match.2 { options.append((.limit, String(limit))) }
      return
    }
    let clauses =
      /(?<head>.*?)(?:(?:^|\s+)(?:where|filter)\s+(?<condition>.+?))?(?:(?:^|\s+)(?:(?:order|sort|sorted)\s+by|sort)\s+(?<order>.+?))?(?:(?:^|\s+)limit\s+(?<limit>\d+))?(?:\s+offset\s+(?<offset>\d+))?/
      .ignoresCase()
    text = text.replacing(/^(?i:select|columns|show)\s+/, with: "")
    guard let match = text.wholeMatch(of: clauses) else { return nil }
    var (head, condition) = (String(match.head.trimmed), match.condition.map(String.init))
    if condition == nil, WrittenCondition(head) != nil { (head, condition) = ("", head) }
    if let condition {
      guard let sql = self.condition(condition) ?? truth(condition) else { return nil }
      options.append((.where, sql))
    }
    if !head.isEmpty {
      guard let names = names(in: head) else { return nil }
      options.append((.columns, names.joined(separator: ",")))
    }
    if let order = match.order {
      let orders = ObjectRows.Order.parse(String(order))
      guard orders.allSatisfy({ known($0.property) != nil }) else { return nil }
      let names = orders.map { ($0.isDescending ? "-" : "") + (known($0.property) ?? "") }
      options.append((.sort, names.joined(separator: ",")))
    }
    if let limit = match.limit { options.append((.limit, String(limit))) }
    if let offset = match.offset { options.append((.offset, String(offset))) }
    guard !options.isEmpty else { return nil }
  }

  /// The entity of that name.
  /// - Throws: the command that was probably meant, if there is none.
  static func entity(
    named name: String, _ arguments: ParsedArguments, in store: CoreDataStore
  ) throws -> SchemaEntity {
    if store.schema[name] == nil, name.contains(/^\s*(?i:select|with)\s/) {
      throw UsageError.conflict(
        "'\(name)' is SQL, and 'rows' takes an entity. Did you mean 'storescope query STORE \(ShellQuotes.readable(name))'?"
      )
    }
    do { return try store.entity(named: name) } catch let error as StoreScopeError {
      let names = store.schema.entities.map(\.name)
      let singular = Suggestion.singulars(of: name).lazy.compactMap { Suggestion.spelled($0, in: names) }
        .first
      guard let near = singular ?? Suggestion.nearest(to: name, in: names), let entity = store.schema[near]
      else { throw error }
      throw StoreScopeError(
        .notFound, store.path,
        "has no entity '\(name)'. Did you mean '\(command(of: entity, arguments, replacing: []))'?",
        advice: "'storescope entities STORE' lists them all")
    }
  }

  /// The command that `rows Trip.title`, `rows Trip/title` and `rows "Trip order by title"` mean; nil for other words.
  static func command(for name: String, _ arguments: ParsedArguments, in store: CoreDataStore) -> String? {
    if name.contains(" ") {
      let words = name.split(separator: " ").map(String.init)
      guard words.count > 1, let entity = try? store.entity(named: words[0]) else { return nil }
      return RowsWords(Array(words.dropFirst()), of: entity, given: [:], in: store)?.command(arguments)
    }
    let parts = name.split { $0 == "." || $0 == "/" }.map(String.init)
    guard parts.count > 1, store.schema[name] == nil, let entity = try? store.entity(named: parts[0]) else {
      return nil
    }
    let property = parts.dropFirst().joined(separator: ".")
    return RowsWords([property], of: entity, given: [:], in: store)?.command(arguments)
  }

  /// The command that `Trip title budget` means; nil for other words.
  static func command(for text: String, in store: CoreDataStore) -> String? {
    let words = text.split(separator: " ").map(String.init)
    guard words.count > 1, let entity = try? store.entity(named: words[0]) else { return nil }
    return RowsWords(Array(words.dropFirst()), of: entity, given: [:], in: store)?
      .command(ParsedArguments(declared: Command.rows.allOptions))
  }

  /// As it is typed, with the options that were given.
  func command(_ arguments: ParsedArguments) -> String {
    Self.command(of: entity, arguments, replacing: options)
  }

  /// The command that lists the objects that meet a condition, with the store's path: in results nothing replaces STORE.
  static func command(of entity: SchemaEntity, where sql: String, in store: CoreDataStore) -> String {
    let none = ParsedArguments(declared: Command.rows.allOptions)
    return command(of: entity, none, replacing: [(.where, sql)], store: ShellQuotes.word(store.path))
  }

  /// The same with these options in place of some that were given.
  static func command(
    of entity: SchemaEntity, _ arguments: ParsedArguments,
    replacing options: [(name: OptionName, value: String)], store: String = "STORE"
  ) -> String {
    var words = ["storescope", Command.rows.name, store, ShellQuotes.word(entity.name)]
    func add(_ name: OptionName, _ value: String) {
      words.append("--\(name.rawValue)")
      if !value.isEmpty { words.append(ShellQuotes.readable(value)) }
    }
    for option in Command.rows.allOptions where !options.contains(where: { $0.name == option.option }) {
      for value in arguments.options[option.option] ?? [] { add(option.option, value) }
    }
    for option in options { add(option.name, option.value) }
    return words.joined(separator: " ")
  }

  private func condition(_ text: String) -> String? {
    WrittenCondition.sql(MistypedCondition.corrected(text, of: entity), of: entity, in: store)
  }

  /// A Boolean alone is a condition.
  private func truth(_ condition: String) -> String? {
    let booleans = entity.attributes.filter { $0.description.type == .boolean }.map(\.name)
    return Suggestion.spelled(condition, in: booleans)
  }

  /// Nil if any isn't a property.
  private func names(in text: String) -> [String]? {
    let words = text.split { $0 == " " || $0 == "," }.map(String.init)
    let names = words.compactMap { $0 == "*" ? $0 : known($0) }
    return names.count == words.count && !names.isEmpty ? names : nil
  }

  private func known(_ name: String) -> String? {
    PropertyName.meant(by: name, among: properties) ?? Suggestion.nearest(to: name, in: properties)
  }
}
