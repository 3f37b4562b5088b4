import Values

extension SQLiteError {
  /// What is said of an error that nothing else explained: most often damage, or tables unlike any Core Data makes.
  package func sentence(about path: String) -> String {
    if isLimit { return "Reading '\(path)' stopped: \(Sentence.ended(message))" }
    let place = shortSQL.map { " in '\($0)'" } ?? ""
    let advice =
      isDamage ? "; the file is damaged, so use a backup, or what '.recover' of sqlite3 can save" : ""
    return "Reading '\(path)' stopped: SQLite says '\(message)' (code \(code))\(place)\(advice)."
  }

  /// Generated statements run to thousands of characters; the beginning tells which one it is.
  private var shortSQL: String? {
    let limit = 120
    return sql.map { $0.count > limit ? $0.prefix(limit) + "…" : $0 }
  }
}
