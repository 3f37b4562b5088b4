import Rendering

/// Options that several commands share.
package enum CommonOptions {
  /// Taken by every command that prints a result.
  static func output(of command: Command) -> [OptionDefinition] {
    [
      OptionDefinition(
        .format, value: "FORMAT", kind: .choice, choices: command.formats.map(\.rawValue),
        help: command.formatHelp)
    ] + (command.printsRows ? [columns] : []) + sharedOutput
  }

  private static let columns = OptionDefinition(
    .columns, value: "NAMES", kind: .word, help: "print these columns, in this order: NAME,NAME,…")

  private static let sharedOutput: [OptionDefinition] = [
    OptionDefinition(.json, help: "the same as --format json"),
    OptionDefinition(
      .limit, short: "n", value: "N", kind: .number,
      help: "at most N rows (default: 100 in table and markdown, all in json, ndjson and csv)"),
    OptionDefinition(.local, help: "show times in the local time zone (table, vertical and markdown)"),
    OptionDefinition(.noColor, help: "disable color, as with NO_COLOR set"),
    OptionDefinition(.noPager, help: "never page on a terminal"),
    OptionDefinition(.noConfig, help: "as if there were no ~/.config/storescope/config"),
    OptionDefinition(.quiet, short: "q", help: "no notes and no progress on stderr"),
    OptionDefinition(.verbose, short: "v", help: "say on stderr how the store was opened and what was odd"),
  ]

  /// Taken by every command that reads a store.
  package static let store: [OptionDefinition] = [
    OptionDefinition(
      .model, value: "PATH", kind: .file,
      help: ".mom, .momd or .xcdatamodel(d) to use instead of the store's own model"),
    OptionDefinition(
      .asOfCommit, value: "N", kind: .number, help: "the store as it was N commits ago in its WAL"),
  ]

  /// Taken by the commands that run the user's own SQL.
  static let timeout = OptionDefinition(
    .timeout, value: "SECONDS", kind: .number,
    help: "stop SQL that takes longer (default: \(defaultTimeout); 0 for no limit)")

  /// Long enough for what people ask of large stores; a view that never ends has to stop by itself in a script.
  static let defaultTimeout = 60

  /// Taken by the commands that can draw.
  static let chart = OptionDefinition(
    .chart, help: "draw it, in tables and Markdown; the other formats stay as they are")

  static let help = OptionDefinition(.help, short: "h", help: "show this help")
}
