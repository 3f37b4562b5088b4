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

  @Test func argumentsLeaveTheCommandAsTyped() throws {
    let text = "rows Trip --where \"title = 'a  b'\" --every 500ms"
    let arguments = try WatchArguments(try WordSplitter.split(text), text)
    #expect(arguments.seconds == 0.5 && arguments.times == nil)
    #expect(arguments.line.hasPrefix("rows Trip --where \"title = 'a  b'\""))
    let plain = try WatchArguments(["pending"], "pending")
    #expect(plain.seconds == 2 && plain.line == "pending")
  }

  @Test(arguments: [
    "", "pending --every", "pending --every soon", "pending --every 1ms", "pending --times 0",
  ])
  func wrongArgumentsAreRefused(text: String) {
    #expect(throws: UsageError.self) { try WatchArguments(try WordSplitter.split(text), text) }
  }
}
