import Lens
import SQLite
import StoreModel
import Values

/// Values in SQL that people write in another way than a column has them, so that comparing them would find nothing without
/// a word: an address such as `trip = 'Trip/p1'`, where a to-one relationship is a number and a URI is long; a column of
/// URIs, as in `e.trip = t.uri`; `'true'`, where a Boolean is a number; a UUID in lower case.
enum WrittenValues {
  enum Column: Equatable {
    case key(root: Int64?)
    case uri, boolean, uuid

    /// Whether it leads to an object.
    var isReference: Bool {
      if case .key = self { return true }
      return self == .uri
    }
  }

  /// The SQL with the columns' own values; nil if nothing is written otherwise. `parameters` are the values of parameters
  /// by name.
  static func resolved(
    _ tokens: StatementTokens, _ parameters: [String: String], of entity: SchemaEntity?,
    in store: CoreDataStore
  ) throws -> String? {
    let typed = TypedLiterals(tokens: tokens, parameters: parameters)
    let hasSubquery = tokens.all.indices.contains { tokens.text($0) == "select" }
    let own = entity.map { Self.columns(store.schema.descendants(of: $0) + [$0], store) } ?? [:]
    // In a condition's subquery a name may be of any view.
    let others = entity == nil || hasSubquery ? Self.columns(store.schema.entities, store) : [:]
    let columns = own.merging(others) { own, _ in own }
    // In a statement the name may be of another view, as `author` is of transactions, or of a result.
    let results = ResultNames(tokens, in: store)
    let mirrorNames =
      entity == nil || hasSubquery
      ? Set(MirrorViews.documented.flatMap(\.columns).map { $0.name.lowercased() }) : []
    var replacements: [Int: String] = [:]
    for (name, literals) in comparisons(tokens) {
      let written = tokens.all[name].text
      guard let column = columns[written] else { continue }
      // A URI is one in all views.
      let isCertain =
        own[written] != nil
        || !results.contains(name) && (column == .uri || !mirrorNames.contains(written))
      for literal in literals {
        guard let text = typed.text(literal) else {
          guard isCertain, column == .uri, tokens.kind(literal) == .number else { continue }
          throw noURI(written, String(tokens.source(literal...literal)), store)
        }
        guard typed.isString(literal) || column.isReference else { continue }
        replacements[literal] = try value(
          text, column, written, store, isCertain: isCertain && !typed.isShared(literal)
        ).map { typed.sql(literal, $0) }
      }
    }
    let uris = uriColumns(columns, store)
    for (key, address) in try keysComparedWithURIs(typed, columns, uris, results, store) {
      guard let uri = uris[tokens.all[key].text] else { continue }
      replacements[key] = quotedIdentifier(uri)
      guard let address, let text = typed.text(address) else { continue }
      replacements[address] = try value(text, .uri, uri, store, isCertain: true).map {
        typed.sql(address, $0)
      }
    }
    guard !replacements.isEmpty else { return nil }
    let sql = tokens.sql
    var result = ""
    var start = sql.startIndex
    for (index, token) in tokens.all.enumerated() {
      guard let replacement = replacements[index] else { continue }
      // `='Trip/p1'AND` needs none.
      result += sql[start..<token.range.lowerBound] + " \(replacement) "
      start = token.range.upperBound
    }
    return result + sql[start...]
  }

  /// By name, in lower case, those that are the same in all entities that have them.
  private static func columns(_ entities: [SchemaEntity], _ store: CoreDataStore) -> [String: Column] {
    var columns: [String: Column] = [:]
    var others: Set<String> = []
    for entity in entities {
      let names = View.entityColumns(of: entity)
      for relationship in entity.relationships {
        guard case .toOne = relationship.storage, let name = names[relationship.name]?.lowercased() else {
          continue
        }
        let root = store.schema[relationship.destination]?.root
        let isAnother = columns[name].map { $0 != .key(root: root) } ?? false
        columns[name] = .key(root: isAnother ? nil : root)
        if let uri = names[relationship.name + "_uri"] { columns[uri.lowercased()] = .uri }
      }
      for attribute in entity.attributes {
        let name = (names[attribute.name] ?? attribute.name).lowercased()
        let column: Column? =
          switch attribute.description.type {
          case .boolean: .boolean
          case .uuid: .uuid
          default: nil
          }
        if let column, columns[name] ?? column == column {
          columns[name] = column
        } else {
          others.insert(name)
        }
      }
    }
    for name in ["uri", "sourceuri", "targeturi"] { columns[name] = .uri }
    for name in others { columns[name] = nil }
    return columns
  }

  /// Without what leaves the value as it is: `+trip`, `(trip)`, `trip COLLATE NOCASE`.
  static func bare(_ operand: ClosedRange<Int>, _ tokens: StatementTokens) -> ClosedRange<Int> {
    var (first, last) = (operand.lowerBound, operand.upperBound)
    while first < last {
      if tokens.text(last - 1) == "collate", first < last - 1 {
        last -= 2
      } else if tokens.text(first) == "+" {
        first += 1
      } else if tokens.text(first) == "(", tokens.partner(first) == last, first + 1 < last {
        (first, last) = (first + 1, last - 1)
      } else {
        break
      }
    }
    return first...last
  }

