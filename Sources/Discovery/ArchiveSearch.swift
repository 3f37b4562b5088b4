import Base
import Evidence
import SQLite
import StoreModel

/// Looks for stores in a zip or tar file: databases are copied into a folder of ours as they come by, with their -wal and
/// -journal, and looked at there.
struct ArchiveSearch {
  private let finder: StoreFinder
  private let path: String
  private let format: Archive.Format
  /// The archive that this one is in, and its path there.
  private let outer: (path: String, member: String)?

  init(_ finder: StoreFinder, _ path: String, _ format: Archive.Format, outer: (String, String)? = nil) {
    self.finder = finder
    self.path = path
    self.format = format
    self.outer = outer
  }

  private var shownPath: String { outer.map { "\($0.path)!/\($0.member)" } ?? path }

  func run() throws {
    var haul = ArchiveHaul(folder: try PrivateFolder())
    do { try collect(&haul) } catch let error as StoreScopeError {
      // What came before the damage counts.
      try finder.skip(shownPath, error, isContainer: true)
    }
    for store in haul.taken where store.inner == nil && haul.isWhole(store.path) {
      let address = self.address(store.path)
      finder.receiver.progress("opening \(address)")
      let place = FoundPlace(
        address: address, container: format == .zip ? .zip : .tar, owner: haul.owner(of: store.path),
        devicePath: DevicePath.inArchive(store.path))
      do {
        let lostWAL = haul.lost[store.path] == "-wal" ? "its -wal is cut off or damaged in the archive" : nil
        // Without all of its files it would be shown as it never was.
        try finder.find(place, problem: haul.problems[store.path]) {
          try StoreDigest(path: address, at: haul.folder.path(of: store.part), lostWAL: lostWAL)
        }
      } catch { try finder.skip(address, error, owner: place.owner) }
      haul.folder.remove(store.part)
    }
    try searchBackups(haul)
    for archive in haul.taken {
      guard let inner = archive.inner else { continue }
      if let problem = haul.problems[archive.path] {
        try finder.skip(address(archive.path), because: problem, isContainer: true)
        haul.folder.remove(archive.part)
        continue
      }
      do {
        try ArchiveSearch(
          finder, haul.folder.path(of: archive.part), inner, outer: (path, archive.path)
        ).run()
      } catch let error as StoreScopeError {
        try finder.skip(address(archive.path), error, isContainer: true)
      }
      haul.folder.remove(archive.part)
    }
  }

  private func searchBackups(_ haul: ArchiveHaul) throws {
    for folder in haul.backups.all {
      let shown = folder.isEmpty ? shownPath : address(folder)
      guard finder.covers(shown, isArchive: true) else { continue }
      if outer == nil {
        _ = try BackupSearch(finder, packedIn: path, folder).run()
      } else {
        try finder.skip(
          shown, because: "it is a backup of a device, two archives deep; \(unpackingOuter)",
          isContainer: true)
      }
    }
  }

  private func address(_ member: String) -> String {
    StoreAddress(container: outer?.path ?? path, inner: outer?.member, path: member).description
  }

  /// What leads to what is nested too deeply.
  private var unpackingOuter: String {
    let (archive, inner) = outer ?? (path, "")
    let format = Archive.format(ofFile: archive) ?? .tar
    return
      "unpack the outer archive first: \(format.unpacking(archive)), then: storescope find \(ShellQuotes.word(inner))"
  }

  private static let encrypted =
    "is encrypted, and --password opens only backups; unpack the archive with its password, such as by 7z, and search the folder"

  // MARK: - Collecting

  private func collect(_ haul: inout ArchiveHaul) throws {
    finder.receiver.progress("reading \(shownPath)")
    let archive = try Archive(path, name: shownPath)
    var count = 0
    try archive.forEachMember { member in
      count += 1
      if count % 1000 == 0 { finder.receiver.progress("reading \(shownPath), \(count) entries") }
      return try turn(of: member, &haul, isListed: archive.isListed)
    } _: { member, content in
      guard let path = MemberPath.normalized(member.path) else { return }
      do { try look(at: member, path, content, &haul, isListed: archive.isListed) } catch let error
        as StoreScopeError
      {
        let main = SideFiles.owner(of: path)
        if error.kind == .damaged {
          if let main { haul.lost[main] = PathText.rest(of: path, behind: main) }
          // One line for both: nothing behind it can be read.
          throw StoreScopeError(
            .damaged, "'\(path)' and what follows it in the archive can't be read: \(error.remark)")
        } else if let main {
          haul.problems[main] =
            "its \(PathText.rest(of: path, behind: main) ?? "") can't be read: \(error.remark)"
        } else {
          try finder.skip(
            address(path), error, owner: haul.owner(of: path), isContainer: Candidate.isArchive(path))
        }
      }
    }
  }

