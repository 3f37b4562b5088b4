import CSQLite

/// The storage class of one value, https://www.sqlite.org/datatype3.html
package enum SQLiteType: Sendable {
  case null, integer, real, text, blob

  init(_ code: Int32) {
    switch code {
    case SQLITE_INTEGER: self = .integer
    case SQLITE_FLOAT: self = .real
    case SQLITE_TEXT: self = .text
    case SQLITE_BLOB: self = .blob
    default: self = .null
    }
  }
}

/// One value with its bytes copied. Loops over many rows read through `Statement` instead.
package enum SQLiteValue: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
}

extension SQLiteValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(stringLiteral value: String) { self = .text(value) }
}

/// Whether SQL has the word itself, in whatever case: https://www.sqlite.org/c3ref/keyword_check.html
package func isSQLKeyword(_ word: String) -> Bool {
  sqlite3_keyword_check(word, Int32(clamping: word.utf8.count)) != 0
}

/// A name as SQL text that can't be taken for anything else: `a"b` becomes `"a""b"`.
package func quotedIdentifier(_ name: String) -> String { quoted(name, UInt8(ascii: "\"")) }

/// A text as SQL that can't be taken for anything else: `it's` becomes `'it''s'`.
package func quotedText(_ text: String) -> String { quoted(text, UInt8(ascii: "'")) }

/// Byte by byte, as SQLite reads: to Swift a quote and the accent after it are one character, and no quote.
private func quoted(_ text: String, _ quote: UInt8) -> String {
  let mark = String(UnicodeScalar(quote))
  guard text.utf8.contains(quote) else { return mark + text + mark }
  var bytes = [quote]
  bytes.reserveCapacity(text.utf8.count + 2)
  for byte in text.utf8 {
    bytes.append(byte)
    if byte == quote { bytes.append(quote) }
  }
  bytes.append(quote)
  return String(decoding: bytes, as: UTF8.self)
}

/// The bytes of one value of SQLite's, in UTF-8 where it is text, valid until the value changes.
/// A number comes as its text, NULL as no bytes.
func bytes(of value: OpaquePointer?) -> UnsafeRawBufferPointer {
  // Only a BLOB goes through `value_blob`: for TEXT of a UTF-16 store it would hand out UTF-16.
  // The length is asked after the conversion: https://www.sqlite.org/c3ref/value_blob.html
  let start: UnsafeRawPointer?
  guard let value else { return UnsafeRawBufferPointer(start: nil, count: 0) }
  switch sqlite3_value_type(value) {
  case SQLITE_NULL: return UnsafeRawBufferPointer(start: nil, count: 0)
  case SQLITE_BLOB: start = sqlite3_value_blob(value)
  default: start = UnsafeRawPointer(sqlite3_value_text(value))
  }
  guard let start else { return UnsafeRawBufferPointer(start: nil, count: 0) }
  return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
}

func copy(of value: OpaquePointer?) -> SQLiteValue {
  guard let value else { return .null }
  return switch sqlite3_value_type(value) {
  case SQLITE_INTEGER: .integer(sqlite3_value_int64(value))
  case SQLITE_FLOAT: .real(sqlite3_value_double(value))
  case SQLITE_TEXT: .text(String(decoding: bytes(of: value), as: UTF8.self))
  case SQLITE_BLOB: .blob([UInt8](bytes(of: value)))
  default: .null
  }
}
