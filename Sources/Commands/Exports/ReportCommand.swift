import Evidence
import Rendering
import Reports
import StoreModel
import SystemCalls
import Values

extension Command {
  static let report = Command(
    "report", summary: "write a report to share (HTML, Markdown or JSON), without values",
    printsRows: false,
    options: [
      OptionDefinition(
        .output, short: "o", value: "FILE", kind: .file,
        help: "FILE.html, FILE.md or FILE.json; - for standard output"),
      OptionDefinition(.force, help: "replace FILE if it is a report"),
      OptionDefinition(
        .title, value: "TEXT", kind: .word,
        help: "lead with your own words, such as a ticket's number; they are shown as they are"),
      OptionDefinition(
        .includeValues, help: "show record names, zones, owners, paths and values in findings, too"),
      OptionDefinition(
        .salt, value: "TEXT", kind: .word, help: "use the same placeholders as other reports with this salt"),
    ],
    discussion: """
      The report has names of entities, properties and authors, counts, times and states, but no values. Record names,
      zones, owners, paths and identifiers are replaced by placeholders; the same text always gets the same
      placeholder. The format follows the file's name, or --format. The page is a single self-contained file and needs
      no scripts. --limit applies to the rows of each list (200 in a page, 10000 in JSON); counts and charts cover
      everything. SOURCE_DATE_EPOCH sets the report's time.

      Examples:
        storescope report App.store -o report.html
        storescope report App.store -o report.md --title 'Ticket 4711'
        storescope report App.store -o - --format json --salt bug-4711
      """,
    formats: [.html, .markdown, .json], formatHelp: "what to write (default: by FILE's name)",
    changes: { $0[.output] != "-" },
    documents: [DocumentForm("", Report.fields.keys())]
  ) { invocation in
    let session = try invocation.store()
    let destination = try ReportDestination(invocation.arguments, store: session.path)
    let format = destination.format
    let limit = try invocation.limit() ?? (format == .json ? 10_000 : 200)
    let salted = try invocation.saltedMarks()
    let marks: Marks? =
      invocation.arguments.has(.includeValues) ? nil : salted ?? .random()

    // Hashes are taken while the store isn't open, before and after: see FileReader.fingerprint.
    let before = try session.source.files { invocation.progress.phase($0) }
    var report = try Report.read(
      session.open(), marks: marks, title: invocation.arguments[.title], isSalted: salted != nil,
      version: Application.version, limit: limit,
      made: Platform.dateOfOutput(), progress: { text in invocation.progress.step(text) })
    try session.finish()
    let after = try session.source.files { invocation.progress.phase($0) }
    report.store.compare(before: before, after: after)
    let document = report.document()
    guard let path = destination.path else { return Outcome(document) }
    invocation.progress.phase("writing the report")
    // Without values it is meant for others.
    let rights = marks == nil ? FileRights(like: session.location) : .ordinary
    try FileWriter.write(to: path, replacing: destination.replaces, rights: rights) { output in
      try Renderer(output: output, options: .init(format: format)).render(document)
    }
    return .done(nil, receipt: Receipt("wrote \(path)", [invocation.dates.shortened(report.headline)]))
  }
}
