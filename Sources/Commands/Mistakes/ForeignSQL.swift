/// Words of NSPredicate and of other databases that SQLite doesn't know, and what SQL has for each.
/// https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Predicates/Articles/pSyntax.html
enum ForeignSQL {
  /// A word with `(` behind it is a function.
  private static let words: [(word: String, sql: String)] = [
    ("contains", "COLUMN LIKE '%text%'"),
    ("beginswith", "COLUMN LIKE 'text%'"),
    ("endswith", "COLUMN LIKE '%text'"),
    ("ilike", "LIKE, which ignores the case of A to Z"),
    ("matches", "COLUMN LIKE 'text%' or COLUMN GLOB '[A-M]*'"),
    ("regexp", "COLUMN LIKE 'text%' or COLUMN GLOB '[A-M]*'"),
    ("rlike", "COLUMN LIKE 'text%' or COLUMN GLOB '[A-M]*'"),
    ("~", "COLUMN LIKE 'text%' or COLUMN GLOB '[A-M]*'"),
    ("[c]", "COLUMN = 'text' COLLATE NOCASE"),
    ("[cd]", "COLUMN = 'text' COLLATE NOCASE"),
    ("&&", "AND"),
    ("!", "NOT"),
    ("=>", ">="),
    ("=<", "<="),
    ("{", "IN (1, 2) or BETWEEN 1 AND 2"),
    ("yes", "1 or true"),
    ("no", "0 or false"),
    ("nil", "COLUMN IS NULL"),
    ("self", "the column alone"),
    ("any", "pk IN (SELECT source FROM ENTITY_RELATIONSHIP WHERE target = pk('ENTITY/p1'))"),
    ("subquery", "pk IN (SELECT source FROM ENTITY_RELATIONSHIP WHERE target = pk('ENTITY/p1'))"),
    ("@count", "(SELECT COUNT(*) FROM ENTITY_RELATIONSHIP WHERE source = pk)"),
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

  /// Before the place of a mistake so many words may be the reason for it: `extract(year from`.
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
