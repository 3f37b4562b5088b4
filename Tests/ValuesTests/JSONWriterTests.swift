import Testing
import Values

struct JSONWriterTests {
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var value: DataValue
    var expected: String

    init(_ name: String, _ value: DataValue, _ expected: String) {
      testDescription = name
      self.value = value
      self.expected = expected
    }
  }

  static let cases = [
    Case("widest integer keeps its digits", .integer(.max), "9223372036854775807"),
    Case("smallest integer", .integer(.min), "-9223372036854775808"),
    Case("a power of ten", .integer(1000), "1000"),
    Case("double, shortest form that reads back", .real(0.1), "0.1"),
    Case("infinity is no JSON number", .real(.infinity), #""inf""#),
    Case("quotes and backslashes", "a\"b\\c", #""a\"b\\c""#),
    Case("line ends and tabs", "a\nb\tc\r", #""a\nb\tc\r""#),
    Case("escape sequences never reach a terminal", "\u{1B}[31m", #""\u001b[31m""#),
    Case("C1 controls", "\u{9B}31m", #""\u009b31m""#),
    Case("text turned round", "\u{202E}abc", #""\u202eabc""#),
    Case("NUL", "a\u{0}b", #""a\u0000b""#),
    Case("other scripts stay", "日本 🎈 é", #""日本 🎈 é""#),
    Case("date with milliseconds", .date(CoreDataDate(seconds: 0.25)), #""2001-01-01T00:00:00.250000Z""#),
    Case(
      "date beyond any calendar", .date(CoreDataDate(seconds: 1e15)),
      "null"),
    Case(
      "blob with what it says", .blob(BlobSummary(bytes: 2, kind: "json", sha256: "ab", value: [1])),
      #"{"blob":{"bytes":2,"kind":"json","sha256":"ab"},"value":[1]}"#),
    Case("members in their order", ["b": 1, "a": nil, "c": [true, []]], #"{"b":1,"a":null,"c":[true,[]]}"#),
  ]

  @Test(arguments: cases)
  func prints(_ testCase: Case) {
    #expect(JSONText.compact(testCase.value) == testCase.expected)
  }

  @Test func repairsWhatIsNotUTF8() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xC3, 0x28, 0xE2, 0x82]
    var printed: [UInt8] = []
    let output = OutputBuffer(capacity: 64) {
      printed.append(contentsOf: $0)
      return true
    }
    bytes.withUnsafeBytes { JSONWriter(output).string($0) }
    output.flush()
    #expect(String(decoding: printed, as: UTF8.self) == "\"a\u{FFFD}b\u{FFFD}(\u{FFFD}\u{FFFD}\"")
  }
}
