import Evidence
import Foundation
import SystemCalls
import TestSupport
import Testing
import Values

/// A store that is read by another name than the one its app uses: what the app committed is in a -wal next to that
/// name, so it is said that it isn't shown (D3: it was missing without a word).
@Suite struct OtherNamesTests {
  private static func warnings(_ path: String) throws -> [String] {
    let opened = try StoreOpener.open(path: path)
    defer { try? opened.finish() }
    return opened.warnings
  }

  @Test func hardLinks() throws {
    let store = try ForgedStore(.walClean)
    let (folder, path) = (store.folder, store.path)
    #expect(try Self.warnings(path).isEmpty)
    #expect(link(path, folder.path("Other.sqlite")) == 0)
    for name in ["App.sqlite", "Other.sqlite"] {
      let warnings = try Self.warnings(folder.path(name))
      #expect(warnings.count == 1 && warnings[0].contains("2 names (hard links)"), "\(warnings)")
    }
  }

  @Test(.enabled(if: LiveWriter.isAvailable, "needs sqlite3")) func aHolderWithoutItsWAL() throws {
    let store = try ForgedStore(.walClean)
    let (folder, path) = (store.folder, store.path)
    let app = try LiveWriter(path)
    try app.run("UPDATE t SET b = 'new' WHERE a = 1")
    #expect(try Self.warnings(path).isEmpty)
    #expect(link(path, folder.path("Other.sqlite")) == 0)
    let warnings = try Self.warnings(folder.path("Other.sqlite"))
    #expect(warnings.contains { $0.contains("process \(app.processID)") && $0.contains("may be missing") })
    #expect(try app.finish() == "")
  }

  @Test func mountPoints() throws {
    let folder = try TemporaryFolder("names")
    try folder.write([1], to: "file")
    #expect(FileNames.isMountPoint("/") == (FileManager.default.fileExists(atPath: "/proc/self/mountinfo")))
    #expect(!FileNames.isMountPoint(folder.path("file")))
  }
}
