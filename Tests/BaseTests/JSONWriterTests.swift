import Base
import Testing

struct JSONWriterTests {
  static let cases: [(String, DataValue, String)] = [
    ("widest integer keeps its digits", .integer(.max), "9223372036854775807"),
    ("smallest integer", .integer(.min), "-9223372036854775808"),
    ("a power of ten", .integer(1000), "1000"),
    ("double, shortest form that reads back", .real(0.1), "0.1"),
    ("infinity is no JSON number", .real(.infinity), #""inf""#),
    ("quotes and backslashes", "a\"b\\c", #""a\"b\\c""#),
    ("line ends and tabs", "a\nb\tc\r", #""a\nb\tc\r""#),
    ("escape sequences never reach a terminal", "\u{1B}[31m", #""\u001b[31m""#),
    ("C1 controls", "\u{9B}31m", #""\u009b31m""#),
    ("text turned round", "\u{202E}abc", #""\u202eabc""#),
    ("NUL", "a\u{0}b", #""a\u0000b""#),
    ("other scripts stay", "日本 🎈 é", #""日本 🎈 é""#),
    ("date with milliseconds", .date(CoreDataDate(seconds: 0.25)), #""2001-01-01T00:00:00.250000Z""#),
    ("date beyond any calendar", .date(CoreDataDate(seconds: 1e15)), "null"),
    (
      "blob with what it says", .blob(BlobSummary(bytes: 2, kind: "json", sha256: "ab", value: [1])),
      #"{"blob":{"bytes":2,"kind":"json","sha256":"ab"},"value":[1]}"#
    ),
    ("members in their order", ["b": 1, "a": nil, "c": [true, []]], #"{"b":1,"a":null,"c":[true,[]]}"#),
  ]

  @Test(arguments: cases) func prints(_ name: String, _ value: DataValue, _ expected: String) {
    #expect(JSONText.compact(value) == expected)
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

/// Numbers and UUIDs as people write them, which were found only as programs write them.
struct WrittenValueTests {
  @Test(arguments: [
    ("1312.4", [1312.4]), ("5", [5]), ("-3", [-3]), ("1e3", [1000]), (".5", [0.5]),
    ("1,312.40", [1312.4]), ("1.312,40", [1312.4]), ("1 312,40", [1312.4]), ("1'312.40", [1312.4]),
    ("1\u{202F}312,4", [1312.4]), ("4,75", [4.75]), ("-4,75", [-4.75]), ("1312,4", [1312.4]),
    ("12,345,678", [12_345_678]), ("1 312", [1312]), ("1.312.400", [1_312_400]),
    // Thousands in one country, decimals in another.
    ("1,312", [1312]), ("5,000", [5000]), ("0,125", [0.125]), ("1.312", [1.312]),
    ("€1,312.40", [1312.4]), ("1.312,40 €", [1312.4]), ("$5", [5]), ("€", []), ("5 € 3", []), ("€5€", []),
    ("1,2,3", []), ("1,,2", []), (",5", []), ("5,", []), ("12 34", []), ("1234,567.8", []), ("--4,75", []),
    ("1,312.4.0", []), ("abc", []), ("", []), ("nan", []), ("1e999", []), ("0x10", []),
  ]) func numbersAreReadAsPeopleWriteThem(_ text: String, _ readings: [Double]) {
    #expect(WrittenNumber(text)?.readings.map(\.real) ?? [] == readings)
  }

  /// Beyond 2^53, a Double is another number.
  @Test func wholeNumbersStayExact() {
    let largest = WrittenNumber("9,223,372,036,854,775,807")
    #expect(largest?.readings.first?.integer == .max)
  }

  @Test(arguments: [
    ("5c1b7e0c1d3b4e558c5c0d9c7b1f2a10", "5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10"),
    ("5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10", "5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10"),
    ("{5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10}", "5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10"),
    ("5c1b7e0c", "5C1B7E0C"), ("5c1b7e0c1d", "5C1B7E0C-1D"), ("5c1b7e0c-1d3b-", "5C1B7E0C-1D3B"),
    ("5c1b7e0", nil), ("5c1b7e0c-1d3-b", nil), ("5c1b-7e0c1d3b", nil), ("5c1b7e0x", nil),
    ("5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10F", nil), ("", nil), ("{}", nil),
  ]) func uuidsHaveTheirHyphens(_ text: String, _ expected: String?) {
    #expect(WrittenUUID(text)?.text == expected)
  }
}
