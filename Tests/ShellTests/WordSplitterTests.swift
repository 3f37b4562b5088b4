import Commands
import Foundation
import Testing

@testable import Shell

struct WordSplitterTests {
  @Test(arguments: [
    ("rows Trip", ["rows", "Trip"]), ("  rows\tTrip  ", ["rows", "Trip"]),
    ("rows Trip --where \"title = 'x'\"", ["rows", "Trip", "--where", "title = 'x'"]),
    ("a'b c'd", ["ab cd"]), ("''", [""]), ("a \"\" b", ["a", "", "b"]), ("a\\ b", ["a b"]),
    ("\"a\\\"b\\n\"", ["a\"b\\n"]), ("'a\\'", ["a\\"]), ("a # b", ["a"]), ("a # it's", ["a"]),
    ("a '# b'", ["a", "# b"]), ("a#b", ["a#b"]),
    ("$HOME `ls` $(ls) * ~ !x", ["$HOME", "`ls`", "$(ls)", "*", "~", "!x"]), ("", []),
  ]) func splitsAsAShellDoes(line: String, words: [String]) throws {
    #expect(try WordSplitter.split(line) == words)
  }

  @Test func aTildeIsTheHomeFolderAndNothingElse() throws {
    let home = try #require(ProcessInfo.processInfo.environment["HOME"])
    #expect(
      try WordSplitter.split("read ~/a\\ b '~/a' \"~/a\" x~/a ~ ~root/a ~/'x y'") == [
        "read", home + "/a b", "~/a", "~/a", "x~/a", "~", "~root/a", home + "/x y",
      ])
  }

  @Test(arguments: ["rows 'Trip", "rows \"Trip", "rows \\"]) func tellsWhatIsOpen(line: String) {
    #expect(throws: UsageError.self) { try WordSplitter.split(line) }
  }
}
