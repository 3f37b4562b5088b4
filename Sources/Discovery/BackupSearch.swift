import Base
package import Evidence

/// Looks for stores in a backup of a device.
struct BackupSearch {
  private let finder: StoreFinder
  /// The backup's folder, or the archive it is in and its folder there.
  private let container: String
  private let inner: String?

  init(_ finder: StoreFinder, _ folder: String) {
    self.finder = finder
    container = folder
    inner = nil
  }

  /// - Parameter folder: empty if the archive itself is the backup.
  init(_ finder: StoreFinder, packedIn archive: String, _ folder: String) {
    self.finder = finder
    container = archive
    inner = folder
  }

  private var shownPath: String {
    inner.map { $0.isEmpty ? container : "\(container)!/\($0)" } ?? container
  }

  /// - Returns: false if it is none, or can't be read: its files are there all the same.
  func run() throws -> Bool {
    finder.receiver.progress("reading \(shownPath)")
    let backup: DeviceBackup
    var packed: PackedBackup?
    do {
      if let inner {
        packed = try PackedBackup(container, folder: inner, password: finder.password)
        guard let packed else { return false }
        backup = packed.backup
      } else {
        backup = try DeviceBackup(container, password: finder.password)
      }
      guard try backup.hasList else { return false }
    } catch {
      try finder.skip(shownPath, error, isContainer: true)
      return (error as? StoreScopeError)?.kind == .refused
    }
    do {
      var items: [DeviceBackup.Item] = []
      /// What SQLite keeps next to a database, by the database's address.
      var sides: [String: [DeviceBackup.Item]] = [:]
      var count = 0
      try backup.forEachItem { item in
        try Interruption.check()
        count += 1
        if count % 1000 == 0 { finder.receiver.progress("reading \(shownPath), \(count) files") }
        let address = address(item)
        guard finder.covers(address) else { return true }
        if let main = SideFiles.owner(of: address) {
          sides[main, default: []].append(item)
        } else if Candidate.isLikely(item.path, size: item.size) {
          guard PathText.first(item.domain) == nil, MemberPath.normalized(item.path) == item.path else {
            try finder.skip(
              LongName.cut(address), because: MemberPath.problem(item.path, in: "backup"),
              owner: .ofDomain(item.domain))
            return true
          }
          items.append(item)
        }
        return true
      }
      finder.receiver.progress("unpacking databases of \(shownPath)")
      try packed?.unpack(items + items.flatMap { sides[address($0)] ?? [] }) { item, page in
        Self.mayHaveLog(sides[address(item)] ?? []) || !StoreHeader.hasOnlyOtherTables(page)
      }
      for item in items {
        try Interruption.check()
        let own = sides[address(item)] ?? []
        do { if try mayBeStore(item, own, in: backup) { try look(at: item, own, in: backup) } } catch {
          try finder.skip(address(item), error, owner: .ofDomain(item.domain))
        }
      }
    } catch { try finder.skip(shownPath, error, isContainer: true) }
    return true
  }

  private static func mayHaveLog(_ sides: [DeviceBackup.Item]) -> Bool {
    sides.contains { $0.path.hasSuffix("-wal") && $0.size != 0 }
  }

  private func mayBeStore(
    _ item: DeviceBackup.Item, _ sides: [DeviceBackup.Item], in backup: DeviceBackup
  ) throws -> Bool {
    let beginning = try backup.beginning(of: item, Archive.beginning)
    if let page = StoreHeader.firstPageSize(beginning) {
      // Its tables may be in its -wal.
      if try Self.mayHaveLog(sides)
        || !StoreHeader.hasOnlyOtherTables(backup.beginning(of: item, page))
      {
        return true
      }
      finder.receiver.left(FoundPlace(address: address(item), owner: .ofDomain(item.domain)))
      return false
    }
    if let problem = Candidate.problem(item.path, beginning, size: item.size) {
      try finder.skip(
        address(item), because: problem, mayBeStore: false, owner: .ofDomain(item.domain))
    }
    return false
  }

