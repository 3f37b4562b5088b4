import Diagnostics
import QueryCatalog
import Values

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
