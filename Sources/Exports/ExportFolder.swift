import Archives
import SystemCalls
import Values

/// The folder that an export writes to. While it is unfinished a journal in it lists the parts that are done, a line
/// each, below a line that says what is exported: so a killed run can be taken up by the next.
final class ExportFolder {
  static let journalName = "unfinished.ndjson"
  static let manifestName = "manifest.json"
  static let blobs = "blobs"
  /// What is written last.
  private static let finalNames = [manifestName, LoadScript.name, SparkSchemas.name]
  private static let folders = ["entities", "tables", blobs]

  var path: String { folder.path }
  /// The parts that an earlier run finished, by file.
  private(set) var finished: [String: ExportedPart] = [:]
  private let folder: ResumedFolder
  private let rights: FileRights

  /// Makes the folder, or takes up an unfinished export of the same.
  /// - Parameter heading: what is exported; two exports with the same heading write the same files.
  /// - Throws: `StoreScopeError` where the folder holds anything else, or another process writes to it.
  init(_ path: String, heading: DataValue, rights: FileRights) throws {
    folder = try ResumedFolder(
      path, journal: Self.journalName, last: Self.manifestName, heading: heading, rights: rights,
      words: .init(
        refusal: "Nothing was exported to '\(path)'", finished: "it has a finished export",
        busy: "another process is exporting to it; wait until it ends",
        other:
          "its export is of another store, of an earlier state of this one, or has other options; choose a new folder"
      ))
    self.rights = rights
    try takeUp()
    for folder in Self.folders.map({ "\(path)/\($0)" })
    where !Files.makesNewFolder(folder, rights: rights) && !Files.isFolder(folder) {
      throw self.folder.refusal("'\(folder)' can't be created there, or is a link; choose a new folder")
    }
    try removeUnfinished()
  }

  /// A killed run leaves files without their last name; those of blobs are named for its threads, of which the next run
  /// may have fewer.
  private func removeUnfinished() throws {
    for folder in Self.folders + ["."] {
      for name in try FileReader.names(in: "\(path)/\(folder)", limit: .max)
      where name.contains(PartFile.unfinished)
        || Self.finalNames.contains(where: { name.hasPrefix($0) })
      {
        Files.remove("\(path)/\(folder)/\(name)")
      }
    }
  }

  private func takeUp() throws {
    let text = try FileReader.bytes(of: "\(path)/\(Self.journalName)", limit: 64 << 20)
    // The last line may have been cut short: it has no end then.
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
    try folder.cut(to: lines.reduce(0) { $0 + Int64($1.count) + 1 })
    for line in lines.dropFirst() {
      guard let value = try? line.withUnsafeBytes({ try JSONReader.read($0) }), let part = ExportedPart(value)
      else { continue }
      finished[part.file] = part
    }
  }

  /// An earlier run's part, where its file still is what it was.
  func whole(_ file: String) -> ExportedPart? {
    guard let part = finished[file], let found = try? FileReader.fingerprint(of: "\(path)/\(file)"),
      found.bytes == part.bytes, found.sha256 == part.sha256
    else { return nil }
    return part
  }

  /// Notes that a part is done.
  func add(_ part: ExportedPart) throws {
    try folder.append(Array((JSONText.compact(.object(part.members)) + "\n").utf8))
  }

  /// The manifest comes last, and with it the journal goes, and what is empty.
  func finish(_ manifest: ExportManifest) throws {
    for (name, text) in [
      (LoadScript.name, LoadScript(manifest: manifest).text),
      (SparkSchemas.name, JSONText.pretty(SparkSchemas(manifest: manifest).value)),
      (Self.manifestName, JSONText.pretty(manifest.value)),
    ] {
      try FileWriter.write(text, to: "\(path)/\(name)", rights: rights)
    }
    for folder in Self.folders { Files.removeEmptyFolder("\(path)/\(folder)") }
    Files.remove("\(path)/\(Self.journalName)")
  }
}
