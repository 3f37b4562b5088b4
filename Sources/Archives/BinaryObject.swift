package import Values

/// One object of a binary property list, with its children still as references.
package enum BinaryObject: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case date(CoreDataDate)
  case string(String)
  /// A range of the file's bytes.
  case data(Range<Int>)
  case uid(UInt64)
  case array(References)
  case set(References)
  /// The references of the keys, and directly behind them those of the values.
  case dictionary(keys: References, values: References)

  /// A run of object numbers in the file.
  package struct References: Sendable {
    var offset: Int
    package var count: Int
  }
}
