/// Names are repeated for each row that bears them, so a name of megabytes would make gigabytes of output. Core Data's own
/// names end far below the limit.
package enum LongName {
  /// In bytes of UTF-8.
  package static let limit = 1000

  package static func isTooLong(_ name: String) -> Bool { name.utf8.count > limit }

  /// The name, or its beginning and its length if it is too long to be one.
  package static func cut(_ utf8: UnsafeRawBufferPointer) -> String {
    guard utf8.count > limit else { return String(decoding: utf8, as: UTF8.self) }
    // A character that is cut in two would show as a replacement character.
    let start = String(decoding: utf8.prefix(100), as: UTF8.self).prefix(80)
    return "\(start)… (\(utf8.count) bytes)"
  }

  package static func cut(_ name: String) -> String {
    guard isTooLong(name) else { return name }
    var name = name
    return name.withUTF8 { cut(UnsafeRawBufferPointer($0)) }
  }
}
