import Base
import Evidence
import Foundation
import SQLite
import TestSupport
import Testing

struct UnreadableTests {
  /// A file that is no store, and what the sentence about it must say.
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var says: String
    var bytes: [UInt8]

    init(_ name: String, _ bytes: [UInt8], says: String) {
      testDescription = name
      self.bytes = bytes
      self.says = says
    }

    static func header(pageSize: [UInt8]) -> [UInt8] {
      Array("SQLite format 3\0".utf8) + pageSize + [UInt8](repeating: 1, count: 4096 - 18)
    }

    static let all = [
      Case("empty", [], says: "empty (0 bytes)"),
      Case("text", Array("hello".utf8), says: "not an SQLite database"),
      Case("odd size", (0..<1000).map { UInt8($0 & 255) }, says: "not an SQLite database"),
      Case("encrypted", (0..<8192).map { UInt8($0 &* 7 & 255) }, says: "encrypted"),
      Case("header only", Array("SQLite format 3\0".utf8), says: "not an SQLite database"),
      Case(
        "shm", [0x18, 0xe2, 0x2d, 0] + [UInt8](repeating: 0, count: 508), says: "it is the -shm of a store"),
      Case(
        "wal", [0x37, 0x7f, 6, 0x82] + [UInt8](repeating: 0, count: 28), says: "pass the store's main file"),
      Case("property list", Array("bplist00".utf8), says: "binary property list"),
      Case("XML store", Array("<?xml version=\"1.0\"?>".utf8), says: "XML"),
      Case("ZIP", Array("PK\u{3}\u{4}".utf8), says: "ZIP"),
      Case(
        "Realm", [UInt8](repeating: 8, count: 16) + Array("T-DB".utf8) + [UInt8](repeating: 9, count: 4076),
        says: "it is a Realm database, not a Core Data store"),
      Case("page size 0", header(pageSize: [0, 0]), says: "page size of 0"),
      Case("page size 3000", header(pageSize: [0x0b, 0xb8]), says: "page size of 3000"),
      Case("page size 256", header(pageSize: [1, 0]), says: "page size of 256"),
      Case("damaged", header(pageSize: [16, 0]), says: "damaged"),
    ]
  }

  private func sentence(_ path: String) throws -> String {
    let start = Date()
    let error = #expect(throws: StoreScopeError.self) { try StoreOpener.open(path: path) }
    #expect(-start.timeIntervalSinceNow < 10)
    return try #require(error).description
  }

  @Test(arguments: Case.all) func noStore(file: Case) throws {
    let folder = TemporaryFolder()
    try folder.write(file.bytes, to: "a.sqlite")
    let before = try FolderSnapshot(folder.path)
    let text = try sentence(folder.path("a.sqlite"))
    #expect(text.contains(file.says) && text.contains(folder.path("a.sqlite")), "\(text)")
    #expect(try FolderSnapshot(folder.path) == before)
  }

  @Test func noFile() throws {
    let folder = TemporaryFolder()
    #expect(try sentence(folder.path("none")).contains("no such file"))
    #expect(try sentence(folder.path("none/none")).contains("no such file"))
    #expect(try sentence(folder.path).contains("is a folder"))
    mkfifo(folder.path("pipe"), 0o600)
    #expect(try sentence(folder.path("pipe")).contains("pipe"))
    #expect(try sentence("/dev/zero").contains("device"))
    #expect(try sentence("").contains("no such file"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("loop"), withDestinationPath: folder.path("loop"))
    #expect(try sentence(folder.path("loop")).contains("loop"))
  }

  @Test(arguments: ["-wal", "-shm", "-journal"]) func sideFileThatIsAPipe(suffix: String) throws {
    let store = try ForgedStore(.walClean)
    mkfifo(store.path + suffix, 0o600)
    #expect(try sentence(store.path).contains("pipe"))
  }

  @Test func noRight() async throws {
    let store = try ForgedStore(.walClean)
    let path = store.path
    chmod(path, 0)
    let ran = try await withoutRootRights {
      let error = #expect(throws: StoreScopeError.self) { try StoreOpener.open(path: path) }
      #expect(error?.description.contains("permission denied") == true)
    }
    chmod(store.folder.path, 0)
    let entered = try await withoutRootRights {
      let error = #expect(throws: StoreScopeError.self) { try StoreOpener.open(path: path) }
      #expect(error?.description.contains("permission denied") == true)
    }
    #expect(ran && entered)
  }

  /// Bytes that a damaged or hostile file may hold anywhere: opening ends with a result or a sentence.
  @Test(arguments: [ForgedStore.State.walWithoutShm, .walAndShm, .hotJournal, .shmWithoutWAL])
  func flippedBytesNeverCrash(state: ForgedStore.State) throws {
    let store = try ForgedStore(state)
    var random = SystemRandomNumberGenerator()
    for file in try store.folder.names() {
      let bytes = try store.folder.read(file)
      for round in 0..<25 {
        var changed = bytes
        for _ in 0...round % 4 {
          let limit = round % 2 == 0 ? min(200, bytes.count) : bytes.count
          changed[Int.random(in: 0..<limit, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        if round % 5 == 0 { changed.removeLast(Int.random(in: 0..<bytes.count, using: &random)) }
        try store.folder.write(changed, to: file)
        for ago in [nil, 1] {
          do {
            try StoreOpener.withStore(path: store.path, asOfCommit: ago) { opened in
              _ = try opened.walIndex()
              _ = try opened.connection.value("SELECT sum(length(b)) FROM t")
            }
          } catch is StoreScopeError {
          } catch let error as SQLiteError {
            #expect(!error.isBusy)
          }
        }
      }
      try store.folder.write(bytes, to: file)
    }
  }
}
