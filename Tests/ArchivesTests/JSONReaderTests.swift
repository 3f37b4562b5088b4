import Base
import Testing

@testable import Archives

struct JSONReaderTests {
  static let good: [(String, DataValue)] = [
    ("{}", [:]), (" [ ] ", []), ("null", nil), ("true", true), ("[false]", [false]),
    (#"{"b":1,"a":[2,{"c":null}],"b":3}"#, ["b": 1, "a": [2, ["c": nil]], "b": 3]),
    ("9007199254740993", 9_007_199_254_740_993), ("-9223372036854775808", .integer(.min)),
    ("18446744073709551615", "18446744073709551615"), ("1e999", "1e999"), ("-0", .real(-0.0)),
    ("[0,-1,1.5,1e2,2E-1]", [0, -1, .real(1.5), .real(100), .real(0.2)]),
    (#""a\"\\\/\b\f\n\r\t""#, "a\"\\/\u{8}\u{C}\n\r\t"), (#""\u00e4\uD83C\udf32""#, "ä🌲"),
    (#""grün""#, "grün"),
    (#""\uD83Cx""#, "\u{FFFD}x"), (#""\udf32""#, "\u{FFFD}"), (#""\uD83C\u0041""#, "\u{FFFD}A"),
    (#""\uD83C\n""#, "\u{FFFD}\n"),
  ]

  @Test(arguments: good)
  func reads(text: String, value: DataValue) throws {
    #expect(try JSONReader.read(text) == value)
    let bytes = Array(text.utf8)
    #expect(bytes.withUnsafeBytes { JSONReader.isWhole($0) })
  }

  @Test(arguments: [
    "", " ", "{", "[1,]", "[1 2]", "{\"a\"}", "{\"a\":}", "{a:1}", "{\"a\":1,}", "01", "1.", ".5", "+1", "1e",
    "-",
    "nul", "nulll", "\"", "\"\\x\"", "\"\\u12\"", "\"a\nb\"", "[1]x", "'a'", "[", "]", "NaN", "\u{FEFF}[]",
  ])
  func refuses(text: String) {
    #expect(throws: ArchiveError.self) { try JSONReader.read(text) }
    let bytes = Array(text.utf8)
    #expect(!bytes.withUnsafeBytes { JSONReader.isWhole($0) })
  }

  @Test func saysWhere() {
    #expect(throws: ArchiveError("the JSON is invalid at byte 4")) {
      try JSONReader.read("[1, x]")
    }
    #expect(throws: ArchiveError("the JSON is cut off after 4 bytes")) { try JSONReader.read("[1, ") }
  }

  @Test func capsDepthAndNumber() {
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: ArchiveError("the JSON nests deeper than 128 levels")) { try JSONReader.read(deep) }
    let many = Array("[1,2,3]".utf8)
    #expect(throws: ArchiveError("the JSON holds more values than allowed")) {
      try many.withUnsafeBytes { try JSONReader.read($0, valueLimit: 3) }
    }
  }

  @Test func refusesBytesThatAreNoText() {
    let bytes: [UInt8] = [0x22, 0xFF, 0x22]
    #expect(throws: ArchiveError("the JSON isn't valid UTF-8")) {
      try bytes.withUnsafeBytes { try JSONReader.read($0) }
    }
  }

  @Test func survivesDamage() {
    let original = Array(#"{"list":[1,2.5e3,"x\u00e4\n",{"deep":[[[]]]}],"t":true,"n":null}"#.utf8)
    for bytes in HostileInput.truncations(of: original) + HostileInput.mutations(of: original, count: 4000) {
      let value = bytes.withUnsafeBytes { try? JSONReader.read($0) }
      if UTF8Text.isValid(bytes) {
        #expect(bytes.withUnsafeBytes { JSONReader.isWhole($0) } == (value != nil))
      }
    }
  }
}

extension UTF8Text {
  fileprivate static func isValid(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBytes { isPrintable($0) } }
}
