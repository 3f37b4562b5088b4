import Base
import Fleet
import Rendering
import Reports

extension Command {
  package static let fleet = Command(
    "fleet", summary: "examine many stores in one run; report on all of them, compare two runs",
    store: .none,
    arguments: [
      .init(
        "PATH", kind: .file, isOptional: true, isRepeatable: true,
        help: "what to search, as 'find' does; or 'report FOLDER', or 'diff BEFORE AFTER'")
    ], printsRows: false,
    options: [
      OptionDefinition(
        .to, value: "FOLDER", kind: .folder, help: "a new or empty folder, or an unfinished run to resume"),
      OptionDefinition(
        .stdin, help: "read an address per line from standard input and print a line of JSON for each"),
      OptionDefinition(.rows, help: "with --stdin, print the rows of the tables, each with the table's name"),
      OptionDefinition(
        .jobs, value: "N", kind: .number,
        help: "examine N stores at once (default: the number of processors)"),
      OptionDefinition(
        .timeout, value: "SECONDS", kind: .number,
        help:
          "give up on a store after that many seconds (default: \(FleetLimits.usualSeconds); 0 for no limit)"),
      OptionDefinition(
        .memory, value: "SIZE", kind: .word,
        help:
          "give up on a store that needs more, such as 512MB or 2GB (default: 1GB; not enforced on macOS)"),
      OptionDefinition(
        .includeValues,
        help: "keep values, record names, zones and owners; in a report also addresses and apps"),
      CommonOptions.app, CommonOptions.mirrored,
      OptionDefinition(
        .output, short: "o", value: "FILE", kind: .file,
        help: "write the report to FILE.html, FILE.md or FILE.json; - for standard output"),
      OptionDefinition(.force, help: "replace FILE if it is a report"),
      OptionDefinition(.title, value: "TEXT", kind: .word, help: "lead the report with your own words"),
      OptionDefinition(
        .salt, value: "TEXT", kind: .word, help: "use the same placeholders as other reports with this salt"),
      OptionDefinition(.exitCode, help: "with 'diff', exit with 1 if the runs differ"),
    ] + CommonOptions.password,
    discussion: """
      Examines each store as 'summary', 'doctor', 'pending', 'preflight' and 'size' do, each in a process of its
      own. A store that makes it hang, crash or run out of memory becomes a row in 'failures', and the run continues.

      FOLDER gets stores.ndjson, findings.ndjson, entities.ndjson, events.ndjson, authors.ndjson, pending.ndjson,
      days.ndjson and failures.ndjson, with one row per line, sorted by address. After 1 GB a file continues in
      another: stores-2.ndjson. manifest.json explains the columns. load.sql opens the files in DuckDB,
      spark-schemas.json has their schemas for Spark, and the folder 'queries' has SQL for both that answers common
      questions. Two runs over the same stores write the same files.

      Values are left out: messages have placeholders instead, as in 'report'. Addresses, the stores' UUIDs, bundle
      identifiers, names of processes, and names of entities and properties are kept.

      Run the same command again to resume a run that was stopped or killed; finished stores aren't read again.

      With --stdin, each line of the output has the store's 'summary', 'doctor', 'pending' and 'size' as JSON, or
      'failure', in the order of the input. Every line is an address, or one in JSON's quotes, which may have any
      characters; empty lines are skipped. With --rows, there is a line per row of the tables instead:
      {"dataset":"stores",...}. The row of 'stores' or 'failures' comes first.

      'fleet report' writes one page about all stores in FOLDER: findings by app version, pending changes by age, errors
      over time. Addresses and apps are replaced by placeholders. A store is named by its storeId; if reports/STOREID.html
      is next to the page, its name is a link. 'fleet diff' compares two runs by the stores' addresses: new findings,
      findings that are gone, new stores. To search a folder named 'report', write ./report.

      Exit code: 0 even if some stores can't be read, 2 if none can.

      Examples:
        storescope fleet Backups case.zip --to fleet
        storescope fleet /mnt/cases --app com.example.Journeys --to fleet --jobs 8
        cd fleet && duckdb -init load.sql
        jq .address old/stores.ndjson | storescope fleet --stdin > stores.ndjson
        jq .address old/stores.ndjson | storescope fleet --stdin --rows > rows.ndjson
        storescope fleet report fleet -o fleet.html
        storescope fleet diff monday friday --exit-code
      """,
    formats: [.table, .json, .ndjson, .csv, .markdown, .html],
    changes: { arguments in
      switch arguments.positionals.first {
      case "report": arguments[.output] != "-"
      case "diff": false
      default: !arguments.has(.stdin)
      }
    },
    documents: [
      FleetForms.run, FleetForms.report, FleetDiffDocument.form, FleetForms.answer, FleetForms.rowOfDataset,
    ]
  ) { invocation in
    switch invocation.argument(0) {
    case "report": return try FleetReportCommand.run(invocation)
    case "diff": return try FleetDiffCommand.run(invocation)
    default: break
    }
    let limits = try FleetLimits(invocation.arguments)
    try checkWords(invocation.arguments)
    if !Interruption.isWatched { Interruption.watch() }
    if invocation.arguments.has(.stdin) {
      return try FleetStream(invocation, limits).run()
    }
    guard let folder = invocation.arguments[.to] else {
      throw UsageError.missingArgument("--to FOLDER", command: "fleet")
    }
    return try FleetRun(invocation, limits, folder: StoreSource.plain(folder)).run()
  }

