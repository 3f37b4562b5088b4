import Lens
import TestSupport
import Testing

/// `Views.md`: what SQL can name, from the lists that SQL itself, help and completion use.
struct ViewsPageTests {
  @Test func isCurrent() throws {
    var lines = [
      "# Views and functions", "",
      "What SQL in storescope can name: in `query`, in the shell and in conditions.", "",
      "## Overview", "",
      "`SELECT * FROM views` lists all views of a store with their columns.", "",
      "Each entity is a view under its own name with the columns `pk`, `uri` and `entity`, its attributes, and its to-one",
      "relationships: `RELATIONSHIP` is the target's `pk`, `RELATIONSHIP_uri` its URI. Sub-entities are included.",
      "",
      "Each to-many relationship is a view `Entity_relationship` with the columns `source`, `target`, `position` (NULL if it",
      "isn't ordered), `sourceURI` and `targetURI`.", "",
      "Dates are text in UTC, always as long (`2026-03-22T15:00:00.500000Z`); comparisons follow time for every usual",
      "spelling. A column of the type bool is 0 or 1. Only reading is possible.", "",
      "The views below are the same in every store that has the tables behind them.",
    ]
    for view in MirrorViews.documented {
      lines += [
        "", "## \(view.name)", "", "One row per \(view.rows).", "", "| column | type | meaning |",
        "|---|---|---|",
      ]
      lines += view.columns.map { "| `\($0.name)` | \($0.type.rawValue) | \($0.meaning) |" }
    }
    lines += [
      "", "## Functions", "", "In addition to SQLite's own.", "", "| function | result |", "|---|---|",
    ]
    lines += SQLFunction.all.map { "| `\($0.usage)` | \($0.meaning) |" }
    try expectPage("Views.md", lines.joined(separator: "\n") + "\n")
  }
}
