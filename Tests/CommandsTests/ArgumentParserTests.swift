import Commands
import Testing

struct ArgumentParserTests {
  static let options = [
    OptionDefinition(.format, value: "FORMAT", choices: ["table", "json"], help: ""),
    OptionDefinition(.limit, short: "n", value: "N", help: ""),
    OptionDefinition(.reverse, help: ""),
    OptionDefinition(.param, short: "p", value: "NAME=VALUE", isRepeatable: true, help: ""),
    OptionDefinition(.since, value: "WHEN", kind: .date, help: ""),
  ]

  struct Case: Sendable, CustomTestStringConvertible {
    var words: [String]
    var positionals: [String] = []
    var options: [OptionName: [String]] = [:]
    var testDescription: String { words.joined(separator: " ") }
  }

  static let cases = [
    Case(words: []),
    Case(words: ["a", "b"], positionals: ["a", "b"]),
    Case(words: ["a", "--limit", "5", "b"], positionals: ["a", "b"], options: [.limit: ["5"]]),
    Case(words: ["--limit=5"], options: [.limit: ["5"]]),
    Case(words: ["-n", "5"], options: [.limit: ["5"]]),
    Case(words: ["-n5"], options: [.limit: ["5"]]),
    Case(words: ["--reverse"], options: [.reverse: [""]]),
    Case(words: ["-p", "a=1", "-p", "b=2=3"], options: [.param: ["a=1", "b=2=3"]]),
    Case(words: ["--since", "yesterday", "5"], positionals: ["5"], options: [.since: ["yesterday"]]),
    Case(words: ["--", "--limit"], positionals: ["--limit"]),
    Case(words: ["-"], positionals: ["-"]),
    Case(words: ["-1"], positionals: ["-1"]),
    // A value to search for was taken for an option.
    Case(words: ["-9.1393"], positionals: ["-9.1393"]), Case(words: ["-9,5"], positionals: ["-9,5"]),
  ]

  @Test(arguments: cases)
  func splits(_ testCase: Case) throws {
    let parsed = try ArgumentParser.parse(testCase.words, options: Self.options, command: "rows")
    #expect(parsed.positionals == testCase.positionals)
    #expect(parsed.options == testCase.options)
  }

  static let errors: [([String], String)] = [
    (
      ["--limti", "5"],
      "'rows' has no option '--limti'. Did you mean '--limit'? See 'storescope rows --help'."
    ),
    (["--limit"], "'--limit' needs a value: --limit N."),
    (["--reverse=1"], "'--reverse' takes no value."),
    (["--format", "jsn"], "'--format' takes table or json, not 'jsn'. Did you mean 'json'?"),
  ]

  @Test(arguments: errors)
  func saysWhatIsWrong(_ words: [String], _ sentence: String) {
    let error = #expect(throws: UsageError.self) {
      try ArgumentParser.parse(words, options: Self.options, command: "rows")
    }
    #expect(error?.description == sentence)
  }

  @Test func numbersAreWhole() throws {
    let parsed = try ArgumentParser.parse(["--limit", "-5"], options: Self.options, command: "rows")
    #expect(throws: UsageError.notANumber("-5", option: "limit")) { try parsed.number(.limit) }
  }
}
