import Values

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder that only its owner may look into, for what a result is made of. It goes with this value.
package final class PrivateFolder {
  package let path: String
  /// It is taken away through this: the folder next door may be somebody else's, who puts another in its place.
  private let claim: ClaimedFolder

  /// Next to the result, where there is space for it.
  /// - Throws: `StoreScopeError` if it can't be made.
  package init(near result: String) throws {
    path = "\(result).\(getpid()).parts"
    guard try Files.makeNewFolder(path), let claim = ClaimedFolder(path) else {
      throw Files.madeMeanwhile(path)
    }
    self.claim = claim
  }

  deinit { _ = claim.remove() }
}
