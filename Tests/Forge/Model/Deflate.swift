import Archives

/// Bare DEFLATE (RFC 1951) as a whole, as Core Data keeps its cached model.
package enum Deflate {
  package static func raw(_ bytes: [UInt8]) -> [UInt8] {
    var packed: [UInt8] = []
    let writer = DeflateWriter(.none) {
      packed += $0
      return true
    }
    guard bytes.withUnsafeBytes(writer.add), writer.finish() else {
      preconditionFailure("cannot compress \(bytes.count) bytes")
    }
    return packed
  }
}
