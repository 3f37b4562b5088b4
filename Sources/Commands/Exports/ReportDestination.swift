import Evidence
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
