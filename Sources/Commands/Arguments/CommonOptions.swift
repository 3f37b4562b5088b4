import Rendering

/// Options that several commands share.
enum CommonOptions {
  /// Taken by every command that prints a result.
  static func output(_ formats: [Format]) -> [OptionDefinition] {
    [
      OptionDefinition(
        "format", value: "FORMAT", choices: formats.map(\.rawValue), help: "how to print (default: table)")
    ] + sharedOutput
  }

  private static let sharedOutput: [OptionDefinition] = [
    OptionDefinition("json", help: "the same as --format json"),
    OptionDefinition(
      "limit", short: "n", value: "N",
      help: "at most N rows (default: 100 in table and markdown, all in json, ndjson and csv)"),
    OptionDefinition("no-color", help: "no colours, as with NO_COLOR set"),
    OptionDefinition("no-pager", help: "never page on a terminal"),
    OptionDefinition("quiet", short: "q", help: "no notes and no progress on stderr"),
    OptionDefinition("verbose", short: "v", help: "say on stderr how the store was opened and what was odd"),
  ]

  /// Taken by every command that reads a store.
  static let store: [OptionDefinition] = [
    OptionDefinition(
      "model", value: "PATH", help: ".mom, .momd or .xcdatamodel(d) to use instead of the store's own model"),
    OptionDefinition("as-of-commit", value: "N", help: "the store as it was N commits ago in its WAL"),
  ]

  static let help = OptionDefinition("help", short: "h", help: "show this help")
}
