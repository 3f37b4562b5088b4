import SQLite
import Values

/// What SQLite stops at without saying why: a date or an address without quotes, a mistyped keyword, what is missing.
extension SQLHabits {
  /// A moment or an address without quotes, of which SQLite says only which part it can't read.
  func unquoted(_ error: SQLiteError) -> String? {
    var outside = ""
    var end = tokens.sql.startIndex
    for token in tokens.all where token.kind == .string || token.kind == .name {
      outside += tokens.sql[end..<token.range.lowerBound] + "''"
      end = token.range.upperBound
    }
    outside += tokens.sql[end...]
    outside.replace(/--[^\n]*|\/\*[\s\S]*?(\*\/|$)/, with: " ")
    // A name that doesn't exist is a mistake of its own, unless it is a part of what should be quoted.
    let unknown = error.message.wholeMatch(of: /no such (?:column|table): (.+)/).map { String($0.1) }
    if let unknown, outside.firstMatch(of: ObjectReference.address).map({ !$0.0.contains(unknown) }) ?? true {
      return nil
    }
    if let match = outside.firstMatch(of: /\b\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?Z?)?/) {
      return "a date is written in quotes: write '\(match.0)'"
    }
    if let match = outside.firstMatch(of: /\b(\d\d?)\.(\d\d?)\.(\d{4})\b/), let day = Int(match.1),
      let month = Int(match.2)
    {
      return "a date is written as '\(match.3)-\(Self.twoDigits(month))-\(Self.twoDigits(day))'"
    }
    if let match = outside.firstMatch(of: ObjectReference.address) {
      return "an address is written in quotes: write '\(match.0)'"
    }
    return nil
  }

  func incomplete(_ error: SQLiteError) -> String? {
    if error.message.hasSuffix("syntax error"), let next = tokens.unendedStatement {
      return "';' is missing before '\(next.word)', where the second statement begins"
    }
    switch error.message {
    case "near \"|\": syntax error", "near \">\": syntax error":
      return redirection(error.message.contains("|") ? "|" : ">")
    case "near \",\": syntax error":
      // Three digits may be thousands.
      guard
        let index = tokens.all.indices.first(where: {
          tokens.kind($0) == .number && tokens.text($0 + 1) == "," && tokens.kind($0 + 2) == .number
            && StatementTokens.comparisonSigns.contains(tokens.text($0 - 1))
            && source($0 + 2).count != 3
        })
      else { return nil }
      return "a number has a decimal point: write \(source(index)).\(source(index + 2))"
    case "incomplete input":
      let (opened, closed) = (tokens.count(of: "("), tokens.count(of: ")"))
      return opened > closed ? "a parenthesis isn't closed: ) is missing" : nil
    // A condition stands in parentheses of ours.
    case "near \")\": syntax error":
      return tokens.count(of: ")") == 0 ? "something is missing at the end of '\(tokens.sql)'" : nil
    case "parser stack overflow":
      return
        "SQLite can't read the SQL, as it has too many parentheses, CASEs or subqueries inside one another; use fewer"
    default: return nil
    }
  }

  /// `SELECT name FROM Person | sort`, as commands have it.
  private func redirection(_ mark: String) -> String? {
    guard tokens.text(0) == "select", let index = tokens.all.indices.last(where: { tokens.text($0) == mark }),
      index > 0, index < tokens.all.count - 1
    else { return nil }
    let rest = tokens.sql[tokens.all[index].range.lowerBound...].replacing(/[\s;]+$/, with: "")
    return
      "SQL takes no '\(mark)' there. In the shell, put ';' before it: \(tokens.source(0...index - 1)); \(rest)"
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  private static let keywords = [
    "SELECT", "FROM", "WHERE", "GROUP", "ORDER", "BY", "HAVING", "LIMIT", "OFFSET", "DISTINCT", "JOIN",
    "LEFT",
    "INNER", "UNION", "BETWEEN", "LIKE", "AND", "OR", "NOT", "NULL", "COUNT", "VALUES", "WITH", "EXPLAIN",
  ]

  /// The mistyped keyword at or before the word at which SQLite stopped.
  func keyword(_ error: SQLiteError) -> String? {
    guard let match = error.message.wholeMatch(of: /near "(.+)": syntax error/) else { return nil }
    let stop = String(match.1).lowercased()
    let places = tokens.all.indices.filter {
      tokens.all[$0].kind == .word && tokens.all[$0].text == stop
        || tokens.all[$0].text == stop.filter { !"'\"".contains($0) }
    }
    for place in places {
      for index in [place, place - 1, place - 2] where tokens.kind(index) == .word {
        let word = source(index)
        guard word.count > 2, !Self.keywords.contains(word.uppercased()),
          let near = Suggestion.nearest(to: word, in: Self.keywords)
        else { continue }
        return "near '\(match.1)' something is wrong. Did you mean \(near) instead of '\(word)'?"
      }
    }
    return nil
  }
}
