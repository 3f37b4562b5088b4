import Lens
import SQLite
import StoreModel
import Values

/// Values in SQL that people write in another way than a column has them, so that comparing them would find nothing without
/// a word: an address such as `trip = 'Trip/p1'`, where a to-one relationship is a number and a URI is long; a column of
/// URIs, as in `e.trip = t.uri`; `'true'`, where a Boolean is a number; a UUID in lower case.
enum WrittenValues {
  private enum Column: Equatable {
    case key(root: Int64?)
    case uri, boolean, uuid
  }

  /// The SQL with the columns' own values; nil if nothing is written otherwise. `parameters` are the values of parameters
  /// by name.
  static func resolved(
    _ tokens: StatementTokens, _ parameters: [String: String], of entity: SchemaEntity?,
    in store: CoreDataStore
  ) throws -> String? {
    let hasSubquery = tokens.all.indices.contains { tokens.text($0) == "select" }
    let own = entity.map { Self.columns(store.schema.descendants(of: $0) + [$0], store) } ?? [:]
    // In a condition's subquery a name may be of any view.
    let others = entity == nil || hasSubquery ? Self.columns(store.schema.entities, store) : [:]
    let columns = own.merging(others) { own, _ in own }
    // In a statement the name may be of another view, as `author` is of transactions, or of a result.
    let aliases = Set(
      tokens.all.indices.filter { tokens.text($0 - 1) == "as" }.map { tokens.all[$0].text })
    let mirrorNames =
      entity == nil || hasSubquery
      ? Set(MirrorViews.documented.flatMap(\.columns).map { $0.name.lowercased() }) : []
    var replacements: [Int: String] = [:]
    for (name, literals) in comparisons(tokens) {
      let written = tokens.all[name].text
      guard let column = columns[written] else { continue }
      let isCertain = own[written] != nil || !aliases.contains(written) && !mirrorNames.contains(written)
      for literal in literals {
        switch tokens.kind(literal) {
        case .string:
          replacements[literal] = try value(
            text(literal, tokens), column, written, store, isCertain: isCertain)
        case .parameter:
          // It has to stay in the SQL, as it gets its value later.
          guard case .key = column, let text = parameters[tokens.all[literal].text],
            let key = try value(text, column, written, store, isCertain: false)
          else { continue }
          replacements[literal] = "iif(\(tokens.source(literal...literal)) IS NULL, NULL, \(key))"
        default: continue
        }
      }
    }
    let uris = uriColumns(columns, store)
    for (key, address) in keysComparedWithURIs(tokens, columns, uris) {
      guard let uri = uris[tokens.all[key].text], !aliases.contains(tokens.all[key].text) else { continue }
      replacements[key] = quotedIdentifier(uri)
      guard let address else { continue }
      replacements[address] = try value(text(address, tokens), .uri, uri, store, isCertain: true)
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

  private static func text(_ literal: Int, _ tokens: StatementTokens) -> String {
    tokens.all[literal].text.replacing("''", with: "'")
  }

  /// By the names of columns that hold keys, in lower case, those that hold the same objects' URIs.
  private static func uriColumns(_ columns: [String: Column], _ store: CoreDataStore) -> [String: String] {
    var uris = ["pk": "uri", "source": "sourceURI", "target": "targetURI"]
    let names = store.schema.entities.map(View.entityColumns)
    for name in names.flatMap(\.values) { uris[name.lowercased()] = nil }
    for names in names {
      for (property, name) in names {
        guard case .key = columns[name.lowercased()], let uri = names[property + "_uri"] else { continue }
        uris[name.lowercased()] = uri
      }
    }
    return uris
  }

  /// Keys that are compared with URIs, and the address that is written as one: `e.trip = t.uri`,
  /// `trip IN (SELECT uri FROM Trip)`, `target = 'Person/p1'`.
  private static func keysComparedWithURIs(
    _ tokens: StatementTokens, _ columns: [String: Column], _ uris: [String: String]
  ) -> [(key: Int, address: Int?)] {
    func pair(_ key: ClosedRange<Int>, _ value: ClosedRange<Int>) -> (key: Int, address: Int?)? {
      guard let key = name(key, tokens), uris[tokens.all[key].text] != nil else { return nil }
      let value = bare(value, tokens)
      let first = value.lowerBound
      if let name = name(value, tokens), columns[tokens.all[name].text] == .uri { return (key, nil) }
      if tokens.text(first) == "object_uri", tokens.text(first + 1) == "(" { return (key, nil) }
      // Of a relationship, the address becomes the key.
      guard columns[tokens.all[key].text] == nil, value.count == 1, tokens.kind(first) == .string,
        ObjectReference.isAddress(text(first, tokens)) || ObjectURI(text(first, tokens)) != nil
      else { return nil }
      return (key, first)
    }
    return tokens.all.indices.flatMap { index -> [(key: Int, address: Int?)] in
      guard let comparison = tokens.comparison(at: index), [.equality, .list].contains(comparison.kind) else {
        return []
      }
      let subquery = comparison.subquery.flatMap { open in tokens.partner(open).map { open...$0 } }
      let others = comparison.others + [subquery].compactMap(\.self)
      let pairs = others.compactMap { pair(comparison.left, $0) ?? pair($0, comparison.left) }
      // Among keys, an address can't be one.
      return pairs.count == others.count ? pairs : []
    }
  }

  /// Without what leaves the value as it is: `+trip`, `(trip)`, `trip COLLATE NOCASE`.
  private static func bare(_ operand: ClosedRange<Int>, _ tokens: StatementTokens) -> ClosedRange<Int> {
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
  private static func name(_ operand: ClosedRange<Int>, _ tokens: StatementTokens) -> Int? {
    let operand = bare(operand, tokens)
    if tokens.text(operand.lowerBound) == "select" {
      let isDistinct = ["distinct", "all"].contains(tokens.text(operand.lowerBound + 1))
      guard let value = tokens.value(beginningAt: operand.lowerBound + (isDistinct ? 2 : 1)),
        tokens.text(value.upperBound + 1) == "from"
      else { return nil }
      return name(value, tokens)
    }
    let isName = operand.allSatisfy {
      ($0 - operand.lowerBound) % 2 == 0 ? tokens.isName($0) : tokens.text($0) == "."
    }
    return isName ? operand.upperBound : nil
  }

  /// Names, and what they are said to equal.
  private static func comparisons(_ tokens: StatementTokens) -> [(name: Int, values: [Int])] {
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
      // Anything but a short address is compared as it is.
      guard !text.contains(":"), let reference = try? ObjectReference.parse(text, in: store) else {
        return nil
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
    let found = try ObjectFinder.find(
      text, entities: store.schema.descendants(of: destination), onlyTexts: true, in: store)
    let objects = found?.objects ?? []
    if let object = objects.first, objects.count == 1, found?.closeness == .equal {
      return String(object.primaryKey)
    }
    problem = "'\(name)' is a to-one relationship, and no \(destination.name) has the text '\(text)'"
    guard !objects.isEmpty else {
      throw StoreScopeError(.invalid, problem, about: text, advice: advice)
    }
    if found?.closeness == .equal {
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
