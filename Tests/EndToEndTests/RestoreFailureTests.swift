import Foundation
import SQLite
import TestSupport
import Testing

/// Calls of the system that fail while a backup is restored, as on a bad disk or in a folder that loses its rights.
@Suite(.waiting) struct RestoreFailureTests {
  private static let strace = ["/usr/bin/strace", "/usr/local/bin/strace"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// A demo store, its backup, and what an app has written since, in the main file or in a -wal.
  private struct Place {
    let demo: Demo
    let name: String
    private let backup: String
    let (old, new): (StoreContent, StoreContent)
    let files: Set<String>

    init(_ journal: String) throws {
      demo = try Demo()
      name = URL(filePath: demo.path).lastPathComponent
      if journal == "DELETE" { try Place.write(to: demo.path, "PRAGMA journal_mode = DELETE") }
      new = try StoreContent(valuesOf: demo.path)
      let words = ["resync", demo.path, "--pull", "--apply", "--confirm", name, "--json"]
      backup = try #require(try Tool.run(words).json()["backup"] as? String)
      try Place.write(to: demo.path, "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
      #expect(FileManager.default.fileExists(atPath: demo.path + "-wal") == (journal == "WAL"))
      old = try StoreContent(valuesOf: demo.path)
      files = Set(
        try FileTree.hashes(demo.folder.path) { !$0.contains(".backup") && !$0.hasSuffix("-shm") }.values)
    }

    func copy() throws -> (TemporaryFolder, command: [String]) {
      let folder = try TemporaryFolder("failing")
      try FileManager.default.removeItem(atPath: folder.path)
      try FileManager.default.copyItem(atPath: demo.folder.path, toPath: folder.path)
      let backup = folder.path(URL(filePath: backup).lastPathComponent)
      return (folder, ["restore", backup, "--to", folder.path(name), "--confirm", name])
    }

    private static func write(to path: String, _ statement: String) throws {
      var options = OpenOptions(.readWrite(create: false), trustsSchema: true)
      options.keepsWAL = true
      let app = try Connection(path: path, options: options)
      try app.execute(statement)
      app.close()
    }
  }

  /// The calls of a whole restore, in their order, without those of the loader: name, number among those of that name,
  /// and what `strace` shows of it.
  private static func calls(_ place: Place) throws -> [(name: String, number: Int, line: String)] {
    let trace = try TemporaryFolder("trace")
    let (folder, command) = try place.copy()
    defer { withExtendedLifetime(folder) {} }
    let result = try Tool.run(
      try #require(strace),
      ["-f", "-o", trace.path("trace"), "-e", "trace=newfstatat,getdents64,openat,renameat", Tool.path]
        + command)
    #expect(result.status == 0, "\(result.errors)")
    var numbers: [Substring: Int] = [:]
    return try String(decoding: trace.read("trace"), as: UTF8.self).split(separator: "\n").compactMap {
      line in
      guard let call = line.split(separator: " ").dropFirst().first, let bracket = call.firstIndex(of: "(")
      else { return nil }
      numbers[call[..<bracket], default: 0] += 1
      return (String(call[..<bracket]), numbers[call[..<bracket]] ?? 0, String(line))
    }
  }

  /// N1: after the main file was exchanged, a failed look at what was kept counted as "isn't there", twice, so that it
  /// was deleted, with exit code 0. N2: a failed look at the -wal counted as "no -wal", so that it stayed next to the
  /// new store. N3: if the second lock failed, "nothing was changed" was said of a changed store.
  @Test(.enabled(if: strace != nil), arguments: ["WAL", "DELETE"])
  func failingLooks(_ journal: String) throws {
    let place = try Place(journal)
    let calls = try Self.calls(place)
    let exchanged = try #require(
      calls.firstIndex { $0.name == "renameat" && $0.line.contains("\"\(place.name)\"") })
    // Of the many, some: the looks at the -wal and the journal, and all kinds from the exchange on.
    let looks = calls.enumerated().filter { index, call in
      call.name != "renameat"
        && (index > exchanged - 4 || call.line.contains("\(place.name)-wal\"")
          || call.line.contains("\(place.name)-journal\""))
    }.map(\.element)
    let chosen = looks.enumerated().filter { index, call in
      index % max(1, looks.count / 12) == 0
        || call.name == "openat" && call.line.contains("\"\(place.name)\"")
    }.map(\.element)
    #expect(chosen.count > 5)
    var statuses: Set<Int32> = []
    for call in chosen {
      let (folder, command) = try place.copy()
      let result = try Tool.run(
        try #require(Self.strace),
        [
          "-f", "-o", "/dev/null", "-e", "trace=\(call.name)", "-e",
          "inject=\(call.name):error=EIO:when=\(call.number)", Tool.path,
        ] + command)
      statuses.insert(result.status)
      let found = try StoreContent(valuesOf: folder.path(place.name))
      let isNew = found == place.new
      #expect(isNew || found == place.old, "\(call): \(place.old.differences(found))")
      #expect(result.status != 0 || isNew, "\(call)")
      #expect(!isNew || !result.errors.contains("othing was changed"), "\(call): \(result.errors)")
      let left = Set(try FileTree.hashes(folder.path) { !$0.contains(".backup") }.values)
      #expect(place.files.isSubset(of: left), "\(call): \(result.errors)")
    }
    // Without a -wal there is one exchange only, and what fails after it costs nothing.
    #expect(statuses.contains(journal == "WAL" ? 2 : 0))
  }
}
