import Foundation
package import Testing

/// Runs tests on threads of their own. The pool that tests run on has one thread per core: a test that waits there for
/// a terminal, a pipe, or another process leaves a core idle.
package struct OwnThreadTrait: TestTrait, SuiteTrait, TestScoping {
  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Threads.shared) { try await function() }
  }

  private final class Threads: TaskExecutor {
    static let shared = Threads()
    private let queue = OperationQueue()

    private init() {
      // Few: the more tests there are at once, the longer each takes, and some have to be done within a time.
      queue.maxConcurrentOperationCount = 3
    }

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      queue.addOperation { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
  }
}

extension Trait where Self == OwnThreadTrait {
  /// For tests that wait for other processes.
  package static var waiting: Self { Self() }
}

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
