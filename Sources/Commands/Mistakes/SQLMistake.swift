import Base
import Lens
import Rendering
import SQLite
import StoreModel

/// What a mistake in SQL is answered with: SQLite's own words, the nearest name, the columns of the views that the
/// statement names, and its line with a mark at the place.
struct SQLMistake {
  private let tokens: SQLTokens
  private let message: String
  private let isMistake: Bool
  private let offset: Int?
  private let entity: SchemaEntity?
  private let store: CoreDataStore

  /// - Parameters:
  ///   - skipped: bytes of the compiled SQL that stand before what was typed.
  ///   - entity: that of a condition, which names no view.
  init(
    _ error: SQLiteError, in sql: String, behind skipped: Int = 0, of entity: SchemaEntity? = nil,
    _ store: CoreDataStore
  ) {
    tokens = SQLTokens(sql.utf8.count < Self.longest ? sql : "")
    (message, isMistake) = (error.message, !error.isLimit)
    offset = error.offset.map { min(max(0, $0 - skipped), sql.utf8.count) }
    (self.entity, self.store) = (entity, store)
  }

  /// People don't type longer SQL.
  private static let longest = 100_000

  /// - Parameter place: a file and a line, with a colon.
  func error(at place: String = "", about subject: String) -> StoreScopeError {
    guard !tokens.sql.isEmpty else {
      return StoreScopeError(.invalid, place + Sentence.ended(message), about: subject)
    }
    // A view names it, whose table in this store lacks it.
    if unknown != nil, nameIndex == nil {
      return StoreScopeError(.unreadable, store.path, "is missing something that its views need: \(message)")
    }
    // Looking for names may meet the same damage as the statement.
    let views = try? StatementViews(tokens, of: entity, in: store)
    let hints =
      isMistake
      ? [
        reserved(views) ?? ForeignSQL.sentence(tokens, message, at: index) ?? nearest(views), columns(views),
      ].compactMap(\.self)
      : []
    var error = StoreScopeError(
      .invalid, ([place + Sentence.ended(message)] + hints).joined(separator: " "), about: subject)
    error.list = mark
    return error
  }

  // MARK: - Names

  /// What SQLite says about a name: which kind it is of, and the name without what stands in front.
  private var unknown: (kind: Substring, name: String, whole: String)? {
    guard
      let match = message.firstMatch(of: /^no such (column|table|function): "?(.+?)"?( - should this .*)?$/)
    else { return nil }
    let whole = String(match.2)
    return (match.1, whole.split(separator: ".").last.map(String.init) ?? whole, whole)
  }

  /// Where that name stands.
  private var nameIndex: Int? {
    guard let unknown else { return nil }
    let names = [unknown.whole.lowercased(), unknown.name.lowercased()]
    return tokens.all.indices.first { tokens.name($0).map { names.contains($0.lowercased()) } ?? false }
  }

  /// The name of an entity or a property that is a word of SQL, too.
  private func reserved(_ views: StatementViews?) -> String? {
    guard message.hasSuffix("syntax error"), let views, let index, tokens.kind(index) == .word else {
      return nil
    }
    let word = String(tokens.source(index...index))
    let known = views.names + views.columns.map(\.name)
    guard isSQLKeyword(word), known.contains(where: { $0.lowercased() == word.lowercased() }) else {
      return nil
    }
    return "\(word) is a word of SQL, too: as a name, write \(quotedIdentifier(word))."
  }

  /// Whether the mistake is such a name, which an error with its place shows.
  var isReservedName: Bool { (try? StatementViews(tokens, of: entity, in: store)).flatMap(reserved) != nil }

  private func nearest(_ views: StatementViews?) -> String? {
    guard let unknown else { return keyword.map { "Did you mean \($0)?" } }
    switch unknown.kind {
    case "table":
      let near = likeliest(unknown.name, views?.names)
      return near ?? "'storescope query STORE --views' lists the views."
    case "function":
      let all = try? store.connection.rows("SELECT DISTINCT name FROM pragma_function_list") { $0.text(0) }
      let known = SQLFunction.all.map(\.name) + (all ?? []).filter { !SQLFunction.ofViews.contains($0) }
      let near = likeliest(unknown.name, known).map { $0 + " " } ?? ""
      return near + "'storescope query STORE --functions' lists the functions in addition to SQLite's."
    default:
      return likeliest(unknown.name, views?.columns.map(\.name))
        ?? (isInDoubleQuotes(unknown.name) ? "A text is written in single quotes." : nil)
    }
  }

  private func likeliest(_ word: String, _ known: [String]?) -> String? {
    Suggestion.likeliest(for: word, in: (known ?? []).filter { $0 != word }).map { "Did you mean '\($0)'?" }
  }

  private func isInDoubleQuotes(_ name: String) -> Bool {
    tokens.all.indices.contains { tokens.source($0...$0).hasPrefix("\"") && tokens.name($0) == name }
  }

