import Archives
package import Base

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

/// A folder that a long run fills, and that the next run takes up if that one was stopped or killed. Until the end a
/// journal in it lists what is done, below a line that says what the run is about.
package final class ResumedFolder {
  /// How a run speaks of itself.
  package struct Words {
    /// `Nothing was exported to 'dump'`
    let refusal: String
    /// `it has a finished export`
    let finished: String
    /// `another process is exporting to it; wait until it ends`
    let busy: String
    /// What is wrong if the journal is another run's.
    let other: String

    package init(refusal: String, finished: String, busy: String, other: String) {
      self.refusal = refusal
      self.finished = finished
      self.busy = busy
      self.other = other
    }
  }

  package let path: String
  /// Where the journal goes on behind its first line.
  package private(set) var journalStart: Int64 = 0
  package let journal: OpenFile
  private let words: Words

  /// Makes the folder, or takes up an unfinished run of the same.
  /// - Parameters:
  ///   - journal: the journal's name.
  ///   - last: the name of the file that is written last.
  ///   - heading: what the run is about; two runs with the same heading write the same files.
  /// - Throws: `StoreScopeError` if the folder holds anything else, or another process writes to it.
  package init(
    _ path: String, journal name: String, last: String, heading: DataValue, rights: FileRights, words: Words
  ) throws {
    self.path = path
    self.words = words
    func refusal(_ why: String) -> StoreScopeError { Self.refusal(words, path, why) }
    switch FileReader.kind(of: path) {
    case nil:
      guard Files.makesNewFolder(path, rights: rights) else {
        let isMissing = Platform.lastFailure == .missing
        throw refusal(isMissing ? "its parent folder doesn't exist; create it first" : Platform.lastError())
      }
    case .folder: break
    case .file, .link, .other: throw refusal("it isn't a folder; choose a new one")
    }
    let names = try FileReader.names(in: path)
    // A run that was killed when nothing but its journal was left to be removed does its last steps again.
    guard !names.contains(last) || names.contains(name) else {
      throw refusal("\(words.finished); choose a new folder")
    }
    guard names.isEmpty || names.contains(name) else { throw refusal("it isn't empty; choose a new folder") }
    guard let journal = OpenFile("\(path)/\(name)", for: .appending, rights: rights) else {
      throw refusal(Platform.lastError())
    }
    self.journal = journal
    guard journal.claim() else { throw refusal(words.busy) }
    // Compared as text: read back, a member may have another kind of number.
    let line = Array((JSONText.compact(heading) + "\n").utf8)
    let found = journal.bytes(line.count)
    journalStart = Int64(line.count)
    if found == line { return }
    // A first line that was cut short is that of a run that has done nothing.
    guard line.starts(with: found) else { throw refusal(words.other) }
    try cut(to: 0)
    try append(line)
  }

  package func refusal(_ why: String) -> StoreScopeError { Self.refusal(words, path, why) }

  private static func refusal(_ words: Words, _ path: String, _ why: String) -> StoreScopeError {
    StoreScopeError(.occupied, "\(words.refusal): \(why)", about: path)
  }

  /// Leaves out what is behind that place, such as a line without its end.
  package func cut(to size: Int64) throws {
    guard journal.truncate(to: size) else { throw refusal(Platform.lastError()) }
  }

  /// Notes that something is done.
  /// - Parameter syncs: whether to come back only when that is on the medium.
  package func append(_ bytes: [UInt8], syncs: Bool = true) throws {
    guard bytes.withUnsafeBytes(journal.write), !syncs || journal.sync() else {
      throw refusal(Platform.lastError())
    }
  }
}
