package import Values

extension SQLiteError {
  /// What is said of an error that nothing else explained: most often damage, or tables unlike any Core Data makes.
  package func failure(reading path: String) -> StoreScopeError {
    if isLimit {
      return StoreScopeError(.limit, "'\(path)' can't be read to its end: \(message)", about: path)
    }
    // People know their own SQL, and what we generate says nothing to them.
    let tables = Sentence.listed(tables, atMost: 3)
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

  /// The tables and views that the statement reads, in one of which it ended: first those that it lists, and then those by
  /// which it finds more about their rows.
  private var tables: [String] {
    var names: [(name: String, depth: Int)] = []
    var depth = 0
    let piece = /'[^']*'|[()]|\b(?i:FROM|JOIN)\s+(?:(?:main|temp)\.)?(?:"([^"]+)"|(\w+))/
    // Of a statement with a list of many thousand values, its beginning.
    for match in (sql ?? "").prefix(50_000).matches(of: piece) {
      switch match.0 {
      case "(": depth += 1
      case ")": depth -= 1
      default:
        guard let name = (match.1 ?? match.2).map({ String($0.prefix(100)) }) else { continue }
        if let known = names.firstIndex(where: { $0.name == name }) {
          names[known].depth = min(names[known].depth, depth)
        } else {
          names.append((name, depth))
        }
      }
    }
    let outermost = names.map(\.depth).min()
    return names.filter { $0.depth == outermost }.map(\.name)
      + names.filter { $0.depth != outermost }.map(\.name)
  }
}
