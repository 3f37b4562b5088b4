extension DocumentTable {
  /// The tool itself.
  static let toolShapes = [schema, completions, man]

  private static let schema = DocumentShape(
    "schema", store: .never, payload: "commands",
    [
      .init(
        "commands",
        .list(.object([.init("command", .text, "the command"), .init("summary", .text, "what it prints")])),
        "commands with JSON; with COMMAND, the schema itself is printed")
    ])

  private static let completions = DocumentShape(
    "completions", store: .never,
    [
      .init("shell", .words(CompletionScript.self), "the shell"), .init("script", .text, "what it reads"),
    ])

  private static let man = DocumentShape(
    "man", store: .never, [.init("page", .text, "the source of the manual page")])
}
