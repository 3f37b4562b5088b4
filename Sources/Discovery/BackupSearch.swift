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

  func run() throws {
    finder.receiver.progress("reading \(folder)")
    do {
      let backup = try DeviceBackup(folder, password: finder.password)
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
          do { if try mayBeStore(item, in: backup) { items.append(item) } } catch {
            try finder.skip(address, error)
          }
        }
        return true
      }
      for item in items {
        do { try look(at: item, sides[address(item)] ?? [], in: backup) } catch {
          try finder.skip(address(item), error)
        }
      }
    } catch let error as StoreScopeError { try finder.skip(folder, error) }
  }

  private func mayBeStore(_ item: DeviceBackup.Item, in backup: DeviceBackup) throws -> Bool {
    let beginning = try backup.beginning(of: item, ArchiveReader.beginning)
    if let page = StoreHeader.firstPageSize(beginning) {
      return !StoreHeader.hasOnlyOtherTables(try backup.beginning(of: item, page))
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
    for part in [item] + sides {
      try backup.copy(part, to: Platform.fileName(part.path), in: workplace)
    }
    guard let facts = try StoreDigest(path: workplace.path(of: Platform.fileName(item.path))) else { return }
    try finder.receiver.found(
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
