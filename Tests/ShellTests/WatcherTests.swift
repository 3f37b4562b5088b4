import Commands
import Testing

@testable import Shell

struct WatcherTests {
  @Test func differenceCountsLines() {
    let difference = LineDifference(from: ["a", "b", "b", "c"], to: ["b", "c", "c", "d"])
    #expect(difference.gone == ["a", "b"] && difference.new == ["c", "d"])
    #expect(difference.text == "- a\n- b\n+ c\n+ d\n")
    #expect(LineDifference(from: ["a"], to: ["a"]).isEmpty)
  }

  @Test func widerColumnsAreNoDifference() {
    let old = ["id  name", "──  ────", " 1  Ann"]
    let new = ["id   name", "──   ──────", " 1   Ann", " 2   Walter"]
    #expect(LineDifference(from: old, to: new) == LineDifference(from: [], to: [" 2   Walter"]))
  }

  @Test func otherSpacingWithinACellIsADifference() {
    #expect(!LineDifference(from: ["a b"], to: ["a  b"]).isEmpty)
    #expect(LineDifference(from: ["id  a b", "── "], to: ["   id     a b", "─────  ─"]).isEmpty)
  }

  /// A long text scrolled its beginning, with the verdict, off the screen.
  @Test(arguments: [(21, 21, nil), (22, 21, "… 1 more line"), (100, 21, "… 79 more lines")])
  func textsFitTheScreen(_ lines: Int, _ kept: Int, _ last: String?) {
    let text = (1...lines).map { "\($0)\n" }.joined()
    let fitted = Watcher.fitted(text, rows: 24).split(separator: "\n")
    #expect(fitted.prefix(kept).last == "\(kept)" && fitted.count == kept + (last == nil ? 0 : 1))
    if let last { #expect(fitted.last == Substring(last)) }
  }

  @Test func argumentsLeaveTheCommandAsTyped() throws {
    let text = "rows Trip --where \"title = 'a  b'\" --every 500ms"
    let arguments = try WatchArguments(text)
    #expect(arguments.seconds == 0.5 && arguments.times == nil)
    #expect(arguments.line == "rows Trip --where \"title = 'a  b'\" ")
    let plain = try WatchArguments("pending")
    #expect(plain.seconds == 2 && plain.line == "pending")
  }

  @Test(arguments: [
    "--every=3s --times 4 rows Trip", "--times=4 --every '3s' rows Trip", "rows --every 3 Trip --times=4",
    "rows Trip --every=3000ms --times=4", "rows Trip --every 9s --every=0.05m --times 4 ",
  ]) func optionsMayStandAnywhere(text: String) throws {
    let arguments = try WatchArguments(text)
    #expect(arguments.seconds == 3 && arguments.times == 4)
    #expect(try WordSplitter.split(arguments.line) == ["rows", "Trip"])
  }

  @Test(arguments: [
    "", "--times 3", "pending --every", "pending --every ", "pending --every=", "pending --every soon",
    "pending --every 1ms", "pending --times 0", "pending --every --times 3",
  ])
  func wrongArgumentsAreRefused(text: String) {
    #expect(throws: UsageError.self) { try WatchArguments(text) }
  }
}
