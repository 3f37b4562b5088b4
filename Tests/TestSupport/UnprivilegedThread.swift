import Foundation

/// Runs `body` so that the rights of files count for it, which they don't for root: on Linux one thread can take
/// another user's rights for itself (https://man7.org/linux/man-pages/man2/setfsuid.2.html). Returns false where
/// the process is root and can't do that.
package func withoutRootRights(_ body: @escaping @Sendable () throws -> Void) async throws -> Bool {
  guard geteuid() == 0 else {
    try body()
    return true
  }
  #if os(Linux)
    typealias SetUser = @convention(c) (UInt32) -> Int32
    guard let symbol = dlsym(nil, "setfsuid") else { return false }
    let setUser = unsafeBitCast(symbol, to: SetUser.self)
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        _ = setUser(65534)
        continuation.resume(with: Result { try body() })
      }
    }
    return true
  #else
    return false
  #endif
}
