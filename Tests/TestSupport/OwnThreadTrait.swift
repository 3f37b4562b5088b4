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
