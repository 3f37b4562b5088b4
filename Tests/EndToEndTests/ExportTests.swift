import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// `export`: files that hold what the other commands print, and runs that end before their time.
struct ExportTests {
  private let target = TemporaryFolder("export")
  private let demo: Demo

  init() throws {
    demo = try Demo()
  }

  private struct File {
    let name: String, kind: String, path: String, rows: Int
    let columns: [[String: Any]]
  }

  private static func files(_ folder: String) throws -> [File] {
    let manifest = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: folder + "/manifest.json")))
        as? [String: Any])
    return try manifest.list("files").map { file in
      File(
        name: file["name"] as? String ?? "", kind: file["kind"] as? String ?? "",
        path: folder + "/" + (file["file"] as? String ?? ""), rows: file["rows"] as? Int ?? -1,
        columns: file["columns"] as? [[String: Any]] ?? [])
    }
  }

  @discardableResult
  private func export(_ store: String, _ folder: String, _ options: String...) throws -> Tool.Result {
    let result = try Tool.run(["export", store, "--to", folder] + options).expectStatus()
    return result
  }

  /// On 80 columns half of the files were called "tables/AN…".
  @Test func filesAreListedByTheirPaths() throws {
    let result = try demo.run("export", "--to", target.path("dump"), environment: ["COLUMNS": "80"])
      .expectDone()
    for file in try Self.files(target.path("dump")) {
      let path = file.path.dropFirst(target.path("dump/").count)
      #expect(result.output.contains("\n\(path) "), "\(result.output)")
    }
  }

  /// Who asked for CSV files got the list of them as CSV on the screen. A program still does.
  @Test func aTerminalShowsWhereTheFilesAre() throws {
    let words = ["export", demo.path, "--entity", "Tag", "--format", "csv", "--to"]
    let shown = try PseudoTerminal.run(words + [target.path("shown")])
    #expect(shown.contains("Exported to ") && shown.contains("entities/Tag.csv     8"), "\(shown)")
    try Tool.run(words + [target.path("piped")]).expectOutput(begins: "name,kind,file,rows,bytes,sha256\n")
  }

  /// The last example was broken in two lines that nobody could copy.
  @Test func examplesCanBeCopied() throws {
    try Tool.run(["export", "--help"]).expectOutput("  duckdb -c \".read load.sql\" -c \"EXPORT DATABASE")
  }

  @Test(arguments: ["ndjson", "csv"])
  func eachFileHoldsWhatItsCommandPrints(_ format: String) throws {
    let before = try FolderSnapshot(demo.folder.path)
    let folder = target.path("dump")
    try export(demo.path, folder, "--format", format)
    let files = try Self.files(folder)
    #expect(Set(files.map(\.kind)) == ["entity", "history", "table"])
    for file in files where file.kind != "entity" {
      let command =
        file.kind == "history" ? ["history", demo.path] : ["mirror", demo.path, "--table", file.name]
      let printed = try Tool.run(command + ["--format", format])
      #expect(try String(contentsOfFile: file.path, encoding: .utf8) == printed.output, "\(file.name)")
      guard format == "csv" else { continue }
      let header = printed.output.prefix { $0 != "\n" }.split(separator: ",").map(String.init)
      #expect(file.columns.compactMap { $0["name"] as? String } == header, "\(file.name)")
    }
    #expect(try FolderSnapshot(demo.folder.path) == before)
  }

  /// What a to-one relationship tells must not stand there twice: the list of a hub of a million objects fits no memory.
  @Test func objectsHaveTheirPropertiesAndEachLinkOnce() throws {
    try export(demo.path, target.path("dump"))
    for file in try Self.files(target.path("dump")) where file.kind == "entity" {
      let printed = try demo.run("rows", file.name, "--exact", "--expand", "--json")
      let objects = try printed.json().list("rows")
      // Keys of references are for other programs; their objects are compared.
      let columns = file.columns.filter { $0["type"] as? String != "key" }
      let names = columns.compactMap { $0["name"] as? String }
      let lines = try String(contentsOfFile: file.path, encoding: .utf8).split(separator: "\n")
      #expect(lines.count == file.rows)
      let written = try lines.map {
        try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
      }
      #expect(
        written.map { NSDictionary(dictionary: $0.filter { names.contains($0.key) }) }
          == objects.map { NSDictionary(dictionary: $0.filter { names.contains($0.key) }) })
      let absent = Set(objects.first.map { Array($0.keys) } ?? []).subtracting(names)
      #expect(
        absent
          == ([
            "Trip": ["packingList", "entries"], "Tag": ["children"], "City": ["entries", "landmarks"],
            "Landmark": ["entries"],
            "Entry": ["attachments"],
          ][file.name] ?? []), "\(file.name)")
    }
  }

  @Test func columnsHaveTheModelsTypes() throws {
    try export(demo.path, target.path("dump"), "--entity", "Person")
    let person = try #require(try Self.files(target.path("dump")).first)
    func column(_ name: String) -> NSDictionary? {
      person.columns.first { $0["name"] as? String == name }.map(NSDictionary.init(dictionary:))
    }
    #expect(column("birthday") == ["name": "birthday", "type": "Date", "holds": ["date"]])
    #expect(
      column("friends")
        == ["name": "friends", "type": "references", "destination": "Person", "holds": ["list"]])
  }

  @Test func howManyThreadsMakesNoDifferenceNorWhereTheStoreLies() throws {
    try demo.folder.run("export", "Journeys.store", "--to", target.path("one"), "--jobs", "1", "--blobs")
      .expectStatus()
    try export(demo.path, target.path("four"), "--jobs", "4", "--blobs")
    let one = try FileTree.hashes(target.path("one"))
    #expect(one == (try FileTree.hashes(target.path("four"))))
    let blobs = one.filter { $0.key.hasPrefix("blobs/") }
    #expect(!blobs.isEmpty)
    for (file, hash) in blobs { #expect(file == "blobs/" + hash) }
  }

  /// What a run that was cut short leaves must neither be lost nor believed: a file may have been changed since, and the
  /// journal's last line be half written. The limit on files' sizes ends the run at the first large file, as a full
  /// medium does.
  @Test func aRunThatWasCutShortIsTakenUp() throws {
    let (whole, folder) = (target.path("whole"), target.path("dump"))
    try export(demo.path, whole)
    try Tool.run(
      "/bin/sh",
      [
        "-c", "trap '' XFSZ; ulimit -f 40; exec \"$0\" \"$@\"", Tool.path, "export", demo.path, "--to",
        folder, "--jobs", "1",
      ]
    ).expectErrors(status: 2, "history.ndjson' can't be written: File too large")
    let journal = folder + "/unfinished.ndjson"
    let done = try String(contentsOfFile: journal, encoding: .utf8)
    #expect(done.split(separator: "\n").count == 10)
    try (done + "{\"file\":\"entities/Ta").write(toFile: journal, atomically: false, encoding: .utf8)
    try "{}\n".write(toFile: folder + "/entities/Person.ndjson", atomically: false, encoding: .utf8)
    // Of a thread that the next run doesn't have.
    _ = FileManager.default.createFile(atPath: folder + "/blobs/00.partial-7", contents: nil)
    let last = try export(demo.path, folder)
    #expect(last.output.contains("8 files of the unfinished export were complete and kept."))
    #expect(try FileTree.hashes(folder) == FileTree.hashes(whole))
  }

  /// Half of one state and half of another would be worse than beginning anew.
  @Test(.enabled(if: LiveWriter.isAvailable, "there is no sqlite3 shell"))
  func anUnfinishedExportOfAnotherStateIsRefused() throws {
    let folder = target.path("dump")
    _ = try Tool.run(
      "/bin/sh",
      [
        "-c", "trap '' XFSZ; ulimit -f 40; exec \"$0\" \"$@\"", Tool.path, "export", demo.path, "--to",
        folder,
      ])
    try demo.run("export", "--to", folder, "--format", "csv").expectErrors("has other options")
    let writer = try LiveWriter(demo.path)
    try writer.run("UPDATE ZTAG SET ZNAME = 'x' WHERE Z_PK = 1")
    try demo.run("export", "--to", folder).expectErrors(status: 2, "of an earlier state of this one")
    _ = try writer.finish()
  }

  /// Each thread begins its reading at another moment; all must see the same commit.
  @Test(.enabled(if: LiveWriter.isAvailable, "there is no sqlite3 shell"))
  func aStoreThatIsBeingWrittenIsExportedWhole() throws {
    let writer = try LiveWriter(demo.path)
    try writer.run(
      "BEGIN; UPDATE ZTAG SET ZNAME = 'x' WHERE Z_PK = 1; UPDATE ZTRIP SET ZTITLE = 'x' WHERE Z_PK = 1; COMMIT"
    )
    for number in 0..<5 {
      // Both tables change in one transaction, so they must agree in every state.
      try writer.send(
        (0..<200).map {
          "BEGIN; UPDATE ZTAG SET ZNAME = 's\(number)-\($0)' WHERE Z_PK = 1; UPDATE ZTRIP SET ZTITLE = 's\(number)-\($0)' WHERE Z_PK = 1; COMMIT;"
        }.joined(separator: "\n") + "\n")
      let folder = target.path("dump\(number)")
      try export(demo.path, folder, "--jobs", "4")
      func value(_ file: String, _ key: String) throws -> String? {
        let text = try String(contentsOfFile: "\(folder)/entities/\(file).ndjson", encoding: .utf8)
        let line = text.split(separator: "\n").first ?? ""
        return try (JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?[key] as? String
      }
      let (tag, trip) = (try value("Tag", "name"), try value("Trip", "title"))
      #expect(tag == trip)
    }
    _ = try writer.finish()
  }

  /// A name out of a store must not lead out of the folder, nor two entities to one file.
  @Test func hostileEntityNamesStayInTheFolder() throws {
    let names = ["../../evil", "a/b", "a b", "Tag", "TAG", "."]
    let model = ManagedObjectModel(entities: names.map { EntityDescription(name: $0) })
    let folder = TemporaryFolder("hostile")
    let path = try folder.forge(model, named: "hostile.store", leaving: .nothing)
    let target = folder.path("dump")
    try export(path, target, "--format", "csv")
    let written = try FileTree.hashes(target).keys.filter { $0.hasPrefix("entities/") }
    #expect(written.count == names.count)
    #expect(Set(written.map { $0.lowercased() }).count == names.count)
    #expect(try folder.names().filter { $0.contains("evil") }.isEmpty)
  }

  @Test func foreignFoldersAreRefused() throws {
    try export(demo.path, target.path("dump"))
    try demo.run("export", "--to", target.path("dump")).expectErrors(status: 2, "it has a finished export")
    try target.write([1], to: "file")
    for (folder, why) in [(target.path, "it isn't empty"), (target.path("file"), "it isn't a folder")] {
      try demo.run("export", "--to", folder).expectStatus(2).expectErrors(why)
    }
  }
}
