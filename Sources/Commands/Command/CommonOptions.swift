import Rendering

/// Options that several commands share.
package enum CommonOptions {
  /// Taken by every command that prints a result.
  static func output(of command: Command) -> [OptionDefinition] {
    [format(command.formats.map(\.rawValue), command.formatHelp)] + (command.printsRows ? [columns] : [])
      + sharedOutput.filter { !command.printsText || $0.option == .json }
  }

  /// What help lists once for all commands.
  package static var global: [OptionDefinition] {
    [format(Format.common.map(\.rawValue), Command.formatHelp), columns] + sharedOutput + store + [help]
  }

  static func format(_ choices: [String], _ help: String) -> OptionDefinition {
    OptionDefinition(.format, value: "FORMAT", kind: .choice, choices: choices, help: help)
  }

  private static let columns = OptionDefinition(
    .columns, value: "NAMES", kind: .properties, help: "print these columns, in this order: NAME,NAME,…")

  private static let sharedOutput: [OptionDefinition] = [
    OptionDefinition(.json, help: "the same as --format json"),
    OptionDefinition(
      .limit, short: "n", value: "N", kind: .number,
      help: "print at most N rows (default: 100 in table and markdown, else all)"),
    OptionDefinition(.local, help: "show times in the local time zone (not in json, ndjson and csv)"),
    OptionDefinition(
      .color, value: "WHEN", kind: .choice, choices: Terminal.Color.allCases.map(\.rawValue),
      help: "color the output (default: auto, on a terminal)"),
    OptionDefinition(.noColor, help: "the same as --color never"),
    OptionDefinition(.noPager, help: "don't use a pager"),
    OptionDefinition(.noConfig, help: "ignore ~/.config/storescope/config"),
    OptionDefinition(.quiet, short: "q", help: "print no notes and no progress on stderr"),
    OptionDefinition(.verbose, short: "v", help: "show details; on stderr, how the store was opened"),
  ]

  /// Taken by every command that reads a store.
  package static let store = state + password

  /// What is read of a store, and with which names.
  package static let state = [
    OptionDefinition(
      .model, value: "PATH", kind: .file,
      help: "use this .mom, .momd or .xcdatamodel(d) instead of the store's own model"),
    OptionDefinition(
      .asOfCommit, value: "N", kind: .number,
      help: "show the store as it was N commits ago in its WAL (reading commands)"),
  ]

  /// Taken by whatever opens backups.
  static let password: [OptionDefinition] = [
    OptionDefinition(.password, help: "ask for the password of an encrypted backup"),
    OptionDefinition(
      .passwordFile, value: "FILE", kind: .file, help: "read that password from the first line of FILE"),
  ]

  /// Taken by the commands that run the user's own SQL.
  static let timeout = OptionDefinition(
    .timeout, value: "SECONDS", kind: .number,
    help: "stop SQL that computes longer (default: \(defaultTimeout); 0 for no limit)")

  /// Long enough for what people ask of large stores; a view that never ends has to stop by itself in a script.
  static let defaultTimeout = 60

  /// Taken by the commands that list what the mirror has of objects.
  static let objectInMirror = OptionDefinition(
    .object, value: "OBJECT", kind: .object,
    help: "only this object's: a URI, Entity/pN, 'Entity N' or a record name")

  /// Taken by the commands that look for stores.
  static let app = OptionDefinition(
    .app, value: "NAME", kind: .word, isRepeatable: true,
    help: "only stores with this in the app's or group's identifier, or in the path")
  static let mirrored = OptionDefinition(.mirrored, help: "only stores that are mirrored to CloudKit")

  /// Taken by the commands whose lists are long.
  static let offset = OptionDefinition(
    .offset, value: "N", kind: .number, help: "leave out the first N rows; with --limit, a page of the list")

  /// Taken by the commands that make a redacted copy.
  static let salt = OptionDefinition(
    .salt, value: "TEXT", kind: .word,
    help: "use the same placeholders in every run with this text (default: random)")

  /// Taken by the commands that can draw.
  static let chart = OptionDefinition(
    .chart, help: "draw a chart (table and Markdown output only)")

  static let help = OptionDefinition(.help, short: "h", help: "show this help")
}
