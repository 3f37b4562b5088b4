import Testing

@testable import Commands

struct FleetPaceTests {
  /// After a run was taken up, what the earlier one had done was counted as if it had taken no time.
  @Test(arguments: [
    (0, 50, "50 of 1,000 stores, 10 per second, 95.0 s left"),
    (900, 50, "950 of 1,000 stores, 10 per second, 5.0 s left"),
    (900, 0, "900 of 1,000 stores, 0 per second"),
  ]) func whatAnEarlierRunDidSaysNothing(before: Int, done: Int, words: String) {
    var pace = FleetPace(total: 1000, before: before)
    for _ in 0..<done { pace.add() }
    #expect(pace.words(after: 5) == words)
  }
}
