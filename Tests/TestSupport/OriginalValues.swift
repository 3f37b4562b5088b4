import Archives
import Base
import Evidence
import Foundation
import Lens
import SQLite
import StoreModel

/// The texts that a store holds as values, also those within archives: for looking whether a copy still has one.
package struct OriginalValues {
  /// Of four characters and more.
  package private(set) var texts: Set<String> = []
  /// Sixteen bytes each.
  package private(set) var uuids: Set<[UInt8]> = []
  /// Where names come from: the schema's text, the model, and what the frameworks call their own things.
  private var structure: [UInt8]

  /// Reads the store and the files next to it.
  package init(_ path: String) throws {
    let opened = try StoreOpener.open(path: path)
    defer { try? opened.finish() }
    let connection = opened.connection
    structure = Array(Self.frameworkNames.utf8)
    try connection.forEachRow("SELECT name, sql FROM main.sqlite_master") {
      structure += Array($0.text(0).utf8) + $0.bytes(1)
    }
    let store = try CoreDataStore(connection: connection, path: path, resolvedPath: opened.files.resolvedPath)
    for entry in store.metadata.entries.entries {
      structure += Array(entry.key.utf8)
      // The versions of the model and the hashes of its entities.
      if StoreMetadata.frameworkKeys.contains(entry.key) || entry.key.hasPrefix("PFCloudKit") {
        structure += BinaryPropertyList.write(entry.value)
      }
    }
    for row in store.primaryKeys.user + store.primaryKeys.framework { structure += Array(row.name.utf8) }
    try readModel(store)
    try readAuthors(store)
    for table in store.tables.tables.keys.sorted()
    where !["Z_PRIMARYKEY", "Z_MODELCACHE"].contains(table) && !table.hasPrefix("sqlite_") {
      try connection.forEachRow("SELECT * FROM main.\(quotedIdentifier(table))") { row in
        for index in 0..<row.columnCount {
          switch row.type(index) {
          case .text: add(row.text(index))
          // The bits of the properties that a change has touched are no value.
          case .blob where row.columnName(index) == "ZCOLUMNS": break
          case .blob: row.withBytes(index) { add($0) }
          default: break
          }
        }
      }
    }
    for kind in ExternalFiles.Kind.allCases {
      let folder = "\(store.externalFiles.supportFolder)/\(kind.rawValue)"
      guard FileReader.kind(of: folder) == .folder else { continue }
      for name in try FileReader.names(in: folder) {
        add(name)
        try? FileReader.bytes(of: folder + name, limit: 1 << 24).withUnsafeBytes { add($0) }
      }
    }
    let names = SearchedBytes(structure)
    texts = texts.filter { text in
      // A mark is made of hexadecimal digits, and may have a few of them in a row by chance.
      let isShort = text.count <= 6 && text.allSatisfy { $0.isHexDigit && !$0.isUppercase }
      return !isShort && !Self.namePrefixes.contains { text.hasPrefix($0) }
        && !names.contains(Array(text.utf8))
    }
  }

  /// Names that an app's code gives to its saves are no values, if they aren't a program's too.
  private mutating func readAuthors(_ store: CoreDataStore) throws {
    guard let reader = try HistoryReader(store) else { return }
    let programs = try reader.names(of: .process) + reader.names(of: .bundle)
    for dimension in [HistoryGroup.Dimension.author, .context] {
      for name in try reader.groups(by: dimension, entityName: { "\($0)" }).compactMap(\.key)
      where !programs.contains(where: name.contains) && !name.contains("@") {
        structure += Array(name.utf8) + [0]
      }
    }
  }

  private mutating func readModel(_ store: CoreDataStore) throws {
    guard try store.connection.hasTable("Z_MODELCACHE") else { return }
    let content = try store.connection.first("SELECT Z_CONTENT FROM Z_MODELCACHE") { $0.bytes(0) } ?? []
    if let model = try? content.withUnsafeBytes({ try Inflate.raw($0, limit: 1 << 26) }) {
      structure += model
    }
  }

  /// Names that frameworks, not apps, write into their tables and archives.
  private static let frameworkNames = """
    NSCloudKitMirroringDelegate.import .export .reset .setup .event CKErrorDomain NSCocoaErrorDomain NSURLErrorDomain com.apple.coredata.cloudkit.zone CDMR \
    com.apple.coredata.cloudkit.share. __defaultOwner__ _defaultZone Private Public Shared CD_entityName cloudkit.zoneshare lightweight migration \
    text-program-store-Entity- x-coredata:// $null
    """
  private static let namePrefixes = [
    "NSCloudKitMirroringDelegate", "PFCloudKit", "CD_", "com.apple.coredata.schemamigrator", "NSCK",
  ]

  private mutating func add(_ text: String) {
    // Object URIs have an entity and a number, which stay; their UUIDs are looked for by themselves.
    let parts =
      text.contains("x-coredata:") ? text.split { !($0.isHexDigit || $0 == "-") }.map(String.init) : [text]
    for part in parts where part.count >= 4 { texts.insert(part) }
  }

  private mutating func add(_ bytes: UnsafeRawBufferPointer) {
    if bytes.count == 16 { uuids.insert(Array(bytes)) }
    addContent(bytes)
    if bytes.count > 1, bytes[0] == 1 { addContent(UnsafeRawBufferPointer(rebasing: bytes[1...])) }
  }

  private mutating func addContent(_ bytes: UnsafeRawBufferPointer) {
    let plain = (try? LZFSE.decode(Array(bytes), limit: 1 << 26)) ?? Array(bytes)
    guard let value = plain.withUnsafeBytes({ BlobReader.value(of: $0) }) else { return }
    // Fields that stand at an archive's top are named by the program.
    if case .object(let members) = value, let archive = try? KeyedArchive(bytes: plain), archive.root == nil {
      members.forEach { add($0.value) }
    } else {
      add(value)
    }
  }

  private mutating func add(_ value: DataValue) {
    switch value {
    case .text(let text): add(text)
    case .array(let elements): elements.forEach { add($0) }
    case .object(let members):
      for member in members {
        // Classes and names of fields are a program's.
        if value["$class"] == nil { add(member.name) }
        if member.name != "$class" { add(member.value) }
      }
    case .blob(let summary): if let value = summary.value { add(value) }
    default: break
    }
  }

  /// Those that a store's file or the files next to it still have, in UTF-8 or UTF-16.
  package func found(inCopy path: String) throws -> [String] {
    var files = [path]
    let support = ExternalFiles(storePath: path).supportFolder
    let enumerator = FileManager.default.enumerator(atPath: support)
    for case let name as String in enumerator ?? .init()
    where FileReader.kind(of: "\(support)/\(name)") == .file {
      files.append("\(support)/\(name)")
    }
    return try files.flatMap { found(in: [UInt8](try Data(contentsOf: URL(filePath: $0)))) }.sorted()
  }

  /// The same for any bytes.
  package func found(in bytes: [UInt8]) -> [String] {
    let bytes = SearchedBytes(bytes)
    var found: [String] = []
    for text in texts {
      let units = Array(text.utf16)
      let encodings = [
        Array(text.utf8), units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
        units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
      ]
      if encodings.contains(where: bytes.contains) { found.append(text) }
    }
    for uuid in uuids {
      if bytes.contains(uuid) { found.append(Hexadecimal.uppercase(uuid)) }
    }
    return found.sorted()
  }
}

