import Evidence
package import SystemCalls
import Values

/// A store taken out of what it is packed in, together with all that belongs to it, into a folder that only this process
/// uses and that goes away with this value. The container is only read.
package final class ExtractedStore {
  package let address: StoreAddress
  /// Of the copy.
  package let path: String
  /// The copied files: each one's path in the container, and in the folder.
  package private(set) var members: [(path: String, part: String)] = []
  private let folder: PrivateFolder

  /// - Parameters:
  ///   - password: of an encrypted backup.
  ///   - progress: is called with what is being read.
  /// - Throws: `StoreScopeError` if there is no such store, it can't be read, or there isn't enough space for a copy.
  package init(_ address: StoreAddress, password: [UInt8]? = nil, progress: (String) -> Void = { _ in })
    throws
  {
    guard let wanted = MemberPath.normalized(address.path) else {
      throw StoreScopeError(.invalid, "\(address)", "leads out of its container", advice: "check the address")
    }
    self.address = address
    folder = try PrivateFolder()
    path = folder.path(of: StoreParts(path: wanted).name)
    progress("reading \(address.container)")
    if DeviceBackup.isBackup(address.container) {
      try takeFromBackup(password)
    } else {
      try takeFromArchive(wanted, progress)
    }
    guard members.contains(where: { MemberPath.normalized($0.path) == wanted }) else {
      throw StoreScopeError(
        .notFound, address.container, "has no file '\(address.path)'",
        advice: "'storescope find \(ShellQuotes.word(address.container))' lists the stores in it")
    }
  }

  /// Of what was copied, and where: the container's, or of the list of files of a backup.
  package var containerFile: String {
    DeviceBackup.isBackup(address.container)
      ? "\(address.container)/\(DeviceBackup.name)" : address.container
  }

  /// The size and hash of a member, as it is in the container, decrypted if need be.
  package func measure(_ part: String) throws -> FileCopy.Measure {
    try FileReader.fingerprint(of: folder.path(of: part))
  }

  // MARK: - Backups

  private func takeFromBackup(_ password: [UInt8]?) throws {
    let backup = try DeviceBackup(address.container, password: password)
    guard let slash = address.path.firstIndex(of: "/") else { return }
    let domain = String(address.path[..<slash])
    let path = String(address.path[address.path.index(after: slash)...])
    let parent = path.lastIndex(of: "/").map { path.distance(from: path.startIndex, to: $0) + 1 } ?? 0
    for item in try backup.items(ofStoreAt: path, in: domain) {
      guard let part = Self.part(String(item.path.dropFirst(parent))) else { continue }
      try checkSpace(item.size ?? 0)
      try backup.copy(item, to: part, in: folder)
      members.append(("\(domain)/\(item.path)", part))
    }
  }

  // MARK: - Archives

  private func takeFromArchive(_ wanted: String, _ progress: (String) -> Void) throws {
    var archive = address.container
    if let inner = address.inner {
      guard let path = MemberPath.normalized(inner) else {
        throw StoreScopeError(.invalid, inner, "leads out of its archive", advice: "check the address")
      }
      archive = folder.path(of: Self.innerName)
      try read(address.container, address.container) { $0 == path ? Self.innerName : nil }
      guard !members.isEmpty else {
        throw StoreScopeError(
          .notFound, address.container, "has no file '\(inner)'",
          advice: "'storescope find \(ShellQuotes.word(address.container))' lists the stores in it")
      }
      members = []
      progress("reading \(inner)")
    }
    let parent = wanted.lastIndex(of: "/").map { String(wanted[...$0]) } ?? ""
    let parts = StoreParts(path: wanted)
    try read(archive, address.inner.map { "\(address.container)!/\($0)" } ?? address.container) { member in
      guard member.hasPrefix(parent) else { return nil }
      let part = String(member.dropFirst(parent.count))
      return parts.owns(part) ? Self.part(part) : nil
    }
    if address.inner != nil { folder.remove(Self.innerName) }
  }

  /// No store is called so: a store's name has no slash, and this is in a folder of its own.
  private static let innerName = "inner/archive"
  /// Folders of external values have two levels.
  private static let deepest = 8

  /// The path that a file of the store gets in the folder; nil if it doesn't belong there.
  private static func part(_ path: String) -> String? {
    MemberPath.normalized(path).flatMap { $0.split(separator: "/").count <= deepest ? $0 : nil }
  }

  /// Copies what `part` gives a name.
  private func read(_ path: String, _ name: String, part: (String) -> String?) throws {
    let reader = try ArchiveReader(path, name: name)
    var taken: Set<String> = []
    while let member = try reader.next() {
      guard let path = MemberPath.normalized(member.path), let part = part(path) else { continue }
      guard member.kind == .file else {
        // What a link in the store's folders leads to isn't the store's.
        if member.kind == .folder || part.contains("/") { continue }
        throw StoreScopeError(
          .refused, name, "has a link at '\(path)', which isn't followed",
          advice: "give the address of the file itself")
      }
      guard taken.insert(part).inserted else {
        throw StoreScopeError(
          .refused, name, "has two files '\(path)', and nothing shows which one is right",
          advice: "unpack the right one with another tool")
      }
      guard !member.isEncrypted else {
        throw StoreScopeError(
          .refused, name, "has '\(path)' encrypted", advice: "unpack it with another tool and its password")
      }
      try checkSpace(member.size ?? 0)
      try folder.receive(
        part, limit: min(member.size ?? .max, folder.space), modified: member.modified, reader.read)
      members.append((path, part))
    }
  }

  private func checkSpace(_ bytes: Int64) throws {
    guard bytes > folder.space else { return }
    throw StoreScopeError(
      .limit, "\(address)",
      "has \(Sentence.size(bytes)), more than can be copied to \(Platform.temporaryFolder)",
      advice: "set TMPDIR to a folder with more space")
  }
}
