import Base

/// A backup of a device that somebody packed into an archive: its list is unpacked first, and of its files, which have
/// hashes for names, those that are asked for.
package final class PackedBackup {
  package let backup: DeviceBackup
  private let archive: String
  private let name: String
  /// In the archive; empty if the backup isn't in a folder there.
  private let folder: String
  private let workplace: PrivateFolder

  /// Nil if the folder in the archive has no backup.
  /// - Parameter goesOn: asked again and again; false ends the search for its list.
  /// - Throws: `StoreScopeError` as `DeviceBackup` does, or if the archive can't be read.
  package init?(
    _ archive: String, folder: String, password: BackupPassword?, goesOn: () -> Bool = { true }
  ) throws {
    let workplace = try PrivateFolder()
    let name = folder.isEmpty ? archive : "\(archive)!/\(folder)"
    let start = folder.isEmpty ? "" : folder + "/"
    let parts = [DeviceBackup.name, DeviceBackup.name + "-wal", DeviceBackup.plist]
    let problem = try Self.unpack(
      Dictionary(uniqueKeysWithValues: parts.map { (start + $0, $0) }), archive, to: workplace, while: goesOn)
    func has(_ part: String) -> Bool { FileReader.kind(of: workplace.path(of: part)) == .file }
    // Without its list it would pass for an old one, which has none of that name, and without its keys for one that isn't
    // encrypted.
    if let problem, !has(DeviceBackup.name) || !has(DeviceBackup.plist) { throw problem }
    guard has(DeviceBackup.name) || has(DeviceBackup.plist) else { return nil }
    backup = try DeviceBackup(workplace.path(of: ""), name: name, password: password)
    (self.archive, self.name, self.folder, self.workplace) = (archive, name, folder, workplace)
  }

  /// Unpacks files, so that they can be read as those of a backup in a folder. What can't be unpacked is missing then.
  /// - Parameter isWanted: from its first page, whether all of a database is needed. Of others, the page is kept, and of what
  ///   is no database the beginning. Nil for all files, whole.
  package func unpack(
    _ items: [DeviceBackup.Item], _ isWanted: ((DeviceBackup.Item, [UInt8]) -> Bool)? = nil
  ) throws {
    var wanted: [String: String] = [:]
    var itemsByPart: [String: DeviceBackup.Item] = [:]
    let start = folder.isEmpty ? "" : folder + "/"
    for item in items {
      let part = backup.shownName(of: item)
      itemsByPart[part] = item
      wanted[start + part] = part
      wanted[start + Platform.fileName(part)] = part
    }
    _ = try Self.unpack(wanted, archive, to: workplace, while: { true }) { part, content in
      // What is encrypted shows nothing of itself.
      guard let isWanted, !backup.isEncrypted, let item = itemsByPart[part],
        SideFiles.owner(of: item.path) == nil
      else { return (true, []) }
      var beginning = try content.beginning(Archive.beginning)
      guard let page = StoreHeader.firstPageSize(beginning) else { return (false, beginning) }
      beginning += try content.beginning(max(page - beginning.count, 0))
      return (isWanted(item, beginning), beginning)
    }
  }

  /// - Parameters:
  ///   - parts: where members go, by their paths in the archive.
  ///   - look: says whether what follows the beginning that it read is needed, too.
  /// - Returns: the first problem because of which something isn't there.
  private static func unpack(
    _ parts: [String: String], _ archive: String, to workplace: PrivateFolder,
    while goesOn: () -> Bool,
    _ look: (String, any MemberContent) throws -> (isWhole: Bool, beginning: [UInt8]) = { _, _ in (true, []) }
  ) throws -> StoreScopeError? {
    var taken: Set<String> = []
    var problem: StoreScopeError?
    do {
      try Archive(archive).forEachMember { member in
        guard goesOn() else { throw InterruptedError() }
        guard member.kind == .file, !member.isEncrypted, let path = MemberPath.normalized(member.path),
          let part = parts[path], taken.insert(part).inserted
        else { return .never }
        return .first
      } _: { member, content in
        guard let part = MemberPath.normalized(member.path).flatMap({ parts[$0] }) else { return }
        do {
          let (isWhole, beginning) = try look(part, content)
          try workplace.receive(part, modified: member.modified, content.reader(behind: beginning, isWhole))
        } catch let error as StoreScopeError where error.kind == .unreadable {
          problem = problem ?? error
        }
      }
    } catch let error as StoreScopeError where error.kind == .damaged {
      // What came before the damage counts.
      problem = problem ?? error
    }
    return problem
  }
}
