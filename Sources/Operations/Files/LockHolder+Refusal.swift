import Evidence
import Values

extension LockHolder {
  static let advice = "quit the app and its extensions first"

  /// Why nothing is done to a store that somebody has open.
  func refusal(of path: String) -> StoreScopeError {
    StoreScopeError("'\(path)' is in use by \(description): \(Self.advice); nothing was changed.")
  }
}
