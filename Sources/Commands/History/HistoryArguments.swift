import Base
import Lens
import StoreModel

/// The filters of `history`, from words to values.
enum HistoryArguments {
  private static let origins: [(HistoryFilter.Origin, OptionName)] = [
    (.author, .author), (.process, .process), (.bundle, .bundle),
  ]

  /// - Returns: and the one object that is asked for, if there is one.
  static func filter(
    _ invocation: Invocation, _ reader: HistoryReader, in store: CoreDataStore
  ) throws -> (filter: HistoryFilter, object: ObjectKey?) {
    let arguments = invocation.arguments
    var filter = HistoryFilter()
    let period = try invocation.period()
    (filter.since, filter.until) = (period.since, period.until)
    filter.hasNoAuthor = try hasNoAuthor(arguments)
    for (origin, option) in origins where arguments.has(option) {
      filter.origins[origin] = try arguments.all(option).map { try known(origin, $0, reader, in: store) }
    }
    filter.kinds = Set(arguments.all(.change).compactMap(ChangeKind.init))
    if let name = arguments[.entity] { filter.entities = try store.entity(named: name).subtree }
    var entities = try arguments[.entity].map { store.schema.descendants(of: try store.entity(named: $0)) }
    let object = try self.object(arguments, reader, in: store).map { try ObjectSearch(invocation).find($0) }
    if let object {
      if let entity = store.schema[object.entity] {
        _ = try ObjectReference(entity: entity, primaryKey: object.primaryKey).knownEntity(in: store)
      }
      let hierarchy = store.schema.hierarchy(ofNumber: object.entity)
      filter.entities = hierarchy
      filter.primaryKey = object.primaryKey
      entities = store.schema.entities.filter { hierarchy.contains($0.number) }
    }
    for name in arguments.all(.property) {
      filter.properties.insert(try property(name, of: entities ?? store.schema.entities, in: store))
    }
    if let word = arguments[.transaction] {
      let numbers = try range(word)
      guard try reader.has(numbers) else { throw try noTransaction(word, numbers, reader, in: store) }
      filter.transactions = numbers
    }
    return (filter, object)
  }

  /// The words that name the one object.
  private static func object(
    _ arguments: ParsedArguments, _ reader: HistoryReader, in store: CoreDataStore
  ) throws -> [String]? {
    let words = arguments.positionals
    guard let first = words.first else { return arguments[.object].map { [$0] } }
    if let option = arguments[.object] {
      throw UsageError.conflict(
        "'\(words.joined(separator: " "))' and '--object \(option)' both name an object; give one of them.")
    }
    if let day = day(words) {
      throw UsageError.surplusArgument(
        words.joined(separator: " "), command: Command.history.name,
        meant: "--at \(day.contains(" ") ? "\"\(day)\"" : day)")
    }
    guard words.count == 1 else { return words }
    let entity = store.schema.entities.first { $0.name.lowercased() == first.lowercased() }
    let origin = try origins.first { origin, _ in try reader.names(of: origin).contains(first) }
    // `deleted` and `deletes`, too.
    let kind = ChangeKind.allCases.map(\.name).first { kind in
      ["", "s", "d", "ed"].contains { kind + $0 == first.lowercased() }
    }
    let meant: String? =
      if let entity {
        "--entity \(ShellQuotes.word(entity.name))"
      } else if let (_, option) = origin {
        "--\(option.rawValue) \(ShellQuotes.word(first))"
      } else if let kind {
        "--change \(kind)"
      } else {
        HistoryGroup.Dimension(rawValue: first).map { "--by \($0.rawValue)" }
      }
    if let meant { throw UsageError.surplusArgument(first, command: Command.history.name, meant: meant) }
    return words
  }

  /// The words as `--at` takes them if they are a day or a minute, which is rather meant of the changes than of an
  /// object's value; nil for others, a year among them.
  private static func day(_ words: [String]) -> String? {
    let text = words.joined(separator: " ")
    if ["today", "yesterday"].contains(text) { return text }
    return DateParser().printedPeriod(text) == nil ? nil : text
  }

  /// Whether only what was saved without an author is asked for.
  static func hasNoAuthor(_ arguments: ParsedArguments) throws(UsageError) -> Bool {
    guard arguments.has(.noAuthor) else { return false }
    guard !arguments.has(.author) else {
      throw .conflict("'--author' and '--no-author' can't be combined; give one of them.")
    }
    return true
  }

  /// A name that history has, or an error with the nearest one: a mistyped name must not look like an empty answer.
  static func known(
    _ origin: HistoryFilter.Origin, _ name: String, _ reader: HistoryReader, in store: CoreDataStore
  ) throws -> String {
    let names = try reader.names(of: origin)
    let list = "history STORE --by \(origin.rawValue)"
    if names.contains(name) { return name }
    throw StoreScopeError(
      .notFound,
      "No transaction in '\(store.path)' has the \(origin.rawValue) '\(name)'.\(Suggestion.sentence(for: name, in: store.withholdsValues ? [] : names))",
      about: name,
      advice: name == "(none)" && origin == .author
        ? "--no-author selects those without one"
        : names.isEmpty ? "Its transactions have none" : "'storescope \(list)' lists them all")
  }

  private static func property(
    _ name: String, of entities: [SchemaEntity], in store: CoreDataStore
  ) throws -> String {
    guard !store.schema.isGuessed else {
      throw StoreScopeError(
        .lacking, store.path, "has no model, so it can't be determined which properties an update changed",
        advice: "pass the app's model with --model PATH")
    }
    var seen: Set<String> = []
    let names = entities.flatMap { $0.attributes.map(\.path) + $0.relationships.map(\.name) }
      .filter { seen.insert($0).inserted }
    if seen.contains(name) { return name }
    let whose =
      entities.count == 1 ? "\(entities[0].name) in '\(store.path)'" : "No entity in '\(store.path)'"
    throw StoreScopeError(
      .notFound,
      "\(whose) has \(entities.count == 1 ? "no" : "a") property '\(name)'.\(Suggestion.sentence(for: name, in: names))",
      about: name, advice: "'storescope entities STORE' lists them all")
  }

  private static func noTransaction(
    _ word: String, _ numbers: ClosedRange<Int64>, _ reader: HistoryReader, in store: CoreDataStore
  ) throws -> StoreScopeError {
    let all = try reader.transactions.numbers()
    return StoreScopeError(
      .notFound, store.path,
      "has no \(numbers.lowerBound == numbers.upperBound ? "transaction" : "transactions") \(word)",
      advice: all.map { "its history has transactions \($0.lowerBound) to \($0.upperBound)" }
        ?? "its history is empty")
  }

  private static func range(_ word: String) throws(UsageError) -> ClosedRange<Int64> {
    let ends = word.split(separator: ".", omittingEmptySubsequences: false)
    let isRange = ends.count == 3 && ends[1].isEmpty
    guard ends.count == 1 || isRange, let first = Int64(ends[0]), let last = Int64(ends[ends.count - 1]),
      first <= last
    else { throw .conflict("'--transaction' takes a number or a range such as 10..20, not '\(word)'.") }
    return first...last
  }
}
