#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder that only its owner may look into, for what a result is made of, or what is read is copied to. It goes with
/// this value.
package final class PrivateFolder {
  package let path: String
  /// It is taken away through this: the folder next door may be somebody else's, who puts another in its place.
  private let claim: ClaimedFolder

  /// Next to the result, where there is space for it. Those that killed processes left there go.
  /// - Throws: `StoreScopeError` if it can't be made.
  package init(near result: String) throws {
    let (folder, name) = PathText.split(result)
    Self.removeLeftovers(in: folder.map { $0.isEmpty ? "/" : $0 } ?? ".") { Self.isDead($0, near: name) }
    path = "\(result).\(getpid())\(Self.suffix)"
    guard let claim = try ClaimedFolder(making: path) else { throw Files.madeMeanwhile(path) }
    self.claim = claim
  }

  /// Where temporary files go.
  /// - Throws: `StoreScopeError` if it can't be made.
  package init() throws {
    var attempts = 10
    while true {
      let path =
        "\(Platform.temporaryFolder)/\(Self.prefix)\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      // Until it is claimed, another process takes it for a leftover.
      if let claim = try ClaimedFolder(making: path), claim.isInPlace {
        (self.path, self.claim) = (path, claim)
        return
      }
      attempts -= 1
      guard attempts > 0 else { throw Files.madeMeanwhile(path) }
    }
  }

  deinit { claim.remove() }

  private static var prefix: String { "storescope-open-\(Platform.userID())-" }
  private static let suffix = ".parts"

  /// Takes away what processes left where temporary files go that were killed. Every command begins with it: what was
  /// decrypted must not wait there for the next one that reads a backup.
  package static func removeLeftovers() {
    let prefix = prefix
    removeLeftovers(in: Platform.temporaryFolder) { $0.hasPrefix(prefix) }
  }

  /// Whether a folder has parts of that result, and the process that made it is gone.
  private static func isDead(_ name: String, near result: String) -> Bool {
    guard let rest = PathText.rest(of: name, behind: result + "."), rest.hasSuffix(suffix),
      let process = Int32(rest.dropLast(suffix.count)), process > 0
    else { return false }
    return systemKill(process, 0) != 0 && errno == ESRCH
  }

  private static func removeLeftovers(in place: String, _ isLeftover: (String) -> Bool) {
    var leftovers: [String] = []
    try? FileReader.forEachName(in: place, limit: .max) { if isLeftover($0) { leftovers.append($0) } }
    for name in leftovers {
      let path = "\(place)/\(name)"
      guard let status = FileStatus(ofLink: path), status.owner == Platform.userID() else { continue }
      ClaimedFolder(path)?.remove()
    }
  }

  // MARK: - What is in it

  private static let chunk = 1 << 18
  /// Left free on the disk, so that others can still work.
  private static let reserve: Int64 = 64 << 20

  package func path(of part: String) -> String { claim.folder.path(of: part) }

  /// How many bytes may still be put there.
  package var space: Int64 { Files.freeBytes(at: path).map { max($0 - Self.reserve, 0) } ?? .max }

  /// Makes a file, and the folders that it lies in, from what `next` fills the buffer with until it gives 0. The file isn't
  /// meant to outlive a power failure.
  /// - Parameters:
  ///   - part: its path in this folder.
  ///   - modified: its timestamp, in seconds since 1970; nil for now.
  /// - Throws: `StoreScopeError` if it has more bytes than there is space for, or can't be made; then it isn't there.
  package func receive(
    _ part: String, modified: Int64? = nil,
    _ next: (UnsafeMutableRawBufferPointer) throws -> Int
  ) throws {
    try claim.folder.makeParent(of: part)
    let file = try claim.folder.createFile(part)
    defer { file.close() }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunk, alignment: 16)
    defer { buffer.deallocate() }
    let limit = space
    do {
      var total: Int64 = 0
      while case let count = try next(buffer), count > 0 {
        try Interruption.check()
        total += Int64(count)
        guard total <= limit else {
          throw StoreScopeError(
            .limit, Platform.fileName(part),
            "has more than \(Sentence.size(limit)), the space that is left"
          )
        }
        guard file.write(UnsafeRawBufferPointer(rebasing: buffer[..<count])) else {
          throw StoreScopeError.couldNotBe("written", path(of: part))
        }
      }
    } catch {
      remove(part)
      throw error
    }
    if let modified { file.setModified(seconds: modified) }
  }

  /// Takes a file away that isn't needed anymore.
  package func remove(_ part: String) { claim.folder.remove(part) }
}

/// A folder that this process fills or takes away, so that no other process does at the same time. The claim ends with
/// this value, or with the process.
package final class ClaimedFolder {
  package let folder: OpenFolder

  /// Nil if it is a link or no folder, or another process has claimed it.
  package init?(_ path: String) {
    guard let folder = try? OpenFolder(path) else { return nil }
    // https://man7.org/linux/man-pages/man2/flock.2.html
    guard (try? folder.withDescriptor(systemClaim)) == true else { return nil }
    self.folder = folder
  }

  /// Makes the folder; nil if something has the name, or another process was quicker to claim it.
  package convenience init?(making path: String) throws {
    guard Files.makesNewFolder(path, rights: .own) else {
      if errno == EEXIST { return nil }
      throw StoreScopeError.couldNotBe("made", path)
    }
    self.init(path)
  }

  /// Whether the path still leads to it.
  var isInPlace: Bool {
    guard let identity = try? folder.identity(of: "") else { return false }
    return FileIdentity(folder.path) == identity
  }

  /// Takes the folder away with all that is in it; what links in it lead to stays.
  /// - Returns: whether it is gone.
  @discardableResult
  package func remove() -> Bool {
    guard isInPlace else { return false }
    folder.removeContents()
    return rmdir(folder.path) == 0
  }
}
