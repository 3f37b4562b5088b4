import Lens
import SQLite
import StoreModel
import Values

/// Keys and the URIs of the same objects, which are never equal.
extension WrittenValues {
  /// By the names of columns that hold keys, in lower case, those that hold the same objects' URIs.
  static func uriColumns(_ columns: [String: Column], _ store: CoreDataStore) -> [String: String] {
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
  /// - Throws: if a key is compared with a text that is neither, or with both.
  static func keysComparedWithURIs(
    _ typed: TypedLiterals, _ columns: [String: Column], _ uris: [String: String], _ results: ResultNames,
    _ store: CoreDataStore
  ) throws -> [(key: Int, address: Int?)] {
    let tokens = typed.tokens
    func pair(_ key: ClosedRange<Int>, _ value: ClosedRange<Int>) -> (key: Int, address: Int?)? {
      guard let key = name(key, tokens), uris[tokens.all[key].text] != nil,
        !results.contains(key)
      else { return nil }
      let value = bare(value, tokens)
      let first = value.lowerBound
      if let name = name(value, tokens), columns[tokens.all[name].text] == .uri { return (key, nil) }
      if tokens.text(first) == "object_uri", tokens.text(first + 1) == "(" { return (key, nil) }
      // Of a relationship, the address becomes the key.
      guard columns[tokens.all[key].text] == nil, value.count == 1, let text = typed.text(first),
        ObjectReference.isAddress(text)
      else { return nil }
      return (key, first)
    }
    for (key, literals) in comparisons(tokens) where columns[tokens.all[key].text] == nil {
      let written = tokens.all[key].text
      guard uris[written] != nil, !results.contains(key) else { continue }
      try check(written, literals, typed, store)
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

  /// Nothing would be found, without a word.
  private static func check(
    _ key: String, _ literals: [Int], _ typed: TypedLiterals, _ store: CoreDataStore
  ) throws(StoreScopeError) {
    let texts = literals.filter { !typed.isShared($0) }.compactMap(typed.text)
    for text in texts where !text.isEmpty && Double(text) == nil && !ObjectReference.isAddress(text) {
      throw StoreScopeError(
        .invalid, "'\(key)' is a primary key, and '\(text)' isn't one", about: text,
        advice: "compare it with a number, or with an address such as \(example(in: store))")
    }
    let hasNumbers =
      literals.contains { typed.tokens.kind($0) == .number } || texts.contains { Double($0) != nil }
    guard hasNumbers, let address = texts.first(where: ObjectReference.isAddress) else { return }
    throw StoreScopeError(
      .invalid, "'\(key)' is compared with the address '\(address)' and with numbers", about: address,
      advice: "write all of them as addresses, or all as primary keys")
  }

  /// What a column of URIs is compared with and can't equal.
  static func noURI(_ name: String, _ text: String, _ store: CoreDataStore) -> StoreScopeError {
    StoreScopeError(
      .invalid, "'\(name)' holds addresses, and '\(text)' isn't one", about: text,
      advice: "compare it with an address such as \(example(in: store))")
  }

  private static func example(in store: CoreDataStore) -> String {
    (try? ObjectReference.example(in: store))?.address ?? "Entity/p1"
  }
}

/// Texts in a statement, and its parameters that have one.
struct TypedLiterals {
  let tokens: StatementTokens
  /// By name.
  let parameters: [String: String]

  func text(_ index: Int) -> String? {
    tokens.kind(index) == .parameter ? parameters[tokens.all[index].text] : tokens.string(index)
  }

  func isString(_ index: Int) -> Bool { tokens.kind(index) == .string }

  /// Whether it is a parameter that stands elsewhere, too: `:t = '%' OR trip = :t`.
  func isShared(_ index: Int) -> Bool {
    tokens.kind(index) == .parameter
      && tokens.all.count { $0.kind == .parameter && $0.text == tokens.all[index].text } > 1
  }

  /// What to write in its place for that value. A parameter has to stay in the SQL, as it gets its value later.
  func sql(_ index: Int, _ value: String) -> String {
    isString(index) ? value : "iif(\(tokens.source(index...index)) IS NULL, NULL, \(value))"
  }
}
