/// A text that may stay although `HabitFinder` or the width of a terminal is against it.
struct Exception {
  /// A file's path or a page's name.
  let place: String
  /// What is found there.
  let words: String
  let reason: String

  init(_ place: String, _ words: String, _ reason: String) {
    self.place = place
    self.words = words
    self.reason = reason
  }

  static let all = [
    Exception("Sources/Operations/Applying/Surroundings.swift", "room", "a condition's name, part of JSON"),
    Exception(
      "Sources/Commands/Documentation/CompletionsCommand.swift", "storescope storescope",
      "the ends of two lines"),
    Exception("man", "storescope storescope", "the ends of two lines"),
    Exception("Sources/Diagnostics/Examination/Clock.swift", "… days", "one day is handled a line above"),
    Exception(
      "Sources/Commands/Assistants/AssistantServer.swift", "cancelled", "the name of a notification in MCP"),
    Exception("Sources/Explanations/Texts/terms-history.txt", "analyzed", "a word that people may look up"),
  ]

  /// Lines of help that are longer than a narrow terminal.
  static let longLines = [
    "  storescope completions bash > ~/.local/share/bash-completion/completions/storescope",
    "  storescope diff App.store.20261121T064512Z.reset.backup App.store --only objects",
    "  storescope redact App.store -o Shareable.store --keep numbers --keep dates --keep-lengths",
    "  storescope repair App.store remove-orphan-records --cloud keep --apply --confirm App.store",
  ].map { Exception("help \($0.split(separator: " ")[1])", $0, "an example that can be pasted is one line") }
}
