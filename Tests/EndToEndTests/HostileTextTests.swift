import Archives
import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// Text out of a store reaches neither the terminal's controls nor the markup around it.
struct HostileTextTests {
  private let folder = TemporaryFolder("hostile")

  /// A page must stay one.
  @Test func reportsStayWellFormed() throws {
    let path = try store()
    for format in ["html", "markdown", "json"] {
      let result = try Tool.run(["report", path, "-o", "-", "--format", format]).expectStatus()
      #expect(!result.output.unicodeScalars.contains(where: Self.isControl), "\(format)")
      if format == "html" {
        _ = try XMLReader.read(Array(result.output.utf8))
        #expect(!result.output.contains("<b>`"))
      }
    }
  }

  /// Colours, the window's title, C1 controls, a line's beginning, the writing direction, a bell, and markup.
  static let text =
    "a\u{1B}[31mb\u{1B}]0;title\u{7}\u{9B}2J\u{85}\rc\u{8}\u{7F}\u{202E}d\u{2066}|<b>`*\"',;\n-- ]"

  /// The text as every name and value that a store can hold.
  private func store() throws -> String {
    let model = ManagedObjectModel(
      entities: [
        EntityDescription(
          name: Self.text,
          attributes: [
            AttributeDescription(name: "plain", type: .string),
            AttributeDescription(name: "n" + Self.text, type: .string),
            AttributeDescription(name: "archive", type: .transformable),
            AttributeDescription(name: "link", type: .uri),
          ],
          relationships: [
            RelationshipDescription(name: "r" + Self.text, destination: Self.text, inverse: "s")
          ] + [
            RelationshipDescription(
              name: "s", destination: Self.text, inverse: "r" + Self.text, isToMany: true)
          ])
      ], versionIdentifiers: [Self.text])
    let forge = try StoreForge(
      path: folder.path("a.store"), model: model,
      options: ForgeOptions(metadata: [.init("key" + Self.text, .string(Self.text))]))
    let values: [String: ForgeValue] = [
      "plain": .text(Self.text), "n" + Self.text: .text(Self.text), "link": .text("x:" + Self.text),
      "archive": .bytes(Array("{\"\u{9B}\": \"\u{9B}31m\u{202E}\"}".utf8)),
    ]
    try forge.save(author: Self.text, bundle: Self.text, process: Self.text, context: Self.text) { save in
      let one = try save.insert(Self.text, values)
      _ = try save.insert(Self.text, values, links: ["r" + Self.text: [one]])
    }
    try forge.save(author: Self.text) { save in
      for object in forge.truth.objects.keys where object.primaryKey == 1 {
        try save.update(object, ["n" + Self.text: "x"])
      }
    }
    try forge.close(leaving: .wal)
    return forge.path
  }

  private static let readings: [[String]] =
    Readings.ofAnyStore + [
      ["rows", text], ["rows", text, "--expand", "--where", "plain IS NOT NULL"], ["show", "\(text)/p2"],
      ["entities", text],
      ["query", "SELECT * FROM \"\(text.replacingOccurrences(of: "\"", with: "\"\""))\""],
      ["history", "--author", text], ["history", "--object", "\(text)/p1"],
      // Errors that repeat what they were given.
      ["rows", text + "x"], ["query", text], ["query", "SELECT \u{1B}[31m"], ["show", "\(text)/p9"],
      ["rows", text, "--where", "\u{1B}[31m"], ["history", "--since", text], ["summary", "--format", text],
    ]

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0A: false
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  @Test(arguments: ["table", "json", "ndjson", "markdown"]) func neverRaw(format: String) throws {
    let path = try store()
    for reading in Self.readings where !reading.contains("--format") && !reading.contains("--json") {
      let result = try Tool.run(Readings.arguments(reading, path) + ["--format", format])
      #expect([0, 2, 64].contains(result.status), "\(reading)")
      // JSON to a file or a pipe must hide what a terminal acts on; what only turns text may stay what it is.
      let raw = result.output.unicodeScalars.first {
        format.hasSuffix("json") ? $0.value < 0x20 && $0 != "\n" : Self.isControl($0)
      }
      #expect(raw == nil, "\(reading): \(String(describing: raw))")
      #expect(!result.errors.unicodeScalars.contains(where: Self.isControl), "\(reading)")
    }
  }

  @Test(arguments: ["table", "json", "ndjson", "csv", "markdown"]) func neverRawOnATerminal(format: String)
    throws
  {
    let path = try store()
    for reading in Self.readings where !reading.contains("--format") && !reading.contains("--json") {
      let output = try PseudoTerminal.run(
        Readings.arguments(reading, path) + ["--format", format, "--no-color"])
      let raw = output.unicodeScalars.first(where: Self.isControl)
      #expect(raw == nil, "\(reading): \(String(describing: raw))")
    }
  }

  @Test func jsonAndCSVKeepTheText() throws {
    let path = try store()
    let rows = try Tool.json(["rows", path, Self.text]).list("rows")
    #expect(rows.count == 2 && rows[1]["plain"] as? String == Self.text)
    #expect(rows[1]["entity"] as? String == Self.text && rows[1]["n" + Self.text] as? String == Self.text)
    let csv = try Tool.run(["rows", path, Self.text, "--format", "csv"])
    #expect(CSVText.lines(csv.output).last?.contains(Self.text) == true)
    let changes = try Tool.json(["history", path]).list("changes")
    for key in ["author", "bundle", "process", "context"] { #expect(changes[0][key] as? String == Self.text) }
  }

  /// The URI that `rows` prints is one that `show` takes.
  @Test func urisOfOddEntitiesLeadBack() throws {
    let path = try store()
    let rows = try Tool.json(["rows", path, Self.text]).list("rows")
    for row in rows {
      let uri = try #require(row["uri"] as? String)
      let shown = try Tool.run(["show", path, uri, "--json"]).expectDone()
      #expect((try shown.json()["object"] as? [String: Any])?["uri"] as? String == uri)
    }
  }

  @Test func tablesFitTheTerminal() throws {
    let demo = try Demo()
    // Numbers and time stamps are never cut, and text keeps eight columns: narrower than this they can't all fit.
    for columns in [50, 80, 120] as [UInt16] {
      for reading in Readings.ofDemo where !reading.contains("--json") && !reading.contains("--format") {
        let output = try PseudoTerminal.run(
          Readings.arguments(reading, demo.path) + ["--no-color"], columns: columns)
        if ["rows", "history", "query"].contains(reading[0]) {
          let longest = output.split(separator: "\n").map(\.count).max() ?? 0
          #expect(longest <= Int(columns), "\(reading) in \(columns)")
        }
      }
    }
    let coloured = try PseudoTerminal.run(["summary", demo.path])
    #expect(coloured.contains("\u{1B}["))
    for environment in [["NO_COLOR": "1"], ["TERM": "dumb"]] {
      #expect(try !PseudoTerminal.run(["summary", demo.path], environment: environment).contains("\u{1B}"))
    }
  }
}
