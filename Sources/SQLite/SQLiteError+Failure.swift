package import Values

extension SQLiteError {
  /// What is said of an error that nothing else explained: most often damage, or tables unlike any Core Data makes.
  package func failure(reading path: String) -> StoreScopeError {
    if isLimit {
      return StoreScopeError(.limit, "'\(path)' can't be read to its end: \(message)", about: path)
    }
    let place = shortSQL.map { " in '\($0)'" } ?? ""
    let report = "SQLite reports '\(message)' (code \(code))\(place)"
    if isDamage {
      return StoreScopeError(
        .damaged, "'\(path)' is damaged: \(report)", about: path,
        advice:
          "'storescope doctor STORE' shows all that is wrong. Restore a backup, or try sqlite3's .recover")
    }
    return StoreScopeError(isBusy ? .busy : .unreadable, "can't read '\(path)': \(report)", about: path)
  }

  /// Generated statements run to thousands of characters; the beginning shows which one it is.
  private var shortSQL: String? {
    let limit = 120
    return sql.map { $0.count > limit ? $0.prefix(limit) + "…" : $0 }
  }
}
