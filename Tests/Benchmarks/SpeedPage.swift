/// The guide's article about speed: what one run of the benchmark measured, with the words around it.
struct SpeedPage {
  static let path = "Sources/storescope/storescope.docc/Speed.md"

  /// Of each run that it is made of.
  let conditions: [String]
  let table: ResultTable

  var text: String {
    """
    # Speed

    How long storescope takes, compared with the tools that people use for the same questions. `swift run -c release
    benchmark --page` measures it and writes this page.

    Each command runs as a whole process, in turn with the one that it's compared with, its output thrown away. 0.25 is a
    quarter of the other's time; in brackets is storescope's own. Numbers are medians of three runs, of one run above a
    million objects, after one that doesn't count: files are in the system's cache. Goals are for a million objects and more.
    If only brackets are shown, storescope ran once and alone, for its memory. The last two columns compare the largest size
    with the next one.

    \(conditions.joined(separator: "\n\n"))

    \(table.markdown)

    \(missed)

    ## Stores

    * `objects.store`: objects with a date, an integer, a UUID, a Boolean, a text, a double and a relationship; no history.
      `later.store` is the same with some objects changed, some gone and some new.
    * `mirror.store`: as many objects, each with a record of the CloudKit mirror and five changes in the history.
    * `texts.store`: as many objects, each with a text and random bytes, 600 bytes together.

    What other commands need of the same stores grows like `rows` or `doctor`.

    ## Commands

    ```text
    \(commands)
    ```

    """
  }

  private var missed: String {
    let rows = table.rows.compactMap(\.missed)
    guard !rows.isEmpty else { return "Every goal is met." }
    return "## Goals that aren't met\n\nWith the reason, as `perf` shows it:\n\n"
      + rows.map { "* \($0)" }.joined(separator: "\n")
  }

  private var commands: String {
    table.rows.map { row in
      (["# \(row.job)"] + row.commands).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }
}
