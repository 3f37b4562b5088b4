import Base
import Diagnostics
import Foundation
import QueryCatalog
import TestSupport
import Testing

struct RuleDocumentationTests {
  static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Queries/README.md")

  /// The page is made from the headers: `RECORD_SNAPSHOTS=1 swift test --filter RuleDocumentationTests` makes it anew.
  @Test func pageIsCurrent() throws {
    let text = RuleDocumentation.markdown(
      queries: QueryCatalog.all, fleet: QueryCatalog.fleet, rules: RuleRegistry.all,
      onRequest: RuleRegistry.onRequest)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
      Issue.record("wrote Queries/README.md; read it, and run the test again")
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == text)
  }

  /// A file that isn't listed would silently be missing from the binary.
  @Test func everyFileIsEmbedded() throws {
    let folder = Self.file.deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".sql")
    }
    let rules = RuleRegistry.all.compactMap { rule in
      if case .query(let query) = rule.check { query.name } else { nil }
    }
    #expect(Set(files) == Set((QueryCatalog.all.map(\.name) + rules).map { $0 + ".sql" }))
    let ofFleet = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/fleet")
    #expect(Set(ofFleet) == Set(QueryCatalog.fleet.map { $0.name + ".sql" }))
    for rule in rules {
      let header = KeyedLines(
        sql: try String(contentsOf: folder.appending(path: rule + ".sql"), encoding: .utf8))
      #expect(header["Rule"] == rule)
    }
  }
}

/// The page about saved queries and rules that lies next to their files, `Queries/README.md`.
enum RuleDocumentation {
  /// Markdown, generated only from the headers; `queries` are the built-in ones, `fleet` those over many stores, `onRequest`
  /// the rules that `doctor` checks only if it is asked to.
  static func markdown(
    queries: [SavedQuery], fleet: [SavedQuery], rules: [Rule], onRequest: [Rule]
  ) -> String {
    var lines = [
      "# Queries and rules", "",
      "Generated from the headers of the files next to it and of the rules in `Sources/Diagnostics/Rules`:",
      "`RECORD_SNAPSHOTS=1 swift test --filter RuleDocumentationTests` regenerates it.", "",
      "## Saved queries", "",
      "`storescope query STORE NAME` runs one; `--param NAME=VALUE` sets a parameter.", "",
    ]
    for query in queries {
      lines.append("* [`\(query.name)`](\(query.name).sql): \(query.title): \(query.shows)")
    }
    lines += [
      "",
      "They ask the views, which [Views and functions](../Sources/storescope/storescope.docc/Views.md) lists.",
      "", "## Fleet queries", "",
      "`storescope fleet PATH… --to FOLDER` examines many stores and writes datasets; these queries are about all of them,",
      "and run unchanged in DuckDB and in Spark SQL. The folder has them in `queries`, next to `load.sql`:",
      "", "```", "cd FOLDER",
      "duckdb -c '.read load.sql' -c '.read queries/\(fleet.first?.name ?? "NAME").sql'", "```", "",
    ]
    for query in fleet {
      lines += [
        "* [`\(query.name)`](fleet/\(query.name).sql): \(query.title): \(query.shows)",
        "  Columns: \(query.header["Columns"] ?? "").",
      ]
    }
    lines += [
      "", "## Rules", "",
      """
      `storescope doctor STORE` checks all rules except \(onRequest.map { "`\($0.id)`" }.joined(separator: ", ")); \
      `--validate` adds it. `--rule ID` checks one rule, and `--set RULE.NAME=VALUE` overrides a threshold.
      """,
      "", "| rule | severity | observes |", "|---|---|---|",
    ]
    let rules = rules + onRequest
    lines += rules.map { "| [`\($0.id)`](#\($0.id)) | \($0.header.severity.noun) | \($0.header.title) |" }
    for rule in rules { lines += section(rule) }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func section(_ rule: Rule) -> [String] {
    let header = rule.header
    var lines = ["", "### \(header.id)", "", "**\(header.title)** (\(header.severity.noun))", ""]
    if case .query(let query) = rule.check {
      lines += ["Query: [`\(query.name).sql`](\(query.name).sql)", ""]
    }
    lines += header.paragraphs.map { "* **\($0.name):** \($0.text)" }
    lines += header.thresholds.map { "* **Threshold `\($0.name)`** = \($0.text): \($0.meaning)" }
    return lines
  }
}
