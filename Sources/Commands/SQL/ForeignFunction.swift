/// Functions of other databases that SQLite has under another name.
/// https://www.sqlite.org/lang_corefunc.html https://www.sqlite.org/lang_datefunc.html
enum ForeignFunction {
  /// How a call of it is written here; nil for other names.
  /// - Parameter name: in lower case.
  static func replacement(of name: String) -> String? {
    replacements.first { $0.names.contains(name) }?.here
  }

  private static let replacements: [(names: Set<String>, here: String)] = [
    (["year"], "CAST(strftime('%Y', date) AS INTEGER)"), (["month"], "CAST(strftime('%m', date) AS INTEGER)"),
    (["day", "dayofmonth"], "CAST(strftime('%d', date) AS INTEGER)"),
    (["hour"], "CAST(strftime('%H', date) AS INTEGER)"),
    (["weekday", "dayofweek"], "CAST(strftime('%w', date) AS INTEGER)"),
    (["date_format", "to_char", "format_date", "extract", "date_part"], "strftime('%Y-%m', date)"),
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