  /// The one that was mistyped at the place or before it.
  private var keyword: String? {
    guard message.hasSuffix("syntax error"), offset != nil, let place = index else { return nil }
    return [place, place - 1].lazy.filter { tokens.kind($0) == .word && !tokens.isKeyword($0) }
      .compactMap { index -> String? in
        let word = tokens.text(index)
        // WHERE rather than WHEN.
        let known = SQLWords.clauses.sorted() + SQLWords.keywords
        return word.count > 2 ? Suggestion.nearest(to: word, in: known) : nil
      }.first
  }

  private static let mostColumns = 40

  private func columns(_ views: StatementViews?) -> String? {
    guard let views, unknown?.kind == "column" else { return nil }
    var seen: Set<String> = []
    let names = views.columns.map(\.view).filter { seen.insert($0).inserted }
    let lists = names.map { view in
      let columns = views.columns.filter { $0.view == view }.map(\.name)
      let more = columns.count > Self.mostColumns ? ", …" : ""
      return "\(view) has \(columns.prefix(Self.mostColumns).joined(separator: ", "))\(more)."
    }
    return lists.isEmpty ? nil : lists.joined(separator: " ")
  }

  // MARK: - The place

  /// Where SQLite says that the mistake is, else where the name stands that it doesn't know.
  private var byte: Int? {
    if let offset { return offset }
    guard let index = nameIndex else { return message == "incomplete input" ? tokens.sql.utf8.count : nil }
    return tokens.sql.utf8.distance(from: tokens.sql.startIndex, to: tokens.all[index].range.lowerBound)
  }

  /// The token there; the number of tokens at the end.
  private var index: Int? {
    guard let byte else { return nil }
    let place = tokens.sql.utf8.index(tokens.sql.startIndex, offsetBy: byte)
    return tokens.all.firstIndex { $0.range.lowerBound >= place } ?? tokens.all.count
  }

  private var mark: [String] { byte.map { PlaceMark.lines(tokens.sql, at: $0) } ?? [] }
}

/// Words of other databases that SQLite doesn't know, and what SQL has for each.
enum ForeignSQL {
  /// A word with `(` behind it is a function.
  private static let words: [(word: String, sql: String)] = [
    ("ilike", "LIKE, which ignores the case of A to Z"),
    ("regexp", "COLUMN LIKE 'text%' or COLUMN GLOB '[A-M]*'"),
    ("rlike", "COLUMN LIKE 'text%' or COLUMN GLOB '[A-M]*'"),
    ("~", "COLUMN LIKE 'text%' or COLUMN GLOB '[A-M]*'"),
    ("&&", "AND"),
    ("!", "NOT"),
    ("now(", "datetime('now')"),
    ("getdate(", "datetime('now')"),
    ("today", "date('now')"),
    ("yesterday", "date('now', '-1 day')"),
    ("interval", "datetime('now', '-1 day')"),
    ("dateadd(", "datetime(COLUMN, '+1 day')"),
    ("datediff(", "julianday(COLUMN) - julianday(COLUMN)"),
    ("year(", "strftime('%Y', COLUMN)"),
    ("month(", "strftime('%m', COLUMN)"),
    ("extract(", "strftime('%Y', COLUMN)"),
    ("date_trunc(", "strftime('%Y-%m', COLUMN)"),
    ("to_char(", "strftime('%Y-%m', COLUMN)"),
    ("concat(", "COLUMN || ' ' || COLUMN"),
    ("left(", "substr(COLUMN, 1, 3)"),
    ("len(", "length(COLUMN)"),
    ("isnull(", "ifnull(COLUMN, 0)"),
    ("malformed json", "json_extract(blob_json(COLUMN), '$.key')"),
    ("::", "CAST(COLUMN AS TEXT)"),
    ("top", "LIMIT 5 at the end"),
    ("show", "SELECT * FROM views"),
    ("describe", "SELECT * FROM views WHERE name = 'ENTITY'"),
    ("“", "straight quotes"),
  ]

  /// How many tokens before the place of a mistake may be its cause: `extract(year from`.
  private static let mostBefore = 3

  /// A sentence about the first of them at the mistake, or about what SQLite says.
  /// - Parameter place: the token there; nil if that isn't known.
  static func sentence(_ tokens: SQLTokens, _ message: String, at place: Int?) -> String? {
    if let row = words.first(where: { $0.word == message.lowercased() }) { return "Write \(row.sql)." }
    let all = tokens.all.indices
    let near = place.map { all.clamped(to: max(0, $0 - mostBefore)..<$0 + 1) } ?? all
    return near.lazy.compactMap { index in
      guard tokens.kind(index) != .string else { return nil }
      let text = tokens.source(index...index).lowercased()
      let row = words.first { word, _ in
        word == text || word.hasSuffix("(") && word == text + "(" && tokens.text(index + 1) == "("
          || word == "“" && text.hasPrefix(word)
      }
      return row.map { "Instead of \(tokens.source(index...index)), write \($0.sql)." }
    }.first
  }
}
