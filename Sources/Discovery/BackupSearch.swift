import Containers
import Evidence
import SystemCalls
import Values

/// Looks for stores in a backup of a device.
struct BackupSearch {
  private let finder: StoreFinder
  private let folder: String

  init(_ finder: StoreFinder, _ folder: String) {
    self.finder = finder
    self.folder = folder
  }

  /// - Returns: false if it is none, or can't be read: its files are there all the same.
  func run() throws -> Bool {
    finder.receiver.progress("reading \(folder)")
    let backup: DeviceBackup
    do {
      backup = try DeviceBackup(folder, password: finder.password)
      guard try backup.hasList else { return false }
    } catch {
      try finder.skip(folder, error)
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
        if count % 1000 == 0 { finder.receiver.progress("reading \(folder), \(count) files") }
        let address = address(item)
        guard finder.covers(address) else { return true }
        if let main = SideFiles.owner(of: address) {
          sides[main, default: []].append(item)
        } else if Candidate.isLikely(item.path, size: item.size) {
          guard PathText.first(item.domain) == nil, MemberPath.normalized(item.path) == item.path else {
            try finder.skip(address, because: "its path leads out of the backup")
            return true
          }
          items.append(item)
        }
        return true
      }
      for item in items {
        try Interruption.check()
        let own = sides[address(item)] ?? []
        do { if try mayBeStore(item, own, in: backup) { try look(at: item, own, in: backup) } } catch {
          try finder.skip(address(item), error)
        }
      }
    } catch { try finder.skip(folder, error) }
    return true
  }

  private func mayBeStore(
    _ item: DeviceBackup.Item, _ sides: [DeviceBackup.Item], in backup: DeviceBackup
  ) throws -> Bool {
    let beginning = try backup.beginning(of: item, Archive.beginning)
    if let page = StoreHeader.firstPageSize(beginning) {
      // Its tables may be in its -wal.
      return try sides.contains { $0.path.hasSuffix("-wal") && $0.size != 0 }
        || !StoreHeader.hasOnlyOtherTables(backup.beginning(of: item, page))
    }
    if let problem = Candidate.problem(item.path, beginning, size: item.size) {
      try finder.skip(address(item), because: problem)
    }
    return false
  }

  private func look(at item: DeviceBackup.Item, _ sides: [DeviceBackup.Item], in backup: DeviceBackup) throws
  {
    finder.receiver.progress("opening \(address(item))")
    let workplace = try PrivateFolder()
    let name = Platform.fileName(item.path)
    try backup.copy(item, to: name, in: workplace)
    for side in sides {
      // Its own name may have the same letters in another of Unicode's forms.
      let suffix = SideFiles.suffixes.first(where: side.path.hasSuffix) ?? ""
      try backup.copy(side, to: name + suffix, in: workplace)
    }
    guard let facts = try StoreDigest(path: workplace.path(of: name)) else { return }
    try finder.find(
      FoundStore(
        address: address(item), container: .backup, owner: Self.owner(item.domain), domain: item.domain,
        devicePath: DevicePath.inBackup(item.domain, item.path), facts: facts))
  }

  private func address(_ item: DeviceBackup.Item) -> String {
    StoreAddress(container: folder, path: "\(item.domain)/\(item.path)").description
  }

  /// `AppDomain-com.example.Journeys`, `AppDomainGroup-group.com.example`, `AppDomainPlugin-com.example.Widget`
  private static func owner(_ domain: String) -> Owner {
    guard let dash = domain.firstIndex(of: "-") else { return .nobody }
    let name = String(domain[domain.index(after: dash)...])
    switch domain[..<dash] {
    case "AppDomainGroup": return .group(name)
    case "AppDomain", "AppDomainPlugin": return .app(name)
    default: return .nobody
    }
  }
}
