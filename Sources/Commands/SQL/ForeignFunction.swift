/// Functions of other databases that SQLite has under another name.
/// https://www.sqlite.org/lang_corefunc.html https://www.sqlite.org/lang_datefunc.html
enum ForeignFunction {
  /// How the call that stands there is written here; nil for other names.
  static func replacement(at index: Int, _ tokens: StatementTokens) -> String? {
    let name = tokens.text(index)
    return datePart(name, at: index, tokens) ?? replacements.first { $0.names.contains(name) }?.here
  }

  /// `year(startDate)`, `extract(year FROM startDate)` and `date_part('year', startDate)`
  private static func datePart(_ name: String, at index: Int, _ tokens: StatementTokens) -> String? {
    guard let close = tokens.partner(index + 1) else { return nil }
    let arguments = (tokens.list(index + 2, close - 1) ?? []).map { String(tokens.source($0)) }
    let (part, date): (String, String)
    switch name {
    case "extract":
      guard
        let match = arguments.first?.wholeMatch(of: /(\w+)\s+from\s+(.+)/.ignoresCase().dotMatchesNewlines())
      else { return nil }
      (part, date) = (String(match.1), String(match.2))
    case "date_part", "datepart":
      guard arguments.count == 2 else { return nil }
      (part, date) = (arguments[0].filter(\.isLetter), arguments[1])
    default: (part, date) = (name, arguments.count == 1 ? arguments[0] : "date")
    }
    return parts[part.lowercased()].map { "CAST(strftime('\($0)', \(date)) AS INTEGER)" }
  }

  private static let parts = [
    "year": "%Y", "month": "%m", "week": "%W", "day": "%d", "dayofmonth": "%d", "dayofyear": "%j",
    "doy": "%j",
    "weekday": "%w", "dayofweek": "%w", "dow": "%w", "hour": "%H", "minute": "%M", "second": "%S",
  ]

  private static let replacements: [(names: Set<String>, here: String)] = [
    (
      ["date_format", "to_char", "format_date", "extract", "date_part", "datepart"], "strftime('%Y-%m', date)"
    ),
    (["date_trunc", "trunc_date"], "date(date, 'start of month')"),
    (
      ["date_add", "dateadd", "date_sub", "adddate", "subdate"], "datetime(date, '+1 day')"
    ),
    (
      ["datediff", "timestampdiff", "date_diff", "age"],
      "endDate - startDate, which is seconds: / 86400.0 makes days of them"
    ),
    (["getdate", "curdate", "sysdate", "current_date", "today", "utc_timestamp"], "'now'"),
    (["to_date", "to_timestamp", "str_to_date"], "the date itself, such as '2026-03-20'"),
    (["left"], "substr(text, 1, 3)"), (["right"], "substr(text, -3)"), (["mid"], "substr(text, 2, 3)"),
    (["len", "char_length"], "length(text)"), (["ucase"], "upper(text)"), (["lcase"], "lower(text)"),
    (["charindex", "locate", "strpos", "position", "contains"], "instr(text, 'part')"),
    (["startswith", "starts_with"], "text LIKE 'part%'"), (["endswith", "ends_with"], "text LIKE '%part'"),
    (["concat", "concat_ws"], "a || ' ' || b"), (["isnull", "nvl"], "ifnull(a, b)"), (["if"], "iif(a, b, c)"),
    (["greatest"], "max(a, b)"), (["least"], "min(a, b)"), (["rand"], "random()"),
    (["convert"], "CAST(a AS TEXT)"), (["string_agg", "listagg"], "group_concat(text, ', ')"),
    (["array_agg"], "json_group_array(a)"), (["countif", "count_if"], "SUM(condition)"),
    (["regexp_like", "regexp_matches", "regexp"], "text LIKE 'S%', where % is any text"),
  ]
}
