import Rendering

extension Command {
  package static let fleet = Command(
    "fleet", summary: "temporary", store: .none,
    arguments: [.init("PATH", kind: .file, isOptional: true, isRepeatable: true, help: "x")], printsRows: false,
    options: [
      OptionDefinition(.output, short: "o", value: "FILE", kind: .file, help: "x"), OptionDefinition(.force, help: "x"),
      OptionDefinition(.title, value: "TEXT", kind: .word, help: "x"), OptionDefinition(.salt, value: "TEXT", kind: .word, help: "x"),
      OptionDefinition(.includeValues, help: "x"), OptionDefinition(.exitCode, help: "x"),
    ], formats: [.table, .html, .markdown, .json, .ndjson, .csv]
  ) { invocation in
    invocation.argument(0) == "report" ? try FleetReportCommand.run(invocation) : try FleetDiffCommand.run(invocation)
  }
}
