package import SystemCalls
package import Values

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
