import Lens

/// The words of a SELECT: https://www.sqlite.org/lang_select.html, and functions that come with SQLite and the lens.
package enum SQLWords {
  /// Those with which a statement may begin that only reads.
  package static let openings: Set<String> = ["SELECT", "WITH", "VALUES", "EXPLAIN"]

  static let keywords = [
    "ALL", "AND", "AS", "ASC", "BETWEEN", "BY", "CASE", "CAST", "COLLATE", "CROSS", "DESC", "DISTINCT",
    "ELSE",
    "END", "ESCAPE", "EXCEPT", "EXISTS", "EXPLAIN", "FILTER", "FROM", "GLOB", "GROUP", "HAVING", "IN",
    "INNER",
    "INTERSECT", "IS", "ISNULL", "JOIN", "LEFT", "LIKE", "LIMIT", "MATERIALIZED", "NATURAL", "NOCASE", "NOT",
    "NOTNULL", "NULL", "NULLS", "OFFSET", "ON", "OR", "ORDER", "OUTER", "OVER", "PARTITION", "RECURSIVE",
    "SELECT",
    "THEN", "UNION", "USING", "VALUES", "WHEN", "WHERE", "WINDOW", "WITH",
  ]

  static let functions =
    [
      "abs", "avg", "coalesce", "count", "date", "datetime", "group_concat", "hex", "ifnull", "iif", "instr",
      "json_each", "json_extract", "julianday", "length", "lower", "ltrim", "max", "min", "nullif", "printf",
      "quote",
      "replace", "round", "row_number", "rtrim", "strftime", "substr", "sum", "time", "total", "trim",
      "typeof",
      "unixepoch", "upper",
    ] + SQLFunction.all.map(\.name)

  /// Words that end the name of a table, and so can't be its alias.
  static let isKeyword = Set(keywords)

  /// Those that begin a part of the statement in which other names are meant.
  static let clauses: Set<String> = [
    "SELECT", "FROM", "JOIN", "ON", "USING", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION",
    "EXCEPT", "INTERSECT", "VALUES", "WITH",
  ]
}
