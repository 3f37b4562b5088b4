package import Archives
package import Values

/// What stands where a server change token is kept.
package enum ChangeTokenState: Sendable, Equatable {
  /// Nothing: the next fetch starts from the beginning.
  case none
  case token(ServerChangeToken)
  /// Bytes that are no such archive: their number, and why not.
  case unreadable(bytes: Int, because: String)

  init(_ bytes: [UInt8]?) {
    guard let bytes else {
      self = .none
      return
    }
    do throws(ArchiveError) {
      self = .token(try ServerChangeToken(archive: bytes))
    } catch {
      self = .unreadable(bytes: bytes.count, because: error.description)
    }
  }

  package var isPresent: Bool { self != .none }

  package static let shape = Shape.object([
    .init("bytes", .integer, "of the token", if: "it can be read"),
    .init("archiveBytes", .integer, "of the archive that it is in"),
    .init("problem", .text, "why it can't be read", if: "it can't be"),
  ]).orNull

  /// A change token's content is CloudKit's own business; only its presence and its size are known.
  package var value: DataValue {
    switch self {
    case .none: .null
    case .token(let token): ["bytes": .count(token.bytes.count), "archiveBytes": .count(token.archiveBytes)]
    case .unreadable(let bytes, let why): ["archiveBytes": .count(bytes), "problem": .text(why)]
    }
  }
}
