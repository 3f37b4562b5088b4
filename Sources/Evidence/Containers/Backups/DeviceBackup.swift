import Archives
package import Base
import SQLite

/// The list of files of a backup that Finder, iTunes or libimobiledevice made: they lie in folders of two digits under the
/// SHA-1 of their domain and path. https://theapplewiki.com/wiki/ITunes_Backup
package final class DeviceBackup {
  /// A file as the backup lists it.
  package struct Item: Sendable {
    /// `AppDomain-com.example.Journeys`
    package let domain: String
    package let path: String
    /// On this machine.
    package let file: ContainedFile
    /// The SHA-1 of domain and path, which is what the file is called.
    package var fileID: String { file.names.last ?? "" }
    let key: [UInt8]?
    /// In bytes, as it was on the device; nil if the backup doesn't say.
    package let size: Int64?
    /// Seconds since 1970; nil if the backup doesn't say.
    package let modified: Int64?
  }

  private let folder: String
  /// For sentences.
  private let shownFolder: String
  private let keys: BackupKeys?
  /// Keeps the decrypted manifest.
  private let workplace: PrivateFolder?
  private let manifest: OpenedStore

  package static let name = "Manifest.db"
  static let plist = "Manifest.plist"
  private static let largestList = 64 << 20

  /// Whether a folder is a backup.
  package static func isBackup(_ folder: String) -> Bool {
    isBackup(has: { isFile($0, in: folder) }) {
      (0..<256).contains { number in
        let hashed = "\(folder)/\(number < 16 ? "0" : "")\(String(number, radix: 16))"
        return FileStatus(ofLink: hashed)?.kind == .folder
      }
    }
  }

  /// Whether what has these files is a backup. Of one that was copied in part, the list and the files may be left.
  /// - Parameter hasHashed: whether there are folders of files that are named by their hashes.
  package static func isBackup(has: (String) -> Bool, hasHashed: () -> Bool) -> Bool {
    if has(plist) { return has(name) || has(oldName) }
    return has(name) && hasHashed()
  }

  /// A stranger's backup must not have us read the user's own files through a link.
  private static func isFile(_ name: String, in folder: String) -> Bool {
    FileStatus(ofLink: "\(folder)/\(name)")?.kind == .file
  }

  /// Before iOS 10.
  private static let oldName = "Manifest.mbdb"

  /// - Parameters:
  ///   - name: what the folder is called in sentences; its path by default.
  ///   - password: nil for none.
  /// - Throws: `StoreScopeError` of kind `.refused` if a password is needed, or another one; `SQLiteError` if its manifest
  ///   is damaged.
  package init(_ folder: String, name: String? = nil, password: BackupPassword? = nil) throws {
    self.folder = folder
    let shown = name ?? folder
    shownFolder = shown
    let list =
      Self.isFile(Self.plist, in: folder) ? try Self.list(ContainedFile([Self.plist], below: folder)) : .null
    let path = "\(folder)/\(Self.name)"
    guard Self.isFile(Self.name, in: folder) else {
      throw StoreScopeError(
        .foreign, shown, "is a backup of iOS 9 or older, which storescope can't read",
        advice: "take the store out of it with another tool")
    }
    guard list["IsEncrypted"]?.bool == true else {
      keys = nil
      workplace = nil
      manifest = try StoreOpener.open(path: path)
      return
    }
    guard let bag = list["BackupKeyBag"]?.data, let key = list["ManifestKey"]?.data else {
      throw StoreScopeError(.damaged, shown, "is an encrypted backup whose \(Self.plist) has no keys")
    }
    guard let keys = try password?.keys(bag, backup: shown) else {
      throw StoreScopeError(
        .refused, shown, "is an encrypted backup", advice: "pass --password to be asked for its password")
    }
    guard let cipher = keys.cipher(for: key) else {
      throw StoreScopeError(.damaged, shown, "is an encrypted backup whose manifest has another key")
    }
    let workplace = try PrivateFolder()
    try Self.copy(ContainedFile([Self.name], below: folder), cipher, to: Self.name, in: workplace)
    self.keys = keys
    self.workplace = workplace
    manifest = try StoreOpener.open(path: workplace.path(of: Self.name))
  }

  private static func list(_ file: ContainedFile) throws -> PropertyList {
    let bytes = try FileReader.bytes(of: file, limit: largestList)
    do { return try PropertyList.read(bytes) } catch {
      throw StoreScopeError.failed(
        "can't read", file.path, "\(error)", kind: .damaged, advice: "make another backup")
    }
  }

  package var isEncrypted: Bool { keys != nil }

  /// Other programs, too, call a database so.
  package var hasList: Bool {
    get throws { try manifest.connection.hasTable("Files") }
  }

  // MARK: - Looking

  /// Calls `body` with each file, until it returns false.
  package func forEachItem(_ body: (Item) throws -> Bool) throws {
    try forEachItem(where: "1", [], body)
  }

  /// A file, what lies next to it under a name that begins alike, and what is in the folders named for it.
  package func items(ofStoreAt path: String, in domain: String) throws -> [Item] {
    let parts = StoreParts(path: path)
    let folder = PathText.split(path).folder.map { $0 + "/" } ?? ""
    var found: [Item] = []
    try forEachItem(
      where: "domain = ? AND substr(relativePath, 1, ?) = ?",
      [.text(domain), .integer(Int64(folder.unicodeScalars.count)), .text(folder)]
    ) { item in
      if let part = PathText.rest(of: item.path, behind: folder), parts.owns(part) { found.append(item) }
      return true
    }
    return found
  }

  func item(ofHash hash: String) throws -> Item? {
    var found: Item?
    try forEachItem(where: "fileID = ?", [.text(hash)]) { item in
      found = item
      return false
    }
    return found
  }

  /// `flags` is 1 for a file, 2 for a folder, 4 for a link.
  private func forEachItem(where condition: String, _ values: [SQLiteValue], _ body: (Item) throws -> Bool)
    throws
  {
    let sql = """
      SELECT fileID, domain, relativePath, file FROM Files WHERE flags = 1 AND \(condition)
      """
    var goesOn = true
    try manifest.connection.forEachRow(sql, values) { row in
      guard goesOn, let item = item(row) else { return }
      goesOn = try body(item)
    }
  }

  private func item(_ row: Statement) -> Item? {
    let name = row.text(0)
    // Names of files that we open come from the file.
    guard Self.isHash(name) else { return nil }
    let nested = ContainedFile([String(name.prefix(2)), name], below: folder)
    let flat = ContainedFile([name], below: folder)
    // What is missing is missing where it should be.
    let file = if case .missing = nested.state, flat.state != .missing { flat } else { nested }
    let facts = try? KeyedArchive(bytes: row.bytes(3)).root
    return Item(
      domain: row.text(1), path: row.text(2), file: file,
      key: facts?["EncryptionKey"]?.object?["NS.data"]?.data ?? facts?["EncryptionKey"]?.data,
      size: facts?["Size"]?.integer,
      // At the latest it was changed when it was copied.
      modified: facts?["LastModified"]?.integer
        ?? FileStatus(ofLink: file.path).map { $0.modified / 1_000_000_000 })
  }

  /// Where a backup's file would lie, if the path of a file in an archive is one of those: in the folder before
  /// `e2/e253…`, or before the name alone, as backups of iOS 9 have it.
  package static func folder(ofFileAt path: String) -> String? {
    let (folder, name) = PathText.split(path)
    guard isHash(name) else { return nil }
    let (parent, digits) = PathText.split(folder ?? "")
    return name.hasPrefix(digits) && digits.utf8.count == 2 ? parent ?? "" : folder ?? ""
  }

  /// The folder of a backup of which one of the lists is at the path of a file in an archive, and the list's name; nil if
  /// the file is none of them.
  package static func folder(ofListAt path: String) -> (folder: String, list: String)? {
    let (folder, file) = PathText.split(path)
    return [name, oldName, plist].contains(file) ? (folder ?? "", file) : nil
  }

  /// Whether a path in a container begins as those in backups do: `AppDomain-com.example.Journeys`, `HomeDomain`.
  package static func beginsWithDomain(_ path: String) -> Bool {
    guard let name = PathText.first(path)?.name else { return false }
    return name.split(separator: "-", maxSplits: 1).first.map { $0.contains("Domain") } ?? false
  }

  /// Whether a file is called as a backup calls its own.
  static func isHash(_ name: String) -> Bool {
    name.utf8.count == 40
      && name.utf8.allSatisfy {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0
      }
  }

  // MARK: - Reading

  /// Whether a file is listed and isn't there.
  package func lacks(_ item: Item) -> Bool { item.file.state == .missing }

  /// How sentences call it where it lies: `e2/e253…`
  package func shownName(of item: Item) -> String { item.file.names.joined(separator: "/") }

  private func checkPresence(_ item: Item) throws {
    guard lacks(item) else { return }
    throw StoreScopeError(
      .notFound, "its file '\(shownName(of: item))' is missing from the backup", about: shownFolder,
      advice: "make another backup")
  }

  /// The file's first bytes.
  package func beginning(of item: Item, _ count: Int) throws -> [UInt8] {
    try checkPresence(item)
    let blocks = (count + AES256.block - 1) / AES256.block * AES256.block
    var (bytes, _) = try FileReader.beginning(of: item.file, count: keys == nil ? count : blocks)
    if var cipher = try cipher(for: item) { bytes.withUnsafeMutableBytes { cipher.decrypt($0) } }
    return Array(bytes.prefix(count))
  }

  /// Copies the file, decrypted if need be.
  package func copy(_ item: Item, to part: String, in folder: PrivateFolder) throws {
    try checkPresence(item)
    try Self.copy(
      item.file, cipher(for: item), size: keys == nil ? nil : item.size, modified: item.modified, to: part,
      in: folder)
  }

  private func cipher(for item: Item) throws -> AES256? {
    guard let keys else { return nil }
    guard let cipher = item.key.flatMap(keys.cipher) else {
      throw StoreScopeError(
        .damaged, item.path, "can't be decrypted: the backup has no key for it", advice: "make another backup"
      )
    }
    return cipher
  }

  /// - Parameter size: where the padding begins.
  private static func copy(
    _ file: ContainedFile, _ cipher: AES256?, size: Int64? = nil, modified: Int64? = nil, to part: String,
    in folder: PrivateFolder
  ) throws {
    let reader = try FileReader.stream(of: file)
    var cipher = cipher
    var left = size ?? .max
    try folder.receive(part, modified: modified) { buffer in
      // Whole blocks.
      var filled = 0
      let wanted = buffer.count / AES256.block * AES256.block
      while filled < wanted {
        let count = try reader(UnsafeMutableRawBufferPointer(rebasing: buffer[filled..<wanted]))
        if count == 0 { break }
        filled += count
      }
      cipher?.decrypt(UnsafeMutableRawBufferPointer(rebasing: buffer[..<filled]))
      let count = Int(min(Int64(filled), left))
      left -= Int64(count)
      return count
    }
  }
}
