import SystemCalls
import Values

extension DeviceBackup {
  /// The address of what lies in a backup under the name of a hash: opened as a file, a store would be without its -wal.
  /// For a -wal it is the store's.
  /// - Parameter path: a file's, or an address in an archive.
  /// - Returns: nil if the path is none of those that a backup has, or the backup's list can't be read.
  /// - Throws: `StoreScopeError` if the list can't be read without its password.
  package static func address(ofFile path: String, password: BackupPassword?) throws -> StoreAddress? {
    let hash = Platform.fileName(path)
    guard isHash(hash) else { return nil }
    do {
      if let address = StoreAddress(path) {
        guard var folder = folder(ofFileAt: address.path) else { return nil }
        if folder.hasSuffix("!") { folder.removeLast() }
        let packed = try PackedBackup(address.container, folder: folder, password: password)
        guard let place = try packed?.backup.place(ofHash: hash) else { return nil }
        return StoreAddress(
          container: address.container, inner: folder.isEmpty ? nil : folder, path: place)
      }
      let folders = [path, Platform.absolutePath(path)].compactMap(folder(ofFileAt:))
      guard let folder = folders.first(where: { !$0.isEmpty && isBackup($0) }),
        let place = try DeviceBackup(folder, password: password).place(ofHash: hash)
      else { return nil }
      return StoreAddress(container: folder, path: place)
    } catch let error as StoreScopeError where error.kind == .refused {
      throw error
    } catch { return nil }
  }

  /// The domain of the store that the file is a part of, and its path there.
  private func place(ofHash hash: String) throws -> String? {
    guard try hasList, let item = try item(ofHash: hash) else { return nil }
    return "\(item.domain)/\(SideFiles.owner(of: item.path) ?? item.path)"
  }
}
