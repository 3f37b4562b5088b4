import Archives
package import Base
import Evidence

/// What a backup holds, as the file `manifest.json` in it says.
package struct BackupManifest: Sendable, Equatable {
  package struct File: Sendable, Equatable {
    /// Relative to the store's folder, and to the backup's.
    package var path: String
    package var bytes: Int64
    /// Lower-case hexadecimal digits.
    package var sha256: String

    package init(path: String, bytes: Int64, sha256: String) {
      self.path = path
      self.bytes = bytes
      self.sha256 = sha256
    }
  }

  package var version: String
  package var operation: String
  package var time: CoreDataDate
  /// Where the store lay, absolute and without links.
  package var storePath: String
  package var storeUUID: String
  package var files: [File]

  package static let schema = "storescope/backup/1"
  private static let sizeLimit = 64 << 20

  package var storeName: String { Platform.fileName(storePath) }

  package init(
    version: String, operation: String, time: CoreDataDate, storePath: String, storeUUID: String,
    files: [File]
  ) {
    self.version = version
    self.operation = operation
    self.time = time
    self.storePath = storePath
    self.storeUUID = storeUUID
    self.files = files
  }

  package var value: DataValue {
    [
      "schema": .text(Self.schema), "version": .text(version), "operation": .text(operation),
      "time": .date(time),
      "store": ["path": .text(storePath), "uuid": .text(storeUUID)],
      "files": .array(
        files.map { ["path": .text($0.path), "bytes": .integer($0.bytes), "sha256": .text($0.sha256)] }),
    ]
  }

  /// Writes the manifest and its hash into the folder.
  package func write(to folder: String) throws {
    let text = JSONText.compact(value) + "\n"
    try FileWriter.write(text, to: "\(folder)/\(BackupFolder.manifest)")
    try FileWriter.write(Self.hashLine(Array(text.utf8)), to: "\(folder)/\(BackupFolder.manifestHash)")
  }

  private static func hashLine(_ bytes: [UInt8]) -> String {
    "\(bytes.withUnsafeBytes { SHA256.hexadecimal(of: $0) })  \(BackupFolder.manifest)\n"
  }

  /// Reads the manifest in a backup's folder.
  /// - Throws: `StoreScopeError` where there is none, or one that storescope did not write.
  package init(folder: String) throws {
    func refuse(_ why: String) -> StoreScopeError {
      StoreScopeError(
        .foreign, folder, "isn't a backup made by storescope: \(why)",
        advice: "pass the folder that '--apply' reported")
    }
    let bytes: [UInt8]
    do throws(StoreScopeError) {
      bytes = try FileReader.bytes(of: "\(folder)/\(BackupFolder.manifest)", limit: Self.sizeLimit)
    } catch { throw refuse(error.clause) }
    let hash: [UInt8]
    do throws(StoreScopeError) {
      hash = try FileReader.bytes(of: "\(folder)/\(BackupFolder.manifestHash)", limit: Self.sizeLimit)
    } catch { throw refuse(error.clause) }
    guard hash == Array(Self.hashLine(bytes).utf8) else { throw refuse("its manifest is damaged") }
    let value: DataValue
    do throws(ArchiveError) { value = try JSONReader.read(String(decoding: bytes, as: UTF8.self)) } catch {
      throw refuse("its manifest is damaged")
    }
    guard value["schema"]?.text == Self.schema, let version = value["version"]?.text,
      let operation = value["operation"]?.text, let time = value["time"]?.text.flatMap(ISO8601.parse),
      let path = value["store"]?["path"]?.text, let uuid = value["store"]?["uuid"]?.text,
      case .array(let files) = value["files"]
    else { throw refuse("its manifest is incomplete") }
    guard path.hasPrefix("/"), !path.hasSuffix("/") else { throw refuse("its manifest has no store path") }
    let parts = StoreParts(path: path)
    self.init(
      version: version, operation: operation, time: time, storePath: path, storeUUID: uuid,
      files: try files.map { file in
        guard let path = file["path"]?.text, case .integer(let bytes) = file["bytes"],
          let sha256 = file["sha256"]?.text, Self.isInside(path), parts.owns(path)
        else { throw refuse("its manifest has an invalid file entry") }
        return File(path: path, bytes: bytes, sha256: sha256)
      })
    guard self.files.contains(where: { $0.path == storeName }) else {
      throw refuse("the store itself is not in it")
    }
  }

  /// The path of the store in a backup's folder; nil where the path names no folder, or one without a manifest.
  /// - Throws: `StoreScopeError` where the manifest is not storescope's, or damaged.
  package static func store(in path: String) throws -> String? {
    guard FileReader.kind(of: path) == .folder else { return nil }
    let folder = Platform.withoutLastSlashes(path)
    guard FileReader.kind(of: "\(folder)/\(BackupFolder.manifest)") != nil else { return nil }
    return "\(folder)/\(try BackupManifest(folder: folder).storeName)"
  }

  /// Sees to it that nothing is written where a backup's files lie: no backup could be restored then.
  static func refuseWriting(besideOne store: StoreParts) throws {
    guard [BackupFolder.manifest, BackupFolder.manifestHash].allSatisfy({ Files.exists(store.path(of: $0)) })
    else { return }
    throw StoreScopeError(
      .refused, store.path(of: store.name), "is inside a backup, which it would damage",
      advice: "'restore BACKUP --to STORE' restores it to another path", outcome: .unchanged)
  }

  /// A manifest may come from anywhere: no name in it may lead out of the folder.
  private static func isInside(_ path: String) -> Bool {
    let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    return !path.utf8.contains(0) && parts.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
  }
}
