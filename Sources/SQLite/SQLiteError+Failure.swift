package import Values

extension SQLiteError {
  /// What is said of an error that nothing else explained: most often damage, or tables unlike any Core Data makes.
  package func failure(reading path: String) -> StoreScopeError {
    if isLimit {
      return StoreScopeError(.limit, "'\(path)' can't be read to its end: \(message)", about: path)
    }
    let place = shortSQL.map { " in '\($0)'" } ?? ""
    return StoreScopeError(
      isDamage ? .damaged : isBusy ? .busy : .unreadable,
      "can't read '\(path)': SQLite reports '\(message)' (code \(code))\(place)", about: path,
      advice: isDamage ? "the file is damaged: restore a backup or try sqlite3's .recover" : nil)
  }

  /// Generated statements run to thousands of characters; the beginning shows which one it is.
  private var shortSQL: String? {
    let limit = 120
    return sql.map { $0.count > limit ? $0.prefix(limit) + "…" : $0 }
  }
}
