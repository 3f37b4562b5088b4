package import Values

extension SQLiteError {
  /// What is said of an error that nothing else explained: most often damage, or tables unlike any Core Data makes.
  package func failure(reading path: String) -> StoreScopeError {
    if isLimit {
      return StoreScopeError(.limit, "'\(path)' can't be read to its end: \(message)", about: path)
    }
    // People know their own SQL, and what we generate says nothing to them.
    let place = tables.isEmpty ? "" : "reading \(tables) failed. "
    let report = "\(place)SQLite reports '\(message)' (code \(code))"
    if isDamage {
      return StoreScopeError(
        .damaged, "'\(path)' is damaged: \(report)", about: path,
        advice:
          "'storescope doctor STORE' shows all that is wrong. Restore a backup, or try sqlite3's .recover")
    }
    return StoreScopeError(isBusy ? .busy : .unreadable, "can't read '\(path)': \(report)", about: path)
  }

  /// The tables and views that the statement reads, in one of which it ended.
  private var tables: String {
    var names: [String] = []
    // Of a statement with a list of many thousand values, its beginning.
    for match in (sql ?? "").prefix(50_000).matches(
      of: /\b(?i:FROM|JOIN)\s+(?:(?:main|temp)\.)?(?:"([^"]+)"|(\w+))/)
    {
      let name = String((match.1 ?? match.2 ?? "").prefix(100))
      if !names.contains(name) { names.append(name) }
    }
    let most = 3
    let listed = names.count > most ? names.prefix(most - 1) + ["\(names.count - most + 1) more"] : names[...]
    return listed.count > 1
      ? "\(listed.dropLast().joined(separator: ", ")) and \(listed[listed.count - 1])" : listed.first ?? ""
  }
}
