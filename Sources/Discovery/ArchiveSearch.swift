import Containers
import Evidence
import SQLite
import SystemCalls
import Values

/// Looks for stores in a zip or tar file, which is read once from beginning to end: databases are copied into a folder of
/// ours as they come by, with their -wal and -journal, and looked at there.
struct ArchiveSearch {
  private let finder: StoreFinder
  private let path: String
  private let format: ArchiveReader.Format
  /// The archive that this one is in, and its path there.
  private let outer: (path: String, member: String)?

  init(
    _ finder: StoreFinder, _ path: String, _ format: ArchiveReader.Format, outer: (String, String)? = nil
  ) {
    self.finder = finder
    self.path = path
    self.format = format
    self.outer = outer
  }

  private var shownPath: String { outer.map { "\($0.path)!/\($0.member)" } ?? path }

  /// What was taken out.
  private struct Haul {
    let folder: PrivateFolder
    var stores: [(path: String, part: String)] = []
    var archives: [(path: String, part: String, format: ArchiveReader.Format)] = []
    /// Identifiers by the folder that they are noted in.
    var owners: [String: String] = [:]
    /// Paths of what was taken.
    var known: Set<String> = []
    /// Paths of databases that aren't Core Data's.
    var left: Set<String> = []
    private var places: [String: Int] = [:]

    init(folder: PrivateFolder) { self.folder = folder }

    /// Where a file is put: files of one folder together, and no folder deeper than another.
    mutating func part(_ path: String) -> String {
      let name = Platform.fileName(path)
      let parent = String(Substring(path.utf8.dropLast(name.utf8.count)))
      let number = places[parent] ?? places.count
      places[parent] = number
      return "\(number)/\(name)"
    }
  }

  func run() throws {
    var haul = Haul(folder: try PrivateFolder())
    do { try collect(&haul) } catch let error as StoreScopeError {
      // What came before the damage counts.
      try finder.skip(shownPath, error)
    }
    for store in haul.stores {
      let address = self.address(store.path)
      finder.receiver.progress("opening \(address)")
      do {
        if let facts = try StoreDigest(path: haul.folder.path(of: store.part)) {
          try finder.receiver.found(
            FoundStore(
              address: address, container: format == .zip ? .zip : .tar,
              owner: owner(of: store.path, haul.owners), domain: nil,
              devicePath: DevicePath.inArchive(store.path), facts: facts))
        }
      } catch { try finder.skip(address, error) }
      haul.folder.remove(store.part)
    }
    for archive in haul.archives {
      try ArchiveSearch(
        finder, haul.folder.path(of: archive.part), archive.format, outer: (path, archive.path)
      ).run()
      haul.folder.remove(archive.part)
    }
  }

  private func address(_ member: String) -> String {
    StoreAddress(container: outer?.path ?? path, inner: outer?.member, path: member).description
  }

  private func collect(_ haul: inout Haul) throws {
    finder.receiver.progress("reading \(shownPath)")
    let reader = try ArchiveReader(path, name: shownPath)
    var count = 0
    while let member = try reader.next() {
      count += 1
      if count % 1000 == 0 { finder.receiver.progress("reading \(shownPath), \(count) entries") }
      guard member.kind == .file, isOfInterest(member) else { continue }
      guard let path = MemberPath.normalized(member.path) else {
        try finder.skip("\(shownPath)!/\(member.path)", because: "its path leads out of the archive")
        continue
      }
      do { try look(at: member, path, reader, &haul) } catch let error as StoreScopeError
        where error.kind != .damaged
      {
        try finder.skip(address(path), error)
      }
    }
  }

  /// The names of most members are enough to pass them by.
  private func isOfInterest(_ member: ArchiveReader.Member) -> Bool {
    let name = Platform.fileName(member.path)
    guard
      Candidate.isLikely(name, size: member.size) || SideFiles.owner(of: name) != nil
        || outer == nil && Candidate.isArchive(name) || ContainerOwner.fileNames.contains(name)
    else { return false }
    return !MemberPath.isCompanion(member.path)
  }