  /// The names and sizes of most members are enough to pass them by.
  private func turn(of member: ArchiveMember, _ haul: inout ArchiveHaul, isListed: Bool) throws
    -> Archive.Turn
  {
    let name = Platform.fileName(member.path)
    let main = SideFiles.owner(of: name)
    let isNote = ContainerOwner.fileNames.contains(name)
    // Without its list a backup's files are named one by one.
    if member.kind == .file, !member.isEncrypted, let path = MemberPath.normalized(member.path) {
      haul.backups.note(path)
    }
    let isArchive = Candidate.isArchive(name)
    guard main != nil || isNote || isArchive || Candidate.isLikely(name, size: member.size),
      main != nil || member.kind == .file, member.kind != .folder, !MemberPath.isCompanion(member.path)
    else { return .never }
    guard let path = MemberPath.normalized(member.path) else {
      try finder.skip(
        "\(shownPath)!/\(LongName.cut(member.path))", because: MemberPath.problem(member.path, in: "archive"))
      return .never
    }
    guard finder.covers(address(path), isArchive: isArchive) || isNote else { return .never }
    if isArchive, outer != nil {
      try finder.skip(
        address(path), because: "it is three archives deep, and two are searched; \(unpackingOuter)",
        mayBeStore: false, isContainer: true)
      return .never
    }
    if isNote { return .first }
    guard haul.known.insert(path).inserted else {
      haul.problems[main ?? path] = "'\(path)' is there twice, and nothing shows which one is right"
      return main == nil && !isListed ? .first : .never
    }
    guard let main else { return .first }
    if member.kind != .file {
      haul.problems[main] = "'\(path)' is a link, which isn't followed"
      return .never
    }
    if isListed, name.hasSuffix("-wal"), member.size != 0 { haul.logged.insert(main) }
    return .last
  }

  private func look(
    at member: ArchiveMember, _ path: String, _ content: any MemberContent, _ haul: inout ArchiveHaul,
    isListed: Bool
  ) throws {
    let (folder, name) = PathText.split(path)
    if ContainerOwner.fileNames.contains(name) {
      haul.owners.note(
        try ContainerOwner.identifier(content.beginning(ContainerOwner.largest)), in: folder ?? "")
      return
    }
    // Named by its hash it is nothing: the backup's list shows what it is.
    if haul.backups.hasFile(path) { return }
    let main = SideFiles.owner(of: path)
    // What comes behind a database that was left belongs to none of ours.
    if let main, haul.left.contains(main) || isListed && !haul.hasTaken(main) {
      return
    }
    guard !member.isEncrypted else {
      if let main {
        haul.problems[main] = "'\(path)' \(Self.encrypted)"
      } else {
        try skip(path, because: "it \(Self.encrypted)", haul)
      }
      return
    }
    if let main {
      if !name.hasSuffix("-shm") {
        let suffix = PathText.rest(of: path, behind: main) ?? ""
        try take(member, [], content, to: haul.part(main) + suffix, haul.folder)
      }
      return
    }
    var beginning = try content.beginning(Archive.beginning)
    if outer == nil, Candidate.isArchive(name), let inner = Archive.format(beginning) {
      if try isRefused(path, haul) { return }
      let part = haul.part(path)
      try take(member, beginning, content, to: part, haul.folder)
      return haul.add(path, part, inner)
    }
    guard let page = StoreHeader.firstPageSize(beginning) else {
      if let problem = Candidate.problem(name, beginning, size: member.size) {
        try skip(path, because: problem, haul, mayBeStore: false)
      }
      return
    }
    beginning += try content.beginning(max(page - beginning.count, 0))
    guard StoreHeader.canBeFirstPage(beginning) else {
      return try skip(
        path,
        because:
          "it begins like an SQLite database, and is damaged; restore a backup, or take it out of the archive and try sqlite3's .recover",
        haul)
    }
    // Its tables may be in its -wal. If that may still come, it is kept to the end.
    let mayHaveLog = isListed ? haul.logged.contains(path) : StoreHeader.usesWAL(beginning)
    guard mayHaveLog || !StoreHeader.hasOnlyOtherTables(beginning) else { return leave(path, &haul) }
    if try isRefused(path, haul) { return }
    let part = haul.part(path)
    try take(member, beginning, content, to: part, haul.folder)
    if mayHaveLog || mayBeStore(part, haul.folder) {
      haul.add(path, part)
    } else {
      leave(path, &haul)
      haul.folder.remove(part)
    }
  }

  /// Goes on without a database that isn't Core Data's.
  private func leave(_ path: String, _ haul: inout ArchiveHaul) {
    haul.left.insert(path)
    finder.receiver.left(FoundPlace(address: address(path), owner: haul.owner(of: path)))
  }

  private func skip(
    _ path: String, because reason: String, _ haul: ArchiveHaul, mayBeStore: Bool = true
  ) throws {
    try finder.skip(
      address(path), because: reason, mayBeStore: mayBeStore, owner: haul.owner(of: path),
      isContainer: Candidate.isArchive(path))
  }

  /// Whether there is another file of that name, or something else is wrong with it. The problem of what was taken is named
  /// at the end.
  private func isRefused(_ path: String, _ haul: ArchiveHaul) throws -> Bool {
    guard let problem = haul.problems[path] else { return false }
    if !haul.hasTaken(path) { try skip(path, because: problem, haul) }
    return true
  }

  /// - Parameter beginning: what was read of it already.
  private func take(
    _ member: ArchiveMember, _ beginning: [UInt8], _ content: any MemberContent, to part: String,
    _ folder: PrivateFolder
  ) throws {
    try folder.receive(
      part, modified: member.modified ?? archiveModified, content.reader(behind: beginning))
  }

  /// At the latest a member was changed when it was packed. In seconds since 1970.
  private var archiveModified: Int64? { FileStatus(path).map { $0.modified / 1_000_000_000 } }

  /// Whether the database is Core Data's, or one without a table so far: the tables of a new store are in its -wal, which
  /// may still come. One that can't be read is looked at again at the end, and named.
  private func mayBeStore(_ part: String, _ folder: PrivateFolder) -> Bool {
    do {
      let connection = try StoreOpener.open(path: folder.path(of: part)).connection
      return try StoreMetadata.read(from: connection) != nil
        || connection.value("SELECT 1 FROM sqlite_master") == nil
    } catch { return true }
  }
}
