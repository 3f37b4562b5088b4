import SystemCalls

extension Cell {
  /// Whether both hold the same value: numbers by their value, whatever the storage class, as SQLite keeps whole numbers
  /// of a REAL column as integers (https://www.sqlite.org/datatype3.html); texts and blobs by their bytes.
  package func holdsSame(as other: Cell) -> Bool {
    switch (type, other.type) {
    case (.null, .null): true
    case (.integer, .integer): integer == other.integer
    case (.real, .real): real == other.real
    case (.integer, .real): Int64(exactly: other.real) == integer
    case (.real, .integer): Int64(exactly: real) == other.integer
    case (.text, .text), (.blob, .blob):
      withBytes { one in other.withBytes { Platform.areEqual(one, $0) } }
    default: false
    }
  }
}