  private func look(
    at member: ArchiveReader.Member, _ path: String, _ reader: ArchiveReader, _ haul: inout Haul
  ) throws {
    let name = Platform.fileName(path)
    if ContainerOwner.fileNames.contains(name) {
      let bytes = try reader.beginning(ContainerOwner.largest)
      haul.owners[String(path.dropLast(name.utf8.count + 1))] = ContainerOwner.identifier(bytes)
      return
    }
    let isArchive = outer == nil && Candidate.isArchive(name)
    let main = SideFiles.owner(of: path)
    guard finder.covers(address(path), isArchive: isArchive) else { return }
    // What comes behind a database that was left belongs to none of ours.
    if let main, name.hasSuffix("-shm") || haul.left.contains(main) { return }
    guard !member.isEncrypted else {
      if main == nil { try finder.skip(address(path), because: "it is encrypted") }
      return
    }
    var beginning = try reader.beginning(ArchiveReader.beginning)
    let inner = isArchive ? ArchiveReader.format(beginning) : nil
    if main == nil, inner == nil {
      guard let page = StoreHeader.firstPageSize(beginning) else {
        if let problem = Candidate.problem(name, beginning, size: member.size) {
          try finder.skip(address(path), because: problem)
        }
        return
      }
      beginning += try reader.beginning(max(page - beginning.count, 0))
      if StoreHeader.hasOnlyOtherTables(beginning) {
        haul.left.insert(path)
        return
      }
    }
    guard haul.known.insert(path).inserted else {
      throw StoreScopeError(.refused, path, "is there twice, and nothing shows which one is right")
    }
    let part = haul.part(path)
    try take(member, beginning, reader, to: part, haul.folder)
    if let inner {
      haul.archives.append((path, part, inner))
    } else if main == nil {
      if mayBeStore(part, haul.folder) {
        haul.stores.append((path, part))
      } else {
        haul.left.insert(path)
        haul.folder.remove(part)
      }
    }
  }

  /// - Parameter beginning: what was read of it already.
  private func take(
    _ member: ArchiveReader.Member, _ beginning: [UInt8], _ reader: ArchiveReader, to part: String,
    _ folder: PrivateFolder
  ) throws {
    var first = beginning[...]
    try folder.receive(part, limit: folder.space, modified: member.modified) { buffer in
      guard first.isEmpty else {
        let count = min(first.count, buffer.count)
        buffer.copyBytes(from: first.prefix(count))
        first = first.dropFirst(count)
        return count
      }
      return try reader.read(into: buffer)
    }
  }

  /// Whether the database is Core Data's, or one without a table so far: the tables of a new store are in its -wal, which
  /// may still come. One that can't be read is looked at again at the end, and named.
  private func mayBeStore(_ part: String, _ folder: PrivateFolder) -> Bool {
    do {
      let connection = try StoreOpener.open(path: folder.path(of: part)).connection
      return try connection.hasTable("Z_METADATA") || connection.value("SELECT 1 FROM sqlite_master") == nil
    } catch { return true }
  }

  private func owner(of path: String, _ owners: [String: String]) -> Owner {
    var folder = path
    while let slash = folder.lastIndex(of: "/") {
      folder = String(folder[..<slash])
      if let name = owners[folder] {
        return Owner(identifier: name, isGroup: folder.split(separator: "/").dropLast().last == "AppGroup")
      }
    }
    return .nobody
  }
}

/// Where a file was on the device.
enum DevicePath {
  /// Tools pack the whole file system, or call its two volumes by numbers; nil for other archives.
  static func inArchive(_ path: String) -> String? {
    if path.hasPrefix("private/var/") { return "/\(path)" }
    for (folder, place) in [("filesystem2/", "/private/var/"), ("filesystem1/", "/")] {
      guard let range = path.firstRange(of: folder) else { continue }
      if range.lowerBound == path.startIndex || path[path.index(before: range.lowerBound)] == "/" {
        return place + path[range.upperBound...]
      }
    }
    return nil
  }

  private static let homes = [
    "HomeDomain", "MediaDomain", "CameraRollDomain", "HealthDomain", "HomeKitDomain",
  ]

  /// Nil for containers of apps: their folders have numbers that a backup doesn't note.
  static func inBackup(_ domain: String, _ path: String) -> String? {
    homes.contains(domain) ? "/private/var/mobile/\(path)" : nil
  }
}
