/// All commands, in the order in which help lists them: from the first look to the odd question.
///
/// Help, completion and the man page follow from it. For a new one `CommandTests` and `ShellScriptTests` ask an example.
package enum CommandTable {
  package static let all: [Command] = [
    .summary, .pending, .doctor, .entities, .rows, .show, .search, .history, .mirror, .records, .events,
    .trace, .size,
    .diff, .report, .export, .redact,
    .explain, .query, .rules, .resync, .repair, .reset, .restore, .shell, .demo, .completions, .man,
  ]

  package static func command(named name: String) -> Command? { all.first { $0.name == name } }
}