/// Bytes in which many things are looked for: most are known not to be there by four of their bytes.
private struct SearchedBytes {
  private let data: Data
  private var windows: [Bool]
  /// Few windows need few places to be told apart.
  private let shift: UInt32

  init(_ bytes: [UInt8]) {
    data = Data(bytes)
    let bits = min(24, max(12, 4 + Int.bitWidth - bytes.count.leadingZeroBitCount))
    shift = UInt32(32 - bits)
    windows = [Bool](repeating: false, count: 1 << bits)
    guard bytes.count >= 4 else { return }
    let shift = shift
    bytes.withUnsafeBufferPointer { buffer in
      windows.withUnsafeMutableBufferPointer { windows in
        // Neither ranges nor calls: unoptimized they take most of a test's time.
        guard let bytes = UnsafeRawPointer(buffer.baseAddress), let windows = windows.baseAddress else {
          return
        }
        var start = 0
        let end = buffer.count - 4
        while start <= end {
          let word = (bytes + start).loadUnaligned(as: UInt32.self)
          windows[Int((word &* 2_654_435_761) >> shift)] = true
          start += 1
        }
      }
    }
  }

  private static func place(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ shift: UInt32) -> Int {
    let word = UnsafeRawPointer(bytes.baseAddress.unsafelyUnwrapped + start).loadUnaligned(as: UInt32.self)
    return Int((word &* 2_654_435_761) >> shift)
  }

  func contains(_ needle: [UInt8]) -> Bool {
    guard needle.count >= 4 else { return false }
    let isPossible = needle.withUnsafeBufferPointer { buffer in
      (0...(buffer.count - 4)).allSatisfy { windows[Self.place(buffer, $0, shift)] }
    }
    return isPossible && data.range(of: Data(needle)) != nil
  }
}
