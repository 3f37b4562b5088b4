import Archives

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
}
