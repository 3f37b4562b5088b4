/// All commands, in the groups and the order in which help lists them: from the first look to the odd question.
///
/// Help, completion and the man page follow from it. For a new one `CommandTests` and `ShellScriptTests` ask an example.
package enum CommandTable {
  package static let groups: [(title: String, commands: [Command])] = [
    ("Find a store", [.find]),
    ("What's in a store", [.summary, .entities, .rows, .show, .search, .query, .size]),
    ("Sync with CloudKit", [.pending, .doctor, .preflight, .trace, .mirror, .records, .events]),
    ("What happened", [.history, .diff]),
    ("What it means", [.explain, .rules]),
    ("Many stores", [.fleet]),
    ("Share", [.report, .export, .redact, .handover]),
    ("Repair (each shows a plan first)", [.resync, .repair, .reset, .restore]),
    ("The tool itself", [.shell, .mcp, .demo, .schema, .completions, .man]),
  ]

  /// Those that help begins with, in the order in which most questions are asked.
  static let first: [Command] = [
    .find, .summary, .pending, .trace, .search, .rows, .history, .query, .doctor, .preflight, .diff, .report,
  ]

  package static let all: [Command] = groups.flatMap(\.commands)

  package static func command(named name: String) -> Command? { all.first { $0.name == name } }
}
