import Base
import Synchronization
import Testing

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

  private struct Mistake: Error {}

  /// Parts of very different lengths, of which the later ones are made first.
  private static func bytes(_ part: Int) -> [UInt8] {
    Array(repeating: UInt8(truncatingIfNeeded: part), count: part % 7 == 3 ? 5_000_000 : part % 5)
  }

  private static func maker(failingAt mistake: Int? = nil) -> Threads.PartMaker {
    { part, handOver in
      if part % 3 == 0 { Platform.pause(seconds: 0.002) }
      var rest = bytes(part)[...]
      while !rest.isEmpty, rest.prefix(400_000).withUnsafeBytes(handOver) { rest = rest.dropFirst(400_000) }
      if part == mistake { throw Mistake() }
    }
  }

  @Test(arguments: [0, 1, 2, 17], [1, 2, 5])
  func partsComeInOrder(_ parts: Int, _ threads: Int) throws {
    var all: [UInt8] = []
    try Threads.inOrder(parts: parts, by: (0..<threads).map { _ in Self.maker() }, whileWaiting: {}) {
      all += $0
      return true
    }
    #expect(all == (0..<parts).flatMap(Self.bytes))
  }

  /// What was read before a damaged page is printed, as by one thread, and nothing that lies behind it.
  @Test func aMistakeIsToldInItsTurn() {
    var all: [UInt8] = []
    #expect(throws: Mistake.self) {
      try Threads.inOrder(
        parts: 40, by: [Self.maker(failingAt: 11), Self.maker(failingAt: 11)], whileWaiting: {}
      ) {
        all += $0
        return true
      }
    }
    #expect(all == (0...11).flatMap(Self.bytes))
  }

  /// `| head` ends a command, however much the threads have left to do.
  @Test func nothingIsMadeThatNobodyWants() throws {
    var taken = 0
    try Threads.inOrder(parts: .max, by: [Self.maker(), Self.maker()], whileWaiting: {}) { piece in
      taken += piece.count
      return taken < 1_000_000
    }
    #expect(taken >= 1_000_000)
  }
}
