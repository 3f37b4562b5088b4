import Foundation
import TestSupport
import Testing

@testable import Shell

struct HistoryFileTests {
  @Test func keepsWhatWasTypedForItsOwner() throws {
    let folder = TemporaryFolder()
    let file = HistoryFile(path: folder.path("state/storescope/history"))
    #expect(file.load().isEmpty)
    let entries = ["rows Trip", "SELECT 1,\n2;", "rows Trip --where \"a = 'x\\n'\"", "日本"]
    for entry in entries { #expect(file.append(entry)) }
    #expect(file.load() == entries)
    let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    #expect(mode == 0o600)
  }

  @Test func isCapped() throws {
    let folder = TemporaryFolder()
    let file = HistoryFile(path: folder.path("history"))
    let count = 2 * HistoryFile.capacity + 1
    let text = (1...count).map { "command \($0)\n" }.joined()
    try folder.write(Array(text.utf8), to: "history")
    #expect(file.load().count == HistoryFile.capacity)
    let kept = try folder.read("history").count { $0 == 0x0A }
    #expect(kept == HistoryFile.capacity)
    #expect(file.load().last == "command \(count)")
    #expect(try folder.names() == ["history"])
  }
}
