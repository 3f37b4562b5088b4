/// What the shell has to know of SQL: where it begins and where it ends. https://www.sqlite.org/lang.html
enum SQLText {
  private static let readers: Set = ["SELECT", "WITH", "VALUES"]
  /// They are refused; but the refusal must be about what was meant.
  private static let others: Set = [
    "INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER", "ATTACH", "DETACH", "VACUUM",
    "PRAGMA",
    "BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "REINDEX", "ANALYZE",
  ]

  /// Whether a line is the beginning of a statement and not a command.
  static func begins(_ line: some StringProtocol) -> Bool {
    let words = line.split(maxSplits: 2) { !$0.isLetter }.prefix(2).map { $0.uppercased() }
    guard let first = words.first, line.first(where: { !$0.isWhitespace && $0 != "(" })?.isLetter == true
    else {
      return false
    }
    if readers.contains(first) || others.contains(first) { return true }
    // 'explain' is a command as well, about errors and terms.
    guard first == "EXPLAIN", words.count > 1 else { return false }
    return words[1] == "QUERY" || readers.contains(words[1]) || others.contains(words[1])
  }

  /// Behind the semicolon that ends the first statement; nil where it isn't ended.
  static func end(of text: String) -> String.Index? {
    let bytes = text.utf8
    var at = bytes.startIndex
    func after(_ index: String.Index) -> String.Index { bytes.index(after: index) }
    /// Behind the next occurrence of two bytes, or of one.
    func skip(to first: UInt8, _ second: UInt8? = nil, from start: String.Index) -> String.Index {
      var index = start
      while index < bytes.endIndex {
        let next = after(index)
        if bytes[index] == first {
          guard let second else { return next }
          if next < bytes.endIndex, bytes[next] == second { return after(next) }
        }
        index = next
      }
      return bytes.endIndex
    }
    while at < bytes.endIndex {
      let byte = bytes[at]
      let next = after(at)
      let following = next < bytes.endIndex ? bytes[next] : 0
      switch byte {
      case UInt8(ascii: ";"): return next
      // A doubled quote within closes one and opens the next, which comes to the same.
      case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"): at = skip(to: byte, from: next)
      case UInt8(ascii: "["): at = skip(to: UInt8(ascii: "]"), from: next)
      case UInt8(ascii: "-") where following == byte: at = skip(to: 0x0A, from: next)
      case UInt8(ascii: "/") where following == UInt8(ascii: "*"):
        at = skip(to: UInt8(ascii: "*"), UInt8(ascii: "/"), from: after(next))
      default: at = next
      }
    }
    return nil
  }
}
