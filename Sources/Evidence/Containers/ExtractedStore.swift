package import Base

/// A store taken out of what it is packed in, together with all that belongs to it, into a folder that only this process
/// uses and that goes away with this value. The container is only read.
package final class ExtractedStore {
  package let address: StoreAddress
  /// Of the copy.
  package let path: String
  /// The copied files: each one's path in the container, and in the folder.
  package private(set) var members: [(path: String, part: String)] = []
  /// What may be missing, a sentence; nil if nothing is.
  package private(set) var warning: String?
  /// Whether it was taken out of an encrypted backup.
  package private(set) var isEncrypted = false
  private let folder: PrivateFolder

  /// - Parameters:
  ///   - password: of an encrypted backup.
  ///   - progress: is called with what is being read.
  /// - Throws: `StoreScopeError` if there is no such store, it can't be read, or there isn't enough space for a copy.
  package init(
    _ address: StoreAddress, password: BackupPassword? = nil, progress: (String) -> Void = { _ in }
  ) throws {
    guard let wanted = MemberPath.normalized(address.path) else {
      throw StoreScopeError(.invalid, "\(address)", "leads out of its container", advice: "check the address")
    }
    self.address = address
    folder = try PrivateFolder()
    path = folder.path(of: PathText.split(wanted).name)
    progress("reading \(address.container)")
    let isThere =
      DeviceBackup.isBackup(address.container)
      ? try take(address.path, from: DeviceBackup(address.container, password: password))
      : try takeFromContainer(wanted, progress) || takeFromPackedBackup(wanted, password)
    guard isThere else {
      throw StoreScopeError(
        .notFound, address.container, "has no file '\(address.path)'",
        advice: "list the stores in it:"
      ).listing(command: "storescope find \(ShellQuotes.word(address.container))")
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

  /// - Returns: whether the container is an archive with a backup in it that has the store.
  private func takeFromPackedBackup(_ wanted: String, _ password: BackupPassword?) throws -> Bool {
    for (folder, path) in [("", wanted)] + address.insides where DeviceBackup.beginsWithDomain(path) {
      guard let packed = try PackedBackup(address.container, folder: folder, password: password) else {
        continue
      }
      guard try packed.backup.hasList else { continue }
      if try take(path, from: packed.backup, unpacking: { try packed.unpack($0) }) { return true }
    }
    return false
  }

  /// - Parameters:
  ///   - place: a domain, and the path there.
  ///   - unpack: is called with the files that are needed.
  /// - Returns: whether the store is there.
  private func take(
    _ place: String, from backup: DeviceBackup,
    unpacking unpack: ([DeviceBackup.Item]) throws -> Void = { _ in }
  ) throws -> Bool {
    isEncrypted = backup.isEncrypted
    guard let (domain, path) = PathText.first(place) else { return false }
    let parent = PathText.split(path).folder.map { $0 + "/" } ?? ""
    let parts = StoreParts(path: path)
    let items = try backup.items(ofStoreAt: path, in: domain)
      .compactMap { item -> (item: DeviceBackup.Item, part: String)? in
        let own = PathText.rest(of: item.path, behind: parent).flatMap(parts.part(inContainer:))
        return own.flatMap(Self.part).map { (item, $0) }
      }
    try unpack(items.map(\.item))
    for (item, part) in items {
      if part != parts.name, backup.lacks(item) {
        noteMissing(part, backup.shownName(of: item), of: parts.name)
        continue
      }
      try checkSpace(item.size ?? 0)
      try backup.copy(item, to: part, in: folder)
      members.append(("\(domain)/\(item.path)", part))
    }
    return members.contains { $0.part == PathText.split(path).name }
  }

  private func noteMissing(_ part: String, _ file: String, of store: String) {
    let suffix = PathText.rest(of: part, behind: store)
    // The -shm is made again.
    guard suffix != "-shm" else { return }
    let what = suffix == "-wal" ? "The -wal of the store" : "'\(part)'"
    let effect = suffix == "-wal" ? "newer commits may be missing" : "the store is read without it"
    // One of them is enough for a look at the backup.
    if warning == nil || suffix == "-wal" {
      warning = "\(what) is missing from the backup ('\(file)'): \(effect)."
    }
  }

  // MARK: - Archives

  /// - Returns: whether the store is there.
  private func takeFromContainer(_ wanted: String, _ progress: (String) -> Void) throws -> Bool {
    let container = address.container
    let insides = address.insides
    // In a folder of its own: the store may be called like anything here.
    let workplace = insides.isEmpty ? nil : try PrivateFolder()
    var unpacked: [(index: Int, file: String)] = []
    let isThere = try takeFromArchive(Archive(container), container, wanted) {
      path, content, size, modified in
      guard let workplace, let index = insides.firstIndex(where: { $0.archive == path }) else { return }
      guard !unpacked.contains(where: { $0.index == index }) else { throw Self.twice(path, container) }
      try Self.checkSpace(size ?? 0, workplace, address)
      let file = String(index)
      try workplace.receive(file, modified: modified, content.read)
      unpacked.append((index, file))
    }
    if isThere { return true }
    for (index, file) in unpacked {
      guard let workplace else { break }
      let (inner, path) = insides[index]
      progress("reading \(inner)")
      let name = "\(container)!/\(inner)"
      if try takeFromArchive(Archive(workplace.path(of: file), name: name), name, path) { return true }
      workplace.remove(file)
    }
    return false
  }

  /// Copies what belongs to the store.
  /// - Parameter other: is called with each file whose path may lead on.
  /// - Returns: whether the store is there.
  private func takeFromArchive(
    _ archive: Archive, _ name: String, _ wanted: String,
    other: (String, any MemberContent, Int64?, Int64?) throws -> Void = { _, _, _, _ in }
  ) throws -> Bool {
    let parent = PathText.split(wanted).folder.map { $0 + "/" } ?? ""
    let parts = StoreParts(path: wanted)
    let insides = Set(address.insides.map(\.archive))
    func part(_ path: String) -> String? {
      PathText.rest(of: path, behind: parent).flatMap(parts.part(inContainer:)).flatMap(Self.part)
    }
    var taken: Set<String> = []
    /// What is being copied.
    var current: String?
    do {
      try archive.forEachMember { member in
        guard let path = MemberPath.normalized(member.path) else { return .never }
        return part(path) != nil || insides.contains(path) ? .first : .never
      } _: { member, content in
        guard let path = MemberPath.normalized(member.path) else { return }
        guard let part = part(path) else {
          if member.kind == .file, !member.isEncrypted {
            try other(path, content, member.size, member.modified)
          }
          return
        }
        guard try mayTake(member, path, part, name, &taken) else { return }
        try checkSpace(member.size ?? 0)
        current = part
        try folder.receive(part, modified: member.modified, content.read)
        members.append((path, part))
        current = nil
      }
    } catch let error as StoreScopeError
      where error.kind == .damaged && hasTaken(parts.name) && current != parts.name + "-journal"
    {
      let unread =
        switch current {
        case parts.name + "-wal": "Its -wal wasn't read: newer commits are missing."
        case _ where hasTaken(parts.name + "-wal"):
          "What follows its -wal wasn't read, such as external files."
        default: "What follows the store wasn't read, such as its -wal."
        }
      warning = "\(Sentence.begun(error.clause)). \(unread)"
    }
    return hasTaken(parts.name)
  }

  private func hasTaken(_ part: String) -> Bool { members.contains { $0.part == part } }

  private func mayTake(
    _ member: ArchiveMember, _ path: String, _ part: String, _ name: String, _ taken: inout Set<String>
  ) throws -> Bool {
    guard member.kind == .file else {
      // What a link in the store's folders leads to isn't the store's.
      if member.kind == .folder || PathText.split(part).folder != nil { return false }
      throw StoreScopeError(
        .refused, name, "has a link at '\(path)', which isn't followed",
        advice: "give the address of the file itself")
    }
    guard taken.insert(part).inserted else { throw Self.twice(path, name) }
    guard !member.isEncrypted else {
      throw StoreScopeError.failed(
        "can't read", name, "'\(path)' is encrypted", kind: .refused,
        advice:
          "--password opens only backups; unpack the archive with its password, such as by 7z, and open the file"
      )
    }
    return true
  }

  private static func twice(_ path: String, _ name: String) -> StoreScopeError {
    StoreScopeError(
      .refused, name, "has two files '\(path)', and nothing shows which one is right",
      advice: "unpack the right one with another tool")
  }

  /// Folders of external values have two levels.
  private static let deepest = 8

  /// The path that a file of the store gets in the folder; nil if it doesn't belong there.
  private static func part(_ path: String) -> String? {
    MemberPath.normalized(path).flatMap { PathText.names($0).count <= deepest ? $0 : nil }
  }

  private func checkSpace(_ bytes: Int64) throws { try Self.checkSpace(bytes, folder, address) }

  private static func checkSpace(_ bytes: Int64, _ folder: PrivateFolder, _ address: StoreAddress) throws {
    guard bytes > folder.space else { return }
    throw StoreScopeError(
      .limit, "\(address)",
      "has \(Sentence.size(bytes)), more than can be copied to \(Platform.temporaryFolder)",
      advice: "set TMPDIR to a folder with more space")
  }
}
