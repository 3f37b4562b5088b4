import Rendering
import SystemCalls
import Values

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
  init(_ arguments: ParsedArguments, store: String) throws {
    guard let word = arguments[.output] else {
      throw UsageError.conflict(
        "'report' needs an output file: -o report.html, .md or .json, or -o - for standard output.")
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
struct OwnOutput {
  private let noun: String
  /// What the beginning of such a file has.
  private let marks: [String]

  /// In each of its formats.
  static let report = OwnOutput(
    noun: "report",
    marks: [
      "<title>storescope report", "\"schema\":\"storescope/report/", "**made by**: storescope ",
    ])
  static let handover = OwnOutput(noun: "handover", marks: [HandoverFolder.firstFile])

  /// A store and its side files are never written over, nor anything that isn't such a file of ours.
  func check(_ path: String, replaces: Bool, store: String) throws {
    try StoreFileGuard.check(path, keeping: store)
    guard let kind = FileReader.kind(of: path) else { return }
    guard kind == .file, replaces else {
      throw kind == .file
        ? StoreScopeError(
          .occupied, path, "already exists", advice: "choose another name, or give --force to replace it")
        : StoreScopeError(
          .foreign, path, "isn't a regular file, so no \(noun) is written there",
          advice: "choose another name")
    }
    let start = String(decoding: try FileReader.beginning(of: path, count: 65_536).bytes, as: UTF8.self)
    guard marks.contains(where: start.contains) else {
      throw StoreScopeError(
        .occupied, path, "isn't a storescope \(noun), so it was left alone", advice: "choose another name")
    }
  }
}
