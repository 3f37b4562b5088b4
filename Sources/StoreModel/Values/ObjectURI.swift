import Base

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

  /// The URI up to and including `p`, in ASCII.
  package static func prefix(storeUUID: String, entity: String) -> [UInt8] {
    Array("x-coredata://\(storeUUID.percentEncoded())/\(entity.percentEncoded())/p".utf8)
  }
}
