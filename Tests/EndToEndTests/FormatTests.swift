import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// The formats other than JSON, and how many rows they show.
struct FormatTests {
  private static let readings: [[String]] = [
    ["summary"], ["entities"], ["rows", "Trip"], ["rows", "Place", "--expand"], ["show", "Trip/p1"],
    ["history"],
    ["history", "--by", "author"], ["query"], ["query", "changes-by-day"],
    ["query", "SELECT title, text FROM Entry"],
  ]

  @Test(arguments: readings) func ndjsonIsThePayload(reading: [String]) throws {
    let demo = try Demo()
    let arguments = Readings.arguments(reading, demo.path)
    let json = try Tool.run(arguments + ["--json"]).json()
    let payload = try #require(
      ["rows", "entities", "changes", "groups", "queries"].compactMap { json[$0] as? [NSObject] }.first
        ?? (json["object"] as? NSObject).map { [$0] })
    let result = try Tool.run(arguments + ["--format", "ndjson"])
    result.expectDone()
    let lines = try result.output.split(separator: "\n").map {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? NSObject
    }
    // `show` has its changes next to the object.
    #expect(lines == (reading[0] == "show" ? [json["object"] as? NSObject] : payload))
  }

  @Test(arguments: readings) func csvHasAsManyFieldsInEveryLine(reading: [String]) throws {
    let demo = try Demo()
    let result = try Tool.run(Readings.arguments(reading, demo.path) + ["--format", "csv"])
    result.expectDone()
    let lines = CSVText.lines(result.output)
    let width = try #require(lines.first?.count)
    #expect(width > 1 && lines.count > 1 && lines.allSatisfy { $0.count == width })
  }

  @Test func csvKeepsWhatStandsInTheWay() throws {
    let folder = try TemporaryFolder()
    let forge = try StoreForge(path: folder.path("a.store"), model: FixtureModels.library)
    let names = ["a,b", "say \"x\"", "two\nlines", "", " blank ", "\r", "Ünï🍉", "'", "=1+1"]
    try forge.save { save in for name in names { _ = try save.insert("Author", ["name": .text(name)]) } }
    try forge.save { _ = try $0.insert("Author") }
    try forge.close()
    let output = try Tool.run(["rows", forge.path, "Author", "--format", "csv"]).output
    #expect(CSVText.lines(output).dropFirst().map { $0.last } == names + [""])
    #expect(output.contains(",\"\"\n") && output.hasSuffix(",Author,\n"), "empty text is not NULL: \(output)")
  }

  @Test(arguments: readings) func tablesAndMarkdownAreThere(reading: [String]) throws {
    let demo = try Demo()
    let arguments = Readings.arguments(reading, demo.path)
    let table = try Tool.run(arguments)
    table.expectDone()
    #expect(!table.output.isEmpty && !table.output.contains("\u{1B}"))
    let markdown = try Tool.run(arguments + ["--format", "markdown"])
    markdown.expectDone()
    #expect(markdown.output.contains("| ---") || markdown.output.contains("- **"))
  }

  @Test func aHundredRowsUnlessAsked() throws {
    let folder = try TemporaryFolder()
    let forge = try StoreForge(path: folder.path("a.store"), model: FixtureModels.library)
    try forge.save { save in
      for number in 1...123 { _ = try save.insert("Book", ["year": .integer(Int64(number))]) }
    }
    try forge.close()
    func lines(_ reading: String...) throws -> [String] {
      let result = try Tool.run(Readings.arguments(reading, forge.path))
      result.expectDone()
      return result.output.split(separator: "\n").map(String.init)
    }
    for (reading, count) in [(["rows", "Book"], 104), (["history", "--reverse"], 105)] {
      let table = try lines(reading[0], reading[1])
      #expect(
        table.count == count && table.last == "… and 23 more of 123: --limit 123 shows them all",
        "\(table.suffix(2))")
    }
    #expect(try lines("query", "SELECT pk FROM Book").last?.contains("more") == true)
    #expect(try lines("rows", "Book", "--limit", "7").count == 4 + 7)
    #expect(try lines("rows", "Book", "--limit", "123").count == 4 + 123)
    #expect(try lines("rows", "Book", "--format", "markdown").last?.contains("23 more of 123") == true)
    #expect(try lines("rows", "Book", "--format", "csv").count == 124)
    #expect(try lines("rows", "Book", "--format", "ndjson").count == 123)
    #expect(try lines("rows", "Book", "--format", "ndjson", "-n", "5").count == 5)
    #expect(try lines("rows", "Book", "--json").count == 2 + 1 + 123 + 1)
    #expect(try lines("query", "SELECT pk FROM Book", "--format", "csv", "-n", "5").count == 6)
  }

  @Test func propertiesThatBearAReservedName() throws {
    let names = ["pk", "uri", "entity"]
    let model = ManagedObjectModel(entities: [
      EntityDescription(
        name: "Odd", attributes: names.map { AttributeDescription(name: $0, type: .integer64) })
    ])
    let folder = try TemporaryFolder()
    let forge = try StoreForge(path: folder.path("a.store"), model: model)
    let large: [Int64] = [9_007_199_254_740_993, .max, .min]
    try forge.save { _ = try $0.insert("Odd", Dictionary(zip(names, large.map { .integer($0) })) { $1 }) }
    try forge.close()
    let result = try Tool.run([
      "rows", forge.path, "Odd", "--json", "--where", "\"property.pk\" > 5 AND pk = 1",
    ])
    result.expectDone()
    #expect(
      result.output.contains(
        "\"uri\":\"x-coredata://\(forge.options.uuid)/Odd/p1\",\"pk\":1,\"entity\":\"Odd\""))
    for (name, number) in zip(names, large) {
      #expect(result.output.contains("\"property.\(name)\":\(number)"), "\(result.output)")
    }
    let query = try Tool.run(["query", forge.path, "SELECT \"property.uri\" FROM Odd", "--format", "csv"])
    #expect(query.output == "property.uri\n\(Int64.max)\n")
  }
}

/// CSV as RFC 4180 has it, with line feeds.
enum CSVText {
  static func lines(_ text: String) -> [[String]] {
    var lines: [[String]] = []
    var line: [String] = []
    var field = String.UnicodeScalarView()
    var isQuoted = false
    var scalars = Array(text.unicodeScalars)[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\"" where isQuoted && scalars.first == "\"": field.append(scalars.removeFirst())
      case "\"": isQuoted.toggle()
      case "," where !isQuoted:
        line.append(String(field))
        field = .init()
      case "\n" where !isQuoted:
        lines.append(line + [String(field)])
        line = []
        field = .init()
      default: field.append(scalar)
      }
    }
    return lines
  }
}
