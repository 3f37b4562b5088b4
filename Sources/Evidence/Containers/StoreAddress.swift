import Base

/// Where a store lies inside something else, as `find` prints it: `case.zip!/private/var/mobile/…/default.store`, or
/// `outer.zip!/inner.zip!/default.store`.
package struct StoreAddress: Sendable {
  /// The archive, or the folder of a backup.
  package let container: String
  /// The store's path there; for a backup, its domain and its path in the domain; in an archive that lies in the container,
  /// that archive's path and the store's, with a mark between the two.
  package let path: String

  private static let mark = "!/"

  /// - Parameter inner: an archive inside the container that the store lies in.
  package init(container: String, inner: String? = nil, path: String) {
    self.container = container
    self.path = inner.map { $0 + Self.mark + path } ?? path
  }

  /// Nil if the text is an ordinary path. Folders may have a `!` at the end of their names: what is there as it stands
  /// is no address, and of several marks the last counts that follows an archive or a backup.
  package init?(_ text: String) {
    guard text.contains(Self.mark), !Files.exists(text) else { return nil }
    for (container, path) in Self.divisions(of: text).reversed() where Self.isContainer(container) {
      (self.container, self.path) = (container, path)
      return
    }
    return nil
  }

  /// What stands before a mark with nothing behind it; nil for other texts.
  package static func container(allOf text: String) -> String? {
    guard text.hasSuffix(mark), !Files.exists(text) else { return nil }
    let container = String(text.dropLast(mark.count))
    return isContainer(container) || StoreAddress(container) != nil ? container : nil
  }

  private static func isContainer(_ path: String) -> Bool {
    FileReader.kind(of: path) == .file || DeviceBackup.isBackup(path)
  }

  /// What the path may mean if it leads into an archive inside the container: the archive's path, and the store's.
  package var insides: [(archive: String, path: String)] { Self.divisions(of: path) }

  /// At each mark, what stands before and behind it. By bytes, as paths are divided.
  private static func divisions(of text: String) -> [(String, String)] {
    let names = PathText.names(text)
    let start = text.utf8.first == UInt8(ascii: "/") ? "/" : ""
    return names.indices.dropLast().filter { names[$0].utf8.last == UInt8(ascii: "!") }.compactMap { index in
      let container = start + names[...index].joined(separator: "/").dropLast()
      return container.isEmpty ? nil : (container, names[(index + 1)...].joined(separator: "/"))
    }
  }
}

extension StoreAddress: CustomStringConvertible {
  package var description: String { container + Self.mark + path }
}

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

/// The archive that consecutive addresses lie in. From the second one on it is worth decompressing.
package struct ConsecutiveArchive {
  private var container: String?
  private var unpacked: UnpackedArchive?
  private var isTried = false

  package init() {}

  /// The decompressed archive that has the store; nil if the archive is read where it is.
  /// - Throws: `InterruptedError`
  package mutating func unpacked(for address: String) throws -> UnpackedArchive? {
    let former = container
    container = StoreAddress(address)?.container
    guard let container, let former, container.utf8.elementsEqual(former.utf8) else {
      (unpacked, isTried) = (nil, false)
      return nil
    }
    if !isTried { unpacked = try UnpackedArchive(container) }
    isTried = true
    return unpacked
  }
}
