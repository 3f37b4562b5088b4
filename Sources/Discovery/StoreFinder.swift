package import Base
package import Evidence
import SQLite

/// Looks for stores in folders and in what people pack folders into. A store is recognized by its bytes: Maps' store has no
/// extension, and most databases with one aren't Core Data's.
package final class StoreFinder {
  /// What is done with what was found.
  package struct Receiver {
    package var found: (FoundStore) throws -> Void
    /// Gets what may be a store in place of `found`, for one who opens it elsewhere; nil if stores are opened here.
    package var candidate: ((FoundPlace) throws -> Void)?
    package var skipped: (SkippedPlace) throws -> Void
    /// Gets each database that isn't Core Data's, with its owner: a device has thousands.
    package var left: (FoundPlace) -> Void = { _ in }
    package var progress: (String) -> Void

    package init(
      found: @escaping (FoundStore) throws -> Void, skipped: @escaping (SkippedPlace) throws -> Void,
      progress: @escaping (String) -> Void = { _ in }
    ) {
      self.found = found
      self.skipped = skipped
      self.progress = progress
    }

    package init(
      candidate: @escaping (FoundPlace) throws -> Void, skipped: @escaping (SkippedPlace) throws -> Void,
      left: @escaping (FoundPlace) -> Void = { _ in }, progress: @escaping (String) -> Void
    ) {
      self.init(found: { _ in }, skipped: skipped, progress: progress)
      self.candidate = candidate
      self.left = left
    }
  }

  let receiver: Receiver
  /// Of encrypted backups; nil for none.
  let password: BackupPassword?
  /// Whether reading it would download it.
  private let isElsewhere: (FileStatus) -> Bool
  /// Such files that nothing speaks for, in what is looked at now.
  private var elsewhere = 0
  /// Files that were looked at, since two paths may lead to one.
  private var known: Set<FoundFile> = []
  /// The address of what alone is looked at; nil for all of a container.
  private var scope: String?
  /// Archives and backups that were searched, each with what was looked at in it; nil for all.
  private var searched: [FileIdentity: Set<String?>] = [:]

  package init(
    _ receiver: Receiver, password: BackupPassword? = nil,
    isElsewhere: @escaping (FileStatus) -> Bool = \.isDataless
  ) {
    self.receiver = receiver
    self.password = password
    self.isElsewhere = isElsewhere
  }

  /// Looks at what a person named: a folder, an archive, a backup, a file, or an address inside a container.
  /// - Throws: `StoreScopeError` if there is nothing, or it's none of these; what `receiver` throws.
  package func look(at path: String) throws {
    (skipped, elsewhere) = (0, 0)
    try search(path)
    if elsewhere > 0 {
      let files = Sentence.count(elsewhere, "file")
      let verb = Sentence.form(elsewhere, "is", "are")
      try skip(
        path, because: "\(files) in it \(verb) in iCloud only, and searching would download them",
        mayBeStore: false, isContainer: true)
    }
    guard skipped > Self.mostSkipped else { return }
    let more = Sentence.count(skipped - Self.mostSkipped, "more place")
    try receiver.skipped(
      SkippedPlace(address: path, because: "\(more) in it can't be read either", isContainer: true))
  }

  /// Goes on without a place that can't be searched, next to others.
  package func leaveOut(_ place: String, because error: any Error) throws {
    skipped = 0
    try skip(place, error, isContainer: true)
  }

  private func search(_ path: String) throws {
    if let address = StoreAddress(path) {
      scope = Platform.withoutLastSlashes(address.description)
      defer { scope = nil }
      return try search(address.container)
    }
    let path = Platform.withoutLastSlashes(path)
    guard let status = FileStatus(path) else {
      throw StoreScopeError.unreadable(
        path, Platform.lastOpeningError(), kind: .notFound, advice: "check the name")
    }
    switch status.kind {
    case .folder: try lookThroughFolder(path)
    case .file:
      let (beginning, size) = try FileReader.beginning(of: path, count: Archive.beginning)
      if let format = Archive.format(beginning) {
        if isNew(path) { try ArchiveSearch(self, path, format).run() }
      } else if StoreHeader.begins(beginning) {
        try lookAtFile(path, StoreKeeper(above: path))
      } else {
        if let error = Self.emptyArchive(path) { throw error }
        let other = StoreHeader.otherKind(beginning, Int64(size))
        throw StoreScopeError.unreadable(
          path, other.clause, kind: .foreign,
          advice: other.advice ?? "pass a folder, an archive or a store")
      }
    default: throw StoreScopeError(.foreign, path, "is \(OpenFolder.description(of: status.kind))")
    }
  }

  /// Whether what has that address is asked for, or leads to it.
  /// - Parameter isArchive: whether addresses inside it begin with this one.
  func covers(_ address: String, isArchive: Bool = false) -> Bool {
    guard let scope else { return true }
    return address == scope || address.hasPrefix(scope + "/") || address.hasPrefix(scope + "!/")
      || SideFiles.owner(of: address) == scope || isArchive && scope.hasPrefix(address + "!/")
  }

  /// A stranger's archive can have millions.
  private static let mostSkipped = 10_000
  private var skipped = 0

  /// - Parameters:
  ///   - owner: whose it is, as far as that is known.
  ///   - isContainer: whether there may be stores in it.
  func skip(
    _ address: String, because reason: String, mayBeStore: Bool = true, owner: Owner = .nobody,
    isContainer: Bool = false
  ) throws {
    skipped += 1
    guard skipped <= Self.mostSkipped, isNewlyNamed(address, reason) else { return }
    try receiver.skipped(
      SkippedPlace(
        address: address, because: reason, mayBeStore: mayBeStore, owner: owner, isContainer: isContainer))
  }

  /// - Throws: what ends the search, in place of the reason to go on without this.
  func skip(
    _ address: String, _ error: any Error, mayBeStore: Bool = true, owner: Owner = .nobody,
    isContainer: Bool = false
  ) throws {
    if error is InterruptedError || Interruption.isRequested { throw InterruptedError() }
    if let end = error as? SearchEnd { throw end }
    try skip(
      address, because: Self.reason(error, address), mayBeStore: mayBeStore, owner: owner,
      isContainer: isContainer)
  }

  /// What was found or skipped, by its file or its container: an address that was passed leads into what another one covers,
  /// and two paths may lead to one file.
  private var named: [FoundFile: Set<Address>] = [:]

  /// Hands over what was found, unless it was.
  /// - Parameters:
  ///   - problem: why it can't be shown as it is; nil if it can.
  ///   - digest: opens it; nil if it is no store of Core Data.
  func find(_ place: FoundPlace, problem: String? = nil, _ digest: () throws -> StoreDigest?) throws {
    let facts = receiver.candidate == nil ? try digest() : nil
    guard facts != nil || receiver.candidate != nil else { return }
    if let problem { return try skip(place.address, because: problem, owner: place.owner) }
    guard isNewlyNamed(place.address) else { return }
    try receiver.candidate?(place)
    if let facts { try receiver.found(FoundStore(place: place, facts: facts)) }
  }

  private func isNewlyNamed(_ address: String, _ reason: String = "") -> Bool {
    let parsed = StoreAddress(address)
    guard let file = parsed.map({ FoundFile(container: $0.container) }) ?? FoundFile(address) else {
      return true
    }
    return named[file, default: []].insert(Address("\(parsed?.path ?? "")\0\(reason)")).inserted
  }

  // MARK: - Folders

  private struct Place {
    let path: String
    let depth: Int
    let around: StoreKeeper
  }

  /// More than any container has.
  private static let deepest = 64

  private func lookThroughFolder(_ path: String) throws {
    let virtual = Set(["/proc", "/sys", "/dev"].compactMap { FileIdentity($0) })
    var places = [Place(path: path, depth: 0, around: StoreKeeper(above: path))]
    while let place = places.popLast() {
      try Interruption.check()
      receiver.progress("looking through \(place.path)")
      let names: [String]
      do { names = try FileReader.names(in: place.path, limit: .max) } catch {
        try skip(place.path, error, mayBeStore: false, isContainer: true)
        continue
      }
      if DeviceBackup.isBackup(place.path) {
        guard isNew(place.path) else { continue }
        if try BackupSearch(self, place.path).run() { continue }
      }
      let around = place.around.entering(place.path, names)
      var folders: [Place] = []
      for name in names where !MemberPath.isCompanion(name) {
        let path = place.path == "/" ? "/\(name)" : "\(place.path)/\(name)"
        // What a link leads to is found where it is.
        guard let status = FileStatus(ofLink: path) else { continue }
        do {
          if try isLeftInCloud(path, status, around.owner) { continue }
          if status.kind == .folder, !Candidate.isPartOfStore(name), !virtual.contains(status.identity) {
            if place.depth < Self.deepest {
              folders.append(Place(path: path, depth: place.depth + 1, around: around))
            } else {
              try skip(
                path, because: "it is nested too deeply", mayBeStore: false, isContainer: true)
            }
          } else if status.kind == .file {
            try lookAtFile(path, size: status.size, around)
          }
        } catch { try skip(path, error, owner: around.owner, isContainer: Candidate.isArchive(path)) }
      }
      places += folders.reversed()
    }
  }

  private static let inCloud =
    "is in iCloud only, and reading it would download it; download it in Finder, and search again"

  /// Names what may be a store, a part of one, or an archive, and counts the rest.
  private func isLeftInCloud(_ path: String, _ status: FileStatus, _ owner: Owner) throws -> Bool {
    if isElsewhere(status) {
      let isContainer = status.kind == .folder || Candidate.isArchive(path)
      if isContainer || Candidate.isCalledLikeStore(path) {
        try skip(
          path, because: "it \(Self.inCloud)", mayBeStore: status.kind == .file, owner: owner,
          isContainer: isContainer)
      } else {
        elsewhere += 1
      }
      return true
    }
    guard status.kind == .file, Candidate.isLikely(path, size: status.size) else { return false }
    for suffix in SideFiles.suffixes where suffix != "-shm" {
      if let side = FileStatus(ofLink: path + suffix), isElsewhere(side) {
        try skip(path, because: "its \(suffix) \(Self.inCloud)", owner: owner)
        return true
      }
    }
    return false
  }

  /// Any file may be an archive, which its first bytes show. Not what SQLite keeps next to a database.
  private func lookAtFile(_ path: String, size: Int64, _ around: StoreKeeper) throws {
    if let error = Self.emptyArchive(path) { return try skip(path, error, isContainer: true) }
    let isLikely = Candidate.isLikely(path, size: size)
    guard isLikely || size >= Candidate.smallestArchive && SideFiles.owner(of: path) == nil else { return }
    let beginning: [UInt8]
    do { beginning = try FileReader.beginning(of: path, count: Archive.beginning).bytes } catch {
      // What nothing speaks for isn't named if it can't be read.
      let isArchive = Candidate.isArchive(path)
      if isLikely || isArchive { try skip(path, error, owner: around.owner, isContainer: isArchive) }
      return
    }
    if let format = Archive.format(beginning) {
      // Of compressed files that aren't called so, most are no archives, such as logs.
      let isCalledSo = Candidate.isArchive(path) || Candidate.mayBePackedStore(path)
      guard isCalledSo || format == .zip || Archive.hasMember(path) else { return }
      if isNew(path) { try ArchiveSearch(self, path, format).run() }
    } else if isLikely {
      try lookAtFile(path, around)
    }
  }

  /// What is wrong with a file that is called like an archive and has no byte; nil for others. Downloads begin so.
  package static func emptyArchive(_ path: String) -> StoreScopeError? {
    guard Candidate.isArchive(path), FileReader.kind(of: path) == .file, FileReader.size(of: path) == 0 else {
      return nil
    }
    return .unreadable(
      path, "it is an empty file (0 bytes)", kind: .foreign, advice: "Was the download complete?")
  }

  /// Whether a container wasn't searched yet: two paths may lead to one.
  private func isNew(_ container: String) -> Bool {
    guard let identity = FileIdentity(following: container) else { return true }
    let inner = scope.flatMap { PathText.rest(of: $0, behind: container) }
    let done = searched[identity] ?? []
    searched[identity] = done.union([inner])
    return !done.contains(nil) && !done.contains(inner)
  }

  private func lookAtFile(_ path: String, _ around: StoreKeeper) throws {
    let (beginning, size) = try FileReader.beginning(of: path, count: Archive.beginning)
    let hasWAL = FileReader.size(of: path + "-wal") ?? 0 > 0
    // Of an empty file all may be in its -wal.
    guard StoreHeader.begins(beginning) || size == 0 && hasWAL else {
      if let problem = Candidate.problem(path, beginning, size: Int64(size)) {
        try skip(path, because: problem, mayBeStore: false, owner: around.owner)
      }
      return
    }
    if let page = StoreHeader.firstPageSize(beginning),
      !hasWAL, StoreHeader.hasOnlyOtherTables(try FileReader.beginning(of: path, count: page).bytes)
    {
      return receiver.left(FoundPlace(address: path, owner: around.owner))
    }
    guard let file = FoundFile(path), known.insert(file).inserted else { return }
    if let address = try DeviceBackup.address(ofFile: path, password: password) {
      return try search(address.description)
    }
    receiver.progress("opening \(path)")
    let place = FoundPlace(
      address: path, container: around.container, owner: around.owner, appVersion: around.appVersion,
      device: around.device)
    do { try find(place) { try StoreDigest(path: path) } } catch {
      try skip(path, error, owner: around.owner)
    }
  }

  /// Why something can't be read, a clause of its own. A problem that goes on after its subject gets one.
  private static func reason(_ error: any Error, _ address: String) -> String {
    guard let error = (error as? SQLiteError)?.failure(reading: address) ?? error as? StoreScopeError else {
      return "\(error)"
    }
    let isPredicate = error.subject.map { error.clause == "'\($0)' \(error.remark)" } ?? false
    return ([isPredicate ? "it \(error.remark)" : error.remark] + error.list).joined(separator: " ")
  }
}

/// What several paths may lead to, so that it is looked at once.
private struct FoundFile: Hashable {
  private let identity: FileIdentity
  /// Without links. A store's -wal is looked for where the store is: another hard link to its file may have another one, or
  /// none, and is a store in another state. Nil for containers, which have all in them.
  private let place: String?

  /// Nil if there is nothing.
  init?(_ path: String) {
    guard let identity = FileIdentity(following: path) else { return nil }
    (self.identity, place) = (identity, Platform.realPath(path))
  }

  init?(container: String) {
    guard let identity = FileIdentity(following: container) else { return nil }
    (self.identity, place) = (identity, nil)
  }
}

/// Thrown by who has found enough.
package struct SearchEnd: Error {
  package init() {}
}
