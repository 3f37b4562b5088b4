import Foundation
import TestSupport
import Testing

/// Calls of the system that fail while a backup is restored, as on a bad disk or in a folder that loses its rights.
@Suite(.waiting) struct RestoreFailureTests {
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
      if journal == "DELETE" { try demo.execute("PRAGMA journal_mode = DELETE") }
      new = try StoreContent(valuesOf: demo.path)
      let words = ["resync", demo.path, "--pull", "--apply", "--confirm", name, "--json"]
      backup = try #require(try Tool.run(words).json()["backup"] as? String)
      try demo.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1")
      #expect(FileManager.default.fileExists(atPath: demo.path + "-wal") == (journal == "WAL"))
      old = try StoreContent(valuesOf: demo.path)
      files = Set(
        try FileTree.hashes(demo.folder.path) { !$0.contains(".backup") && !$0.hasSuffix("-shm") }.values)
    }

    /// The same again in the folder, whose path is part of what is looked for in the calls.
    func copy(to folder: TemporaryFolder) throws -> [String] {
      try FileManager.default.removeItem(atPath: folder.path)
      try FileManager.default.copyItem(atPath: demo.folder.path, toPath: folder.path)
      let backup = folder.path(URL(filePath: backup).lastPathComponent)
      return ["restore", backup, "--to", folder.path(name), "--confirm", name]
    }
  }

  private struct Call {
    let name: String
    /// What `strace` shows of it.
    let line: String
    /// What it names, and what the descriptor is of that it is given.
    let paths: [String]
    /// The path that it is told by, and its number among the calls of its name with that path. A number among all calls
    /// would be another one in the next run: a restore looks at all processes, which come and go.
    private(set) var mark = (path: "", number: 0)

    /// - Returns: nil for a line of something else, and for a look at another process.
    init?(_ line: Substring) {
      guard let call = line.split(separator: " ").dropFirst().first, let bracket = call.firstIndex(of: "(")
      else { return nil }
      name = String(call[..<bracket])
      self.line = String(line)
      let named = line.split(separator: "\"", omittingEmptySubsequences: false).dropFirst().first ?? ""
      let opened = line.split(separator: "<").dropFirst().first?.prefix { $0 != ">" } ?? ""
      paths = [named, opened].map(String.init).filter { !$0.isEmpty }
      if paths.contains(where: { $0.hasPrefix("/proc") }) { return nil }
    }

    mutating func number(among earlier: ArraySlice<Call>) {
      guard let path = paths.first else { return }
      mark = (path, earlier.count { $0.name == name && $0.paths.contains(path) } + 1)
    }
  }

  /// The calls of a whole restore, in their order.
  private static func calls(_ place: Place, in folder: TemporaryFolder) throws -> [Call] {
    let trace = TemporaryFolder("trace")
    try Tool.run(
      try #require(Tool.strace),
      ["-f", "-y", "-o", trace.path("trace"), "-e", "trace=newfstatat,getdents64,openat,renameat", Tool.path]
        + place.copy(to: folder)
    ).expectStatus()
    var calls = try trace.text("trace").split(separator: "\n").compactMap(Call.init)
    for index in calls.indices { calls[index].number(among: calls[..<index]) }
    return calls
  }

  /// N1: after the main file was exchanged, a failed look at what was kept counted as "isn't there", twice, so that it
  /// was deleted, with exit code 0. N2: a failed look at the -wal counted as "no -wal", so that it stayed next to the
  /// new store. N3: if the second lock failed, "nothing was changed" was said of a changed store.
  @Test(.enabled(if: Tool.strace != nil), arguments: ["WAL", "DELETE"])
  func failingLooks(_ journal: String) throws {
    let place = try Place(journal)
    let folder = TemporaryFolder("failing")
    let calls = try Self.calls(place, in: folder)
    let exchanged = try #require(
      calls.firstIndex { $0.name == "renameat" && $0.line.contains("\"\(place.name)\"") })
    // Of the many, some: the looks at the -wal and the journal, and all kinds from the exchange on.
    let looks = calls.enumerated().filter { index, call in
      call.name != "renameat" && !call.mark.path.isEmpty
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
      let result = try Tool.run(
        try #require(Tool.strace),
        [
          "-f", "-o", "/dev/null", "-P", call.mark.path, "-e", "trace=\(call.name)", "-e",
          "inject=\(call.name):error=EIO:when=\(call.mark.number)", Tool.path,
        ] + place.copy(to: folder))
      statuses.insert(result.status)
      let found = try StoreContent(valuesOf: folder.path(place.name))
      let isNew = found == place.new
      #expect(isNew || found == place.old, "\(call.line): \(place.old.differences(found))")
      #expect(result.status != 0 || isNew, "\(call.line)")
      #expect(!isNew || !result.errors.contains("othing was changed"), "\(call.line): \(result.errors)")
      let left = Set(try FileTree.hashes(folder.path) { !$0.contains(".backup") }.values)
      #expect(place.files.isSubset(of: left), "\(call.line): \(result.errors)")
    }
    // Without a -wal there is one exchange only, and what fails after it costs nothing.
    #expect(statuses.contains(journal == "WAL" ? 2 : 0))
  }
}
