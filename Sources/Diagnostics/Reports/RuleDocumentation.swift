import Lens
package import QueryCatalog

/// The page about saved queries and rules that lies next to their files, `Queries/README.md`.
package enum RuleDocumentation {
  /// Markdown, generated only from the headers; `queries` are the built-in ones, `fleet` those over many stores.
  package static func markdown(queries: [SavedQuery], fleet: [SavedQuery], rules: [Rule]) -> String {
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
      "", "## Fleet queries", "",
      "`storescope fleet PATH… --to FOLDER` examines many stores and writes datasets; these queries are about all of them,",
      "and run unchanged in DuckDB and in Spark SQL. The folder has them in `queries`, next to `load.sql`:",
      "", "```", "cd FOLDER", "duckdb -c '.read load.sql' -c '.read queries/\(fleet.first?.name ?? "NAME").sql'", "```", "",
    ]
    for query in fleet {
      lines += [
        "* [`\(query.name)`](fleet/\(query.name).sql): \(query.title): \(query.shows)",
        "  Columns: \(query.header["Columns"] ?? "").",
      ]
    }
    lines += [
      "", "## Views", "",
      """
      Views that SQL can query in any store; `SELECT * FROM views` lists all views of a store. Each entity \
      is a view under its own
      """,
      "name; each to-many relationship is a view `Entity_relationship` with the columns `source`, `target`, `position`",
      "(NULL if it isn't ordered), `sourceURI` and `targetURI`.",
    ]
    for view in MirrorViews.documented {
      lines += [
        "", "### \(view.name)", "", "One row per \(view.rows).", "", "| column | type | meaning |",
        "|---|---|---|",
      ]
      lines += view.columns.map { "| `\($0.name)` | \($0.type.rawValue) | \($0.meaning) |" }
    }
    lines += [
      "", "## Rules", "",
      """
      `storescope doctor STORE` checks all rules, `--rule ID` one rule; `--set RULE.NAME=VALUE` overrides a \
      threshold.
      """,
      "", "| rule | severity | observes |", "|---|---|---|",
    ]
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

extension RuleHeader {
  /// The heading of what it reads.
  package static let needsName = "Needs"

  /// Its texts with their headings, as people read them.
  package var paragraphs: [(name: String, text: String)] {
    var paragraphs = [
      ("Looks for", looksFor), ("Why it matters", why), ("At the next launch", wholeNextLaunch),
      ("Fix", wholeRemedy),
    ]
    if !needs.isEmpty { paragraphs.append((Self.needsName, needs.map(\.word).joined(separator: ", "))) }
    return paragraphs + [("False positives", falsePositives), ("Confidence", evidence)]
  }
}

extension Threshold {
  /// The default, whole numbers without a fraction.
  package var text: String {
    defaultValue == defaultValue.rounded() && abs(defaultValue) < 1e15
      ? "\(Int64(defaultValue))" : "\(defaultValue)"
  }
}
