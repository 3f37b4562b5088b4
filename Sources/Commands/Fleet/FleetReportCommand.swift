import Fleet
import Rendering
import Reports
import SystemCalls
import Values

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
