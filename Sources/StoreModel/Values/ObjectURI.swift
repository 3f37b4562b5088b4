import Values

/// An object's name outside its context: `x-coredata://STORE-UUID/Entity/p12`, or with `t…` behind the entity for
/// an object that was never saved.
/// https://developer.apple.com/documentation/coredata/nsmanagedobjectid/urirepresentation()
package struct ObjectURI: Sendable, Equatable {
  package enum Key: Sendable, Equatable {
    case permanent(Int64)
    case temporary(String)
  }

  /// Empty in temporary URIs of objects without a store.
  package var storeUUID: String
  package var entity: String
  package var key: Key

  /// Nil for anything that isn't exactly an object URI.
  package init?(_ text: some StringProtocol) {
    let scheme = "x-coredata://"
    guard text.hasPrefix(scheme) else { return nil }
    let parts = text.dropFirst(scheme.count).split(
      separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, !parts[1].isEmpty, let kind = parts[2].first else { return nil }
    let rest = parts[2].dropFirst()
    switch kind {
    case "p":
      guard let primaryKey = Int64(rest), primaryKey >= 0 else { return nil }
      key = .permanent(primaryKey)
    case "t" where !rest.isEmpty: key = .temporary(String(rest))
    default: return nil
    }
    storeUUID = String(parts[0])
    entity = parts[1].percentDecoded
  }

  package static func text(storeUUID: String, entity: String, primaryKey: Int64) -> String {
    String(decoding: prefix(storeUUID: storeUUID, entity: entity), as: UTF8.self) + String(primaryKey)
  }

  /// The URI up to and including `p`, in ASCII: whatever a URI doesn't allow in a path is percent-encoded
  /// (RFC 3986, §2.1).
  package static func prefix(storeUUID: String, entity: String) -> [UInt8] {
    var bytes = Array("x-coredata://".utf8)
    append(storeUUID, to: &bytes)
    bytes.append(UInt8(ascii: "/"))
    append(entity, to: &bytes)
    bytes.append(contentsOf: Array("/p".utf8))
    return bytes
  }

  private static func append(_ text: String, to bytes: inout [UInt8]) {
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: bytes.append(byte)
      default: bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
  }
}
