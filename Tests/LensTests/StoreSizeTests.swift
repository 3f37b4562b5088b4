import Evidence
import Forge
import Foundation
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// All parts together are the file, whatever state it is in.
struct StoreSizeTests {
  private let folder = TemporaryFolder("size")

  private func expectSum(_ size: StoreSize, _ path: String, _ comment: String = "") throws {
    let bytes = try #require(
      try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber
    ).int64Value
    #expect(size.bytes == bytes, "\(comment)")
    #expect(size.parts.reduce(0) { $0 + $1.bytes } == bytes, "\(comment)")
    #expect(size.parts.allSatisfy { $0.bytes >= 0 }, "\(comment)")
    // 'size' and the report disagreed about what is left when objects, history and the mirror are counted.
    #expect(
      StoreSize.Group.allCases.reduce(size.freeBytes) { $0 + size.bytes(of: $1) } == bytes, "\(comment)")
  }

  @Test(.enabled(if: RealStores.arePresent), arguments: RealStores.all)
  func realStoresAddUp(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    let open = try OpenStore(at: path)
    let size = try StoreSize(open)
    try expectSum(size, path)
    #expect(size.problems.isEmpty && !size.rest.contains { $0.name == "unaccounted" })
    let rows = try open.store.rowCounts()
    for table in size.tables where table.kind == .entity {
      let expected = open.store.schema.entities.filter { $0.table == table.name }
        .reduce(0) { $0 + (rows[$1.number] ?? 0) }
      #expect(table.rows == Int64(expected), "\(table.name)")
    }
    withExtendedLifetime(folder) {}
  }

  private func demo(_ name: String = "", _ edit: (Connection) throws -> Void) throws -> String {
    let path = try DemoStore.copy(in: folder.path(name))
    var options = OpenOptions(.readWrite(create: false), trustsSchema: true)
    options.keepsWAL = true
    let connection = try Connection(path: path, options: options)
    defer { connection.close() }
    try edit(connection)
    return path
  }

  /// Pages behind the file's end are in the WAL alone.
  @Test func pagesThatOnlyTheWALHas() throws {
    let path = try demo {
      try $0.execute(
        "PRAGMA wal_autocheckpoint = 0; CREATE TABLE more (a); INSERT INTO more VALUES (zeroblob(500000))")
    }
    let size = try StoreSize(OpenStore(at: path))
    try expectSum(size, path)
    #expect(size.beyondFile > 400_000)
  }

  /// A database that became smaller in the WAL leaves pages in the file that it no longer has.
  @Test func pagesThatTheWALTakesAway() throws {
    let path = try demo {
      try $0.execute(
        """
        CREATE TABLE more (a); INSERT INTO more VALUES (zeroblob(500000));
        PRAGMA wal_checkpoint(TRUNCATE); PRAGMA wal_autocheckpoint = 0; DROP TABLE more; VACUUM
        """)
    }
    let size = try StoreSize(OpenStore(at: path))
    try expectSum(size, path)
    #expect(size.rest.contains { $0.name == "pages after the database's end" && $0.bytes > 400_000 })
  }

  @Test func freePagesAndAnIncompleteOne() throws {
    let path = try demo {
      try $0.execute(
        """
        CREATE TABLE more (a); INSERT INTO more VALUES (zeroblob(500000)); DROP TABLE more;
        PRAGMA wal_checkpoint(TRUNCATE)
        """)
    }
    let handle = try #require(FileHandle(forWritingAtPath: path))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data(count: 100))
    try handle.close()
    let size = try StoreSize(OpenStore(at: path))
    try expectSum(size, path)
    #expect(size.freeBytes > 400_000)
    #expect(size.rest.contains { $0.name == "incomplete page" && $0.bytes == 100 })
  }

  /// Damage is said in a sentence, and the sum stays. Not every byte can be damaged so that the store still opens.
  @Test func damagedStoresAddUp() throws {
    let path = try demo { try $0.execute("PRAGMA wal_checkpoint(TRUNCATE)") }
    let whole = try folder.read(DemoStore.fileName)
    var problems = 0
    for seed in 0..<60 {
      var bytes = whole
      var noise = SeededGenerator(seed: UInt64(seed))
      // The schema's own pages come first.
      for _ in 0..<20 {
        let page = Int.random(in: 8..<bytes.count / 4096, using: &noise)
        let offset = page * 4096 + Int.random(in: 0..<12, using: &noise)
        bytes[offset] = UInt8.random(in: 0...255, using: &noise)
      }
      try folder.write(bytes, to: DemoStore.fileName)
      guard let open = try? OpenStore(at: path) else { continue }
      let size = try StoreSize(open)
      try expectSum(size, path, "seed \(seed)")
      problems += size.problems.isEmpty ? 0 : 1
    }
    #expect(problems > 5)
  }

  /// A row that was copied refers to the same file, whose bytes were counted again.
  @Test func anExternalFileCountsOnce() throws {
    func blobs(_ name: String, _ edit: String) throws -> BlobSize {
      let path = try demo(name) { if !edit.isEmpty { try $0.execute(edit) } }
      var problems: [String] = []
      let open = try OpenStore(at: path)
      let sizes = try BlobSize.all(of: open.store, problems: &problems)
      #expect(problems.isEmpty, "\(problems)")
      return try #require(sizes.first { $0.entity == "Attachment" && $0.property == "data" })
    }
    let once = try blobs("once", "")
    let twice = try blobs(
      "twice",
      """
      CREATE TEMP TABLE copies AS SELECT * FROM ZATTACHMENT; UPDATE copies SET Z_PK = Z_PK + 70;
      INSERT INTO ZATTACHMENT SELECT * FROM copies
      """)
    #expect(twice.values == once.values * 2 && twice.bytes == once.bytes * 2)
    #expect(twice.externalBytes == once.externalBytes && once.externalBytes > 100_000)
  }

  @Test func partsAreNamedAfterTheModel() throws {
    let path = try demo { _ in }
    let open = try OpenStore(at: path)
    let size = try StoreSize(open)
    let place = try #require(size.tables.first { $0.label == "Place" })
    #expect(place.entities == ["Place", "City", "Landmark"] && place.kind == .entity && place.rows == 9)
    #expect(size.tables.contains { $0.kind == .links && $0.label == "Entry.tags" })
    #expect(size.tables.first { $0.label == "changes" }?.kind == .history)
    #expect(size.tables.first { $0.label == "NSCKRecordMetadata" }?.kind == .mirror)
    var problems: [String] = []
    let blobs = try BlobSize.all(of: open.store, problems: &problems)
    let attachment = try #require(blobs.first { $0.entity == "Attachment" && $0.property == "data" })
    #expect(attachment.externalBytes > 100_000 && attachment.bytes < 100 && problems.isEmpty)
  }
}
