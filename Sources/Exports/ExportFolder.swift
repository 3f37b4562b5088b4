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

  let path: String
  /// The parts that an earlier run finished, by file.
  private(set) var finished: [String: ExportedPart] = [:]
  private let journal: OpenFile
  private let rights: FileRights

  private static func refusal(_ path: String, _ why: String) -> StoreScopeError {
    StoreScopeError(.occupied, "Nothing was exported to '\(path)': \(why)", about: path)
  }

  /// Makes the folder, or takes up an unfinished export of the same.
  /// - Parameter heading: what is exported; two exports with the same heading write the same files.
  /// - Throws: `StoreScopeError` where the folder holds anything else, or another process writes to it.
  init(_ path: String, heading: DataValue, rights: FileRights) throws {
    self.path = path
    self.rights = rights
    switch FileReader.kind(of: path) {
    case nil:
      guard Files.makesNewFolder(path, rights: rights) else {
        let isMissing = Platform.lastFailure == .missing
        throw Self.refusal(
          path,
          isMissing ? "its parent folder doesn't exist; create it first" : Platform.lastError())
      }
    case .folder: break
    case .file, .link, .other: throw Self.refusal(path, "it isn't a folder; choose a new one")
    }
    let journalPath = "\(path)/\(Self.journalName)"
    let names = try FileReader.names(in: path)
    guard !names.contains(Self.manifestName) else {
      throw Self.refusal(path, "it has a finished export; choose a new folder")
    }
    guard names.isEmpty || names.contains(Self.journalName) else {
      throw Self.refusal(path, "it isn't empty; choose a new folder")
    }
    guard let journal = OpenFile(journalPath, for: .appending, rights: rights) else {
      throw Self.refusal(path, Platform.lastError())
    }
    self.journal = journal
    guard journal.claim() else {
      throw Self.refusal(path, "another process is exporting to it; wait until it ends")
    }
    try takeUp(journalPath, heading)
    for folder in Self.folders.map({ "\(path)/\($0)" })
    where !Files.makesNewFolder(folder, rights: rights) && !Files.isFolder(folder) {
      throw Self.refusal(path, "'\(folder)' can't be created there, or is a link; choose a new folder")
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

  private func takeUp(_ journalPath: String, _ heading: DataValue) throws {
    let text = try FileReader.bytes(of: journalPath, limit: 64 << 20)
    // The last line may have been cut short: it has no end then.
    let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
    guard let first = lines.first else {
      try append(heading)
      return
    }
    // Compared as text: read back, a member may have another kind of number.
    guard Array(first) == Array(JSONText.compact(heading).utf8) else {
      throw Self.refusal(
        path,
        "its export is of another store, of an earlier state of this one, or has other options; choose a new folder"
      )
    }
    guard journal.truncate(to: lines.reduce(0) { $0 + Int64($1.count) + 1 }) else {
      throw Self.refusal(path, Platform.lastError())
    }
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
  func add(_ part: ExportedPart) throws { try append(.object(part.members)) }

  private func append(_ value: DataValue) throws {
    guard journal.write(JSONText.compact(value) + "\n"), journal.sync() else {
      throw Self.refusal(path, Platform.lastError())
    }
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
