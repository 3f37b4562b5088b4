import Base
import Evidence
import Rendering
import Reports
import StoreModel

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

/// Where a report goes, and in which format.
struct ReportDestination {
  /// Nil for standard output.
  let path: String?
  let format: Format
  let replaces: Bool

  private static let endings: [(ending: String, format: Format)] = [
    (".html", .html), (".htm", .html), (".md", .markdown), (".markdown", .markdown), (".json", .json),
  ]

  /// What the words typed say.
  /// - Throws: if the format can't be determined, or the file must stay as it is.
  init(_ arguments: ParsedArguments, command: String = "report", store: String) throws {
    guard let word = arguments[.output] else {
      throw UsageError.conflict(
        "'\(command)' needs an output file: -o report.html, .md or .json, or -o - for standard output.")
    }
    replaces = arguments.has(.force)
    let asked: Format? = arguments.has(.json) ? .json : arguments.choice(.format)
    let ending = Self.endings.first { word.lowercased().hasSuffix($0.ending) }?.format
    if word == "-" {
      path = nil
      format = asked ?? .html
      return
    }
    guard let format = asked ?? ending else {
      throw UsageError.conflict(
        "Can't tell the format from '\(word)': use .html, .md or .json, or give --format.")
    }
    self.format = format
    path = word
    try OwnOutput.report.check(word, replaces: replaces, store: store)
  }
}

/// Files that commands write for people, and replace only if they are their own.
struct OwnOutput: Sendable {
  private let noun: String
  /// Whether such a file begins with these bytes.
  private let isOwn: @Sendable (ArraySlice<UInt8>) -> Bool

  /// In each of its formats.
  static let report = OwnOutput(
    noun: "report",
    isOwn: { bytes in
      let start = String(decoding: bytes, as: UTF8.self)
      return [
        "<title>storescope report", "\"schema\":\"storescope/report/",
        "\"schema\":\"storescope/fleet-report/", "**Made by**: storescope ",
      ].contains(where: start.contains)
    })
  /// An archive whose first entry is ours: its name follows 30 bytes. A file about handovers only mentions it.
  static let handover = OwnOutput(
    noun: "handover",
    isOwn: { bytes in
      bytes.starts(with: "PK\u{3}\u{4}".utf8)
        && bytes.dropFirst(30).starts(with: HandoverFolder.firstFile.utf8)
    })

  /// A store and its side files are never written over, nor anything that isn't such a file of ours.
  func check(_ path: String, replaces: Bool, store: String) throws {
    try StoreFileGuard.check(path, keeping: store)
    guard let kind = FileReader.kind(of: path) else {
      let folder = StoreParts(path: Platform.absolutePath(path)).folder
      guard FileReader.kind(of: folder) == .folder else {
        throw StoreScopeError(
          .notFound, path, "can't be written: there is no folder '\(folder)'", advice: "create it first")
      }
      return
    }
    guard kind == .file, replaces else {
      throw kind == .file
        ? StoreScopeError(
          .occupied, path, "already exists", advice: "choose another name, or give --force to replace it")
        : StoreScopeError(
          .foreign, path, "isn't a regular file, so no \(noun) is written there",
          advice: "choose another name")
    }
    guard isOwn(try FileReader.beginning(of: path, count: 65_536).bytes[...]) else {
      throw StoreScopeError(
        .occupied, path, "isn't a storescope \(noun), so it was left alone", advice: "choose another name")
    }
  }
}
