import Synchronization
import SystemCalls
import Testing
import Values

struct ThreadsTests {
  @Test(arguments: [0, 1, 2, 17])
  func allBodiesHaveRunWhenTheCallReturns(_ count: Int) {
    let sum = Mutex(0)
    let bodies = (0..<count).map { number in { @Sendable in sum.withLock { $0 += number } } }
    Threads.run(bodies) {}
    #expect(sum.withLock { $0 } == (0..<count).reduce(0, +))
  }

  /// Decoders go deep; with the small stack that other threads have by default they would end the program.
  @Test func threadsHaveRoomForDeepCalls() {
    @Sendable func depth(_ left: Int) -> Int { left == 0 ? 0 : 1 + depth(left - 1) }
    let result = Mutex(0)
    Threads.run([{ result.withLock { $0 = depth(10_000) } }]) {}
    #expect(result.withLock { $0 } == 10_000)
  }
}
