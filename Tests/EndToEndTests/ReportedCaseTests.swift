import Foundation
import TestSupport
import Testing

/// Stores and lines of logs that people asked about elsewhere, kept next to the project: each command's answer has
/// what helped them.
struct ReportedCaseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let words: [String]
    /// Regular expressions of what is printed, and of what isn't.
    let has: [String]
    let lacks: String

    init(_ folder: String, _ words: [String], _ has: String..., lacks: String = "^never$") {
      (testDescription, self.words, self.has, self.lacks) = (folder, words, has, lacks)
    }
  }

  private static let folder = URL(filePath: RealStores.folder).deletingLastPathComponent()
    .appending(path: "cases").path

  static let cases = [
    Case("10a-search-gzip-protobuf", ["search", "App.sqlite", "kumquat"], "Note/p1", lacks: "No value"),
    Case(
      "10c-search-older-commits", ["search", "App.sqlite", "secret plan"], "the -wal has 4",
      "--as-of-commit"),
    Case(
      "10c-search-older-commits", ["search", "App.sqlite", "secret plan", "--as-of-commit", "3"], "1 match"),
    Case("24a-empty-store-beside-the-full-one", ["find", "."], "objects", " 500 ", " 0 "),
    Case(
      "24b-core-data-tables-without-metadata", ["summary", "App.sqlite"],
      "There is no table Z_METADATA", "4 in 2 of 2 entities", lacks: "did not write it"),
    Case("24c-find-a-cut-file", ["find", "."], "it is cut off: ", lacks: "SELECT|ATRANSACTION"),
    Case(
      "25-quota-twice", ["doctor", "App.sqlite"], "event-quota-exceeded", "1 error,", "Free iCloud storage",
      lacks: "event-export-failing|schema"),
    Case("26-rows-without-a-record", ["pending", "App.sqlite"], "repair App.sqlite register-missing"),
    Case("28-old-frameworks", ["summary", "App.sqlite"], "App.sqlite · Core Data\n", lacks: "SwiftData"),
  ]

  @Test(
    .enabled(if: FileManager.default.fileExists(atPath: folder), "the folder of reported cases is absent"),
    arguments: cases)
  func isAnswered(_ example: Case) throws {
    let result = try Tool.run(example.words, in: Self.folder + "/" + example.testDescription)
    let text = result.output + result.errors
    for pattern in example.has { #expect(try text.contains(Regex(pattern)), "\(pattern): \(text)") }
    #expect(try !text.contains(Regex(example.lacks)), "\(text)")
  }
}
