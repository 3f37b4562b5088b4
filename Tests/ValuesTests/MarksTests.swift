import SystemCalls
import Testing
import Values

@Suite struct MarksTests {
  private let marks = Marks(saltText: "test")

  @Test func equalStaysEqual() {
    #expect(marks.mark("Ada", kind: "name") == marks.mark("Ada", kind: "name"))
    #expect(marks.mark("Ada", kind: "name") != marks.mark("Jonas", kind: "name"))
    #expect(marks.mark("Ada", kind: "name") != marks.mark("Ada", kind: "author"))
    #expect(marks.mark("Ada", kind: "name") != Marks(saltText: "other").mark("Ada", kind: "name"))
    #expect(marks.mark("Ada", kind: "name").count == "name-".count + 12)
  }

  @Test func randomSaltsDiffer() {
    #expect(Marks.random().mark("Ada", kind: "name") != Marks.random().mark("Ada", kind: "name"))
  }

  @Test func uuidsStayUUIDs() throws {
    let text = "7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9"
    let bytes = try #require(Hexadecimal.uuidBytes(text))
    #expect(bytes.withUnsafeBytes { Hexadecimal.uuid($0) } == text)
    let mark = try #require(marks.uuid(text))
    #expect(mark != text && Hexadecimal.uuidBytes(mark) != nil)
    #expect(marks.uuid(text.lowercased()) == mark)
    #expect(bytes.withUnsafeBytes { marks.uuid($0) } == Hexadecimal.uuidBytes(mark))
  }

  @Test(arguments: [
    "", "7D3B51C4", "7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7AX", "7D3B51C40F2E-4C55-9A61-5E2C8D40B7A9-",
  ])
  func othersAreNoUUIDs(_ text: String) {
    #expect(Hexadecimal.uuidBytes(text) == nil)
    #expect(marks.uuid(text) == nil)
  }
}