  /// The column that a value is, also as the only one of a subquery, which a dotted name has become.
  static func name(_ operand: ClosedRange<Int>, _ tokens: StatementTokens) -> Int? {
    let operand = bare(operand, tokens)
    if tokens.text(operand.lowerBound) == "select" {
      let isDistinct = ["distinct", "all"].contains(tokens.text(operand.lowerBound + 1))
      guard let value = tokens.value(beginningAt: operand.lowerBound + (isDistinct ? 2 : 1)),
        tokens.text(value.upperBound + 1) == "from"
      else { return nil }
      return name(value, tokens)
    }
    return tokens.isNameChain(operand) ? operand.upperBound : nil
  }

  /// Names, and what they are said to equal.
  static func comparisons(_ tokens: StatementTokens) -> [(name: Int, values: [Int])] {
    var found: [(name: Int, values: [Int])] = []
    for index in tokens.all.indices {
      guard let comparison = tokens.comparison(at: index),
        [.equality, .list, .cases].contains(comparison.kind)
      else { continue }
      let left = bare(comparison.left, tokens)
      if let name = name(left, tokens) {
        let others = comparison.others.map { bare($0, tokens) }
        found.append((name, others.filter { $0.count == 1 }.map(\.lowerBound)))
      } else if left.count == 1 {
        // `'Trip/p1' = trip`; a list of names would need the text in several forms.
        let names = comparison.others.compactMap { name($0, tokens) }
        if names.count == 1 { found.append((names[0], [left.lowerBound])) }
      }
    }
    return found
  }

  /// What to write for it; nil to leave it as it is.
  private static func value(
    _ text: String, _ column: Column, _ name: String, _ store: CoreDataStore, isCertain: Bool
  ) throws -> String? {
    switch column {
    case .uri:
      // A whole URI is compared as it is.
      if text.hasPrefix("x-coredata:") { return nil }
      let reference: ObjectReference
      do { reference = try ObjectReference.parse(text, in: store) } catch {
        guard isCertain, !text.isEmpty else { return nil }
        if ObjectReference.isAddress(text) { throw error }
        throw noURI(name, text, store)
      }
      let entity = try reference.storedEntity(in: store) ?? reference.entity.number
      return quotedText(store.uri(ObjectKey(entity: entity, primaryKey: reference.primaryKey)))
    case .boolean:
      switch text.lowercased() {
      case "true", "yes": return "1"
      case "false", "no": return "0"
      default: return nil
      }
    case .uuid: return WrittenUUID(text).flatMap { $0.isWhole ? quotedText($0.text) : nil }
    case .key(let root):
      let destination = root.flatMap { store.schema[$0] }
      // SQLite makes a number of it.
      if Int64(text) != nil { return nil }
      let advice =
        "compare it with an address such as \(destination?.name ?? "Entity")/p12, or with the object's primary key"
      guard let reference = try? ObjectReference.parse(text, in: store) else {
        guard isCertain else { return nil }
        return try key(of: text, name, destination, store, advice)
      }
      if let destination, destination.root != reference.entity.root {
        guard isCertain else { return nil }
        throw StoreScopeError(
          .invalid, "'\(name)' leads to objects of \(destination.name), and '\(text)' isn't one", about: text,
          advice: advice)
      }
      _ = try reference.storedEntity(in: store)
      return String(reference.primaryKey)
    }
  }

  /// The key of the object that a text stands for: `trip = 'Spring in Lisbon'`.
  private static func key(
    of text: String, _ name: String, _ destination: SchemaEntity?, _ store: CoreDataStore, _ advice: String
  ) throws -> String {
    var problem = "'\(name)' is a to-one relationship, and '\(text)' isn't an object of '\(store.path)'"
    guard let destination, !text.isEmpty else {
      throw StoreScopeError(.invalid, problem, about: text, advice: advice)
    }
    var found = ClosestMatches(to: text)
    let search = ValueSearch(SearchQuestion(text, of: store.schema.descendants(of: destination)), in: store)
    while !found.isFull, let match = try search.next() { found.add(match) }
    let objects = found.matches.map(\.object)
    if let object = objects.first, objects.count == 1, found.closeness == .equal {
      return String(object.primaryKey)
    }
    problem = "'\(name)' is a to-one relationship, and no \(destination.name) has the text '\(text)'"
    guard !objects.isEmpty else {
      throw StoreScopeError(.invalid, problem, about: text, advice: advice)
    }
    if found.closeness == .equal {
      problem =
        "'\(name)' is a to-one relationship, and more than one \(destination.name) has the text '\(text)'"
    }
    let titles = ObjectTitles(store)
    let most = 3
    let names = try objects.prefix(most).map(titles.name).joined(separator: ", ")
    throw StoreScopeError(
      .invalid, problem, about: text,
      advice: "Did you mean \(names)\(objects.count > most ? " or another" : "")?")
  }
}
