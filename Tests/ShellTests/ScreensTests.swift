import Commands
import Testing

@testable import Shell

/// A number means the object with that number in the result printed last.
struct ScreensTests {
  private let list = ["rows", "Person"]

  private func opened() -> Screens {
    var screens = Screens()
    screens.show(list, ["Person/p1", "Person/p2", "Person/p3"])
    screens.show(["show", "Person/p2"], ["Trip/p1"], opened: 2)
    return screens
  }

  @Test func numbersAreOfTheLastResult() throws {
    let screens = opened()
    #expect(try screens.object(1) == "Trip/p1")
    let refused = #expect(throws: UsageError.self) { try screens.object(3) }
    #expect(refused?.description.contains("'show Person/p2', has only number 1") == true)
    #expect(refused?.description.contains("'back' returns to 'rows Person'") == true)
    #expect(try screens.back().words == list)
  }

  /// `show 1` opened object 1 of an older screen.
  @Test func aResultWithoutObjectsHasNoNumbers() throws {
    var screens = opened()
    screens.show(["query", "SELECT 1"], [])
    let refused = #expect(throws: UsageError.self) { try screens.object(1) }
    #expect(refused?.description.contains("Add uri to the SELECT") == true)
    // It is nothing to return to.
    screens.show(["query", "SELECT 2"], [])
    #expect(try screens.back().words == ["show", "Person/p2"])
  }

  /// Between two traces of a list, `back` was needed.
  @Test func aTraceLeavesTheNumbers() throws {
    var screens = opened()
    screens = try screens.back().rest
    screens.show(list, ["Person/p1", "Person/p2", "Person/p3"])
    let nothingOpen = #expect(throws: UsageError.self) { try screens.neighbor(1) }
    #expect(nothingOpen?.description.contains("'show 1' shows the first") == true)
    screens.show(["trace", "Person/p2"], [], opened: 2)
    #expect(try screens.object(3) == "Person/p3")
    screens.show(["trace", "Person/p3"], [], opened: 3)
    #expect(try screens.object(1) == "Person/p1")
    #expect(try screens.neighbor(-1).words == ["show", "Person/p2"])
    #expect(try screens.back().words == list)
    screens.show(["query", "SELECT 1"], [])
    #expect(throws: UsageError.self) { try screens.object(1) }
  }

  @Test func theListIsWalked() throws {
    var screens = opened()
    let next = try screens.neighbor(1)
    #expect(next.words == ["show", "Person/p3"] && next.number == 3)
    screens = next.rest
    screens.show(next.words, [], opened: next.number)
    #expect(throws: UsageError.self) { try screens.neighbor(1) }
    #expect(try screens.neighbor(-1).words == ["show", "Person/p2"])
    let back = try screens.back()
    #expect(back.words == list)
    // What failed, or went to a file, has left nothing.
    #expect(try screens.back().words == list)
    screens = back.rest
    screens.show(back.words, ["Person/p1", "Person/p2", "Person/p3"])
    #expect(throws: UsageError.self) { try screens.neighbor(1) }
    #expect(throws: UsageError.self) { try screens.back() }
  }

  @Test func whatIsRepeatedIsNoOtherPlace() throws {
    var screens = opened()
    screens.show(["show", "Person/p2"], ["Trip/p1"])
    #expect(try screens.back().words == list)
  }
}