  private func look(at item: DeviceBackup.Item, _ sides: [DeviceBackup.Item], in backup: DeviceBackup) throws
  {
    finder.receiver.progress("opening \(address(item))")
    let place = FoundPlace(inBackup: address(item), item.domain, item.path, fileID: item.fileID)
    // Whoever opens it elsewhere takes it out there.
    if finder.receiver.candidate != nil { return try finder.find(place) { nil } }
    let workplace = try PrivateFolder()
    let name = Platform.fileName(item.path)
    try backup.copy(item, to: name, in: workplace)
    var missing: [String] = []
    var lostWAL: String?
    for side in sides {
      // Its own name may have the same letters in another of Unicode's forms.
      let suffix = SideFiles.suffixes.first(where: side.path.hasSuffix) ?? ""
      if backup.lacks(side) {
        // Nobody needs the -shm: it is made again.
        guard suffix != "-shm" else { continue }
        let problem = "its \(suffix) is missing from the backup ('\(backup.shownName(of: side))')"
        if suffix == "-wal" { lostWAL = problem }
        missing.append("\(problem): the store is listed without it")
        continue
      }
      try backup.copy(side, to: name + suffix, in: workplace)
    }
    try finder.find(place) {
      let facts = try StoreDigest(path: place.address, at: workplace.path(of: name), lostWAL: lostWAL)
      if facts != nil {
        for reason in missing {
          try finder.skip(place.address, because: reason, mayBeStore: false, owner: place.owner)
        }
      }
      return facts
    }
  }

  private func address(_ item: DeviceBackup.Item) -> String {
    let inner = inner.flatMap { $0.isEmpty ? nil : $0 }
    return StoreAddress(container: container, inner: inner, path: "\(item.domain)/\(item.path)").description
  }
}

extension FoundPlace {
  fileprivate init(inBackup address: String, _ domain: String, _ path: String, fileID: String? = nil) {
    self.init(
      address: address, container: .backup, owner: .ofDomain(domain), domain: domain,
      devicePath: DevicePath.inBackup(domain, path), fileID: fileID)
  }

  /// As a search of the backup finds it, without one; nil if the address leads to none of Finder's folders.
  package init?(inBackup address: StoreAddress) {
    guard DeviceBackup.isBackup(address.container), let (domain, path) = PathText.first(address.path) else {
      return nil
    }
    self.init(inBackup: address.description, domain, path)
  }
}

/// Where backups of devices lie in an archive, as the paths of its members show.
struct PackedBackupFolders {
  /// Lists of files and of keys, by the folders they lie in.
  private var lists: [String: Set<String>] = [:]
  /// Folders with files that are named by their hashes.
  private var hashed: Set<String> = []
  /// A stranger's archive can have millions.
  private static let most = 10_000

  mutating func note(_ path: String) {
    if let (folder, list) = DeviceBackup.folder(ofListAt: path) {
      lists[folder, default: []].insert(list)
    } else if hashed.count < Self.most, let folder = DeviceBackup.folder(ofFileAt: path),
      PathText.split(path).folder != folder
    {
      hashed.insert(folder)
    }
  }

  /// An empty text stands for the archive itself.
  var all: [String] { lists.keys.filter(has).sorted() }

  /// Whether the path is that of a backup's file, which has a hash for its name.
  func hasFile(_ path: String) -> Bool { DeviceBackup.folder(ofFileAt: path).map(has) ?? false }

  /// Whether the path is that of a backup's list.
  func hasList(_ path: String) -> Bool { DeviceBackup.folder(ofListAt: path).map { has($0.folder) } ?? false }

  private func has(_ folder: String) -> Bool {
    guard let lists = lists[folder] else { return false }
    return DeviceBackup.isBackup(has: lists.contains) { hashed.contains(folder) }
  }
}