  private static func checkWords(_ arguments: ParsedArguments) throws(UsageError) {
    guard arguments.has(.stdin) else {
      guard !arguments.has(.rows) else { throw .conflict("'--rows' needs '--stdin'.") }
      return
    }
    if let path = arguments.positionals.first {
      throw .conflict("With '--stdin', addresses come from standard input; leave out '\(path)'.")
    }
    for option in [OptionName.to, .app, .mirrored] where arguments.has(option) {
      throw .conflict("'--\(option.rawValue)' can't be used with '--stdin'.")
    }
  }
}

/// What each store may take.
struct FleetLimits {
  static let usualSeconds = 60
  /// More are as good as no limit.
  private static let mostSeconds = 1 << 30
  /// More processes than any machine has use for.
  private static let mostJobs = 1024
  private static let usualMemory: Int64 = 1_000_000_000

  let jobs: Int
  let seconds: Int
  let memory: Int64

  init(_ arguments: ParsedArguments) throws(UsageError) {
    jobs = min(try arguments.number(.jobs) ?? Threads.processors, Self.mostJobs)
    guard jobs > 0 else { throw .conflict("'--jobs' takes a whole number from 1 up, not '0'.") }
    let limit = try arguments.number(.timeout) ?? Self.usualSeconds
    seconds = limit == 0 ? Self.mostSeconds : min(limit, Self.mostSeconds)
    memory = try arguments[.memory].map(Self.bytes) ?? Self.usualMemory
  }

  func pool<Item>(of items: Item.Type) -> ChildPool<Item> {
    ChildPool([FleetTask.command], jobs: jobs, seconds: seconds, memory: memory)
  }

  /// `512MB`, `2 GB`, `1.5g`
  private static func bytes(_ word: String) throws(UsageError) -> Int64 {
    let digits = word.prefix { $0.isNumber || $0 == "." }
    let unit = word.dropFirst(digits.count).lowercased().filter { $0 != " " }
    let factors = ["k": 1e3, "kb": 1e3, "m": 1e6, "mb": 1e6, "g": 1e9, "gb": 1e9, "t": 1e12, "tb": 1e12]
    guard let number = Double(String(digits)), let factor = factors[unit], (1...1e15) ~= number * factor
    else { throw .conflict("'--memory' takes a size such as 512MB or 2GB, not '\(word)'.") }
    return Int64(number * factor)
  }
}

/// `fleet report FOLDER -o FILE`
enum FleetReportCommand {
  static func run(_ invocation: Invocation) throws -> Outcome {
    let words = invocation.arguments.positionals.dropFirst()
    guard let word = words.first, words.count == 1 else {
      throw UsageError.missingArgument("FOLDER", command: "fleet report")
    }
    let folder = try DatasetFolder(StoreSource.plain(word))
    let destination = try ReportDestination(
      invocation.arguments, command: "fleet report", store: "\(folder.path)/\(Dataset.stores.fileName())")
    let format = destination.format
    guard [.html, .markdown, .json].contains(format) else {
      throw UsageError.conflict("'fleet report' writes html, markdown or json, not \(format.rawValue).")
    }
    let salted = try invocation.saltedMarks()
    let showsValues = invocation.arguments.has(.includeValues)
    let report = try FleetReport.read(
      folder,
      origin: Report.Origin(
        title: invocation.arguments[.title], version: Application.version, made: Platform.dateOfOutput(),
        showsValues: showsValues, isSalted: salted != nil),
      marks: showsValues ? nil : salted ?? .random(),
      limit: try invocation.limit() ?? (format == .json ? 10_000 : 200),
      progress: { invocation.progress.step($0) },
      page: { page(ofStore: $0, nextTo: destination.path) })
    var document = report.document()
    guard let path = destination.path else {
      // 'fleet' prints tables unless another format is asked for; a report is a page then.
      if format == .html, !invocation.arguments.has(.format), invocation.defaults.format != .markdown {
        document.blocks = [.verbatim(try page(document))]
        document.head = nil
      }
      return Outcome(document)
    }
    // Without values it is meant for others.
    try FileWriter.write(
      to: path, replacing: destination.replaces, rights: showsValues ? .own : .ordinary
    ) { output in
      try Renderer(output: output, options: .init(format: format)).render(document)
    }
    return .done(nil, receipt: "wrote \(path)")
  }

  /// The document as HTML, where everything out of a dataset is escaped.
  private static func page(_ document: Document) throws -> String {
    String(decoding: try Renderer.bytes(of: document, as: .html), as: UTF8.self)
  }

  /// `reports/STOREID.html`, if that file lies next to the page.
  private static func page(ofStore id: String, nextTo path: String?) -> String? {
    guard let path, id.utf8.count == 64, id.allSatisfy({ $0.isHexDigit && $0.isASCII }) else { return nil }
    let name = "reports/\(id).html"
    let folder = String(path.dropLast(Platform.fileName(path).count))
    return FileReader.kind(of: folder + name) == .file ? name : nil
  }
}
