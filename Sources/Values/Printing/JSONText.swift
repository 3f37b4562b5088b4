/// A value as JSON in a string, where it is short enough to be one.
package enum JSONText {
  package static func compact(_ value: DataValue) -> String { text { JSONWriter($0).value(value) } }

  /// On lines of its own, indented, for files that people read too.
  package static func pretty(_ value: DataValue) -> String {
    text {
      JSONWriter($0).value(value, indent: 0)
      $0.text("\n")
    }
  }

  private static func text(_ write: (OutputBuffer) -> Void) -> String {
    var bytes: [UInt8] = []
    let output = OutputBuffer(capacity: 1024) {
      bytes.append(contentsOf: $0)
      return true
    }
    write(output)
    output.flush()
    return String(decoding: bytes, as: UTF8.self)
  }
}
