import Lens

/// Cuts SQL into pieces, a text after the other: what one leaves open, the next one goes on with.
/// https://www.sqlite.org/lang.html, https://www.sqlite.org/lang_keywords.html (how names are quoted)
package struct SQLLexer {
  package enum Piece: Equatable {
    case blank
    /// `/* … */`
    case comment
    /// `-- …`, without the end of its line.
    case remark
    /// A name or keyword without quotes, or a number.
    case word
    /// A string or a name, with what opens it.
    case quoted(UInt8)
    case symbol(UInt8)
  }

  /// The comment, string or name that has begun and not ended.
  package private(set) var open: Piece?

  package init() {}

  /// Whether a comment is open that goes on in the next text.
  package var isInComment: Bool { open == .comment }

  /// Takes the next piece off the text, which isn't empty.
  package mutating func next(_ rest: inout Substring) -> Piece {
    var bytes = rest.utf8
    defer { rest = Substring(bytes) }
    if let piece = open {
      finish(piece, &bytes)
      return piece
    }
    let first = bytes.removeFirst()
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "["):
      finish(.quoted(first), &bytes)
      return .quoted(first)
    case UInt8(ascii: "-") where bytes.first == first:
      bytes = bytes.drop { $0 != 0x0A }
      return .remark
    case UInt8(ascii: "/") where bytes.first == UInt8(ascii: "*"):
      bytes.removeFirst()
      finish(.comment, &bytes)
      return .comment
    case _ where Self.isPartOfName(first):
      if first >= 0x80, let character = rest.first, character.isWhitespace {
        bytes = rest.dropFirst().utf8
        return .blank
      }
      bytes = bytes.drop(while: Self.isPartOfName)
      return .word
    default:
      return UnicodeScalar(first).properties.isWhitespace ? .blank : .symbol(first)
    }
  }

  /// SQLite takes every byte beyond ASCII for a letter.
  private static func isPartOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...: true
    default: false
    }
  }

  /// Reads to the end of the piece, or leaves it open.
  private mutating func finish(_ piece: Piece, _ rest: inout Substring.UTF8View) {
    open = piece
    var close = UInt8(ascii: "*")
    if case .quoted(let quote) = piece { close = quote == UInt8(ascii: "[") ? UInt8(ascii: "]") : quote }
    while let byte = rest.popFirst() {
      guard byte == close else { continue }
      if piece == .comment {
        guard rest.first == UInt8(ascii: "/") else { continue }
        rest.removeFirst()
      } else if close != UInt8(ascii: "]"), rest.first == close {
        // A doubled one is one of the content.
        rest.removeFirst()
        continue
      }
      open = nil
      return
    }
  }
}

// MARK: - Statements

extension SQLLexer {
  /// The text without the blanks and comments that it begins with; empty where there is nothing else in it.
  package mutating func skippingComments(_ text: Substring) -> Substring {
    var rest = text
    while !rest.isEmpty {
      var (after, ahead) = (rest, self)
      switch ahead.next(&after) {
      case .blank, .comment, .remark: (rest, self) = (after, ahead)
      case .word, .quoted, .symbol: return rest
      }
    }
    return rest
  }
}

/// The words of a SELECT: https://www.sqlite.org/lang_select.html, and functions that come with SQLite and the lens.
package enum SQLWords {
  /// Those with which a statement may begin that only reads.
  package static let openings: Set<String> = ["SELECT", "WITH", "VALUES", "EXPLAIN"]

  private static func words(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map(String.init)
  }

  static let keywords = words(
    """
    ALL AND AS ASC BETWEEN BY CASE CAST COLLATE CROSS DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS
    EXPLAIN FILTER FROM GLOB GROUP HAVING IN INNER INTERSECT IS ISNULL JOIN LEFT LIKE LIMIT
    MATERIALIZED NATURAL NOCASE NOT NOTNULL NULL NULLS OFFSET ON OR ORDER OUTER OVER PARTITION
    RECURSIVE SELECT THEN UNION USING VALUES WHEN WHERE WINDOW WITH
    """)

  static let functions =
    words(
      """
      abs avg coalesce count date datetime group_concat hex ifnull iif instr json_each json_extract
      julianday length lower ltrim max min nullif printf quote replace round row_number rtrim strftime
      substr sum time total trim typeof unixepoch upper
      """) + SQLFunction.all.map(\.name)

  /// Words that end the name of a table, and so can't be its alias.
  static let isKeyword = Set(keywords)

  /// Those that begin a part of the statement in which other names are meant.
  static let clauses: Set<String> = [
    "SELECT", "FROM", "JOIN", "ON", "USING", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "UNION",
    "EXCEPT", "INTERSECT", "VALUES", "WITH",
  ]
}
