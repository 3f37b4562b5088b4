import Forge
import Foundation
import TestSupport
import Testing

/// What people do with stores in folders and containers once they are found.
struct ContainerUseTests {
  private let folder = TemporaryFolder("find")

  /// What is named can be pasted into a shell, whatever whoever packed the folder called it: a quote, a dollar or a grave
  /// accent with a combining mark on it is one to a shell all the same.
  @Test("A folder's one store is opened, several are named so that a shell can take them")
  func folders() throws {
    try Tool.run(["summary", folder.path]).expectErrors(status: 2, "holds no store of Core Data or SwiftData")
    let name = "a`\u{301};touch x;`\u{301}$(b)\n.store"
    let store = try DemoStore.copy(in: folder.path("place"))
    try FileManager.default.moveItem(atPath: store, toPath: folder.path("place/\(name)"))
    try Tool.run(["summary", folder.path("place/")]).expectStatus()
    _ = try DemoStore.copy(in: folder.path("place/other"))
    let two = try Tool.run(["summary", folder.path("place")]).expectStatus(2)
    #expect(two.errors.split(separator: "\n").count == 3, "\(two.errors)")
    #expect(
      two.errors.utf8.split(separator: 10)[1].starts(with: "  '\(folder.path)/place/a`".utf8), "\(two.errors)"
    )
  }

  @Test("URLs and models are understood")
  func urls() throws {
    let store = try DemoStore.copy(in: folder.path("a place"))
    let url = "file://" + store.replacing(" ", with: "%20")
    let answer = try Tool.run(["summary", store, "--json"]).output
    for spelling in [
      url, url.replacing("file://", with: "FILE://localhost"), url.replacing("file://", with: "file:"),
    ] {
      #expect(try Tool.run(["summary", spelling, "--json"]).output == answer, "\(spelling)")
    }
    try Tool.run(["summary", "file://server/a.store"]).expectErrors(
      status: 2, "isn't the URL of a file on this machine")
    try folder.makeFolder("App.momd")
    try Tool.run(["summary", folder.path("App.momd/")]).expectErrors(
      status: 2, "it is a model, not a store; pass the store, and the model with --model")
  }

  @Test("An encrypted backup says so, and a wrong password too")
  func encrypted() throws {
    let demo = try Demo(leaving: .nothing)
    var backup = BackupForge()
    try backup.add(
      demo.path, domain: "AppDomain-" + FindPlace.app, path: FindPlace.support + DemoStore.fileName)
    try backup.make(at: folder.path("backup"), password: "right")
    try folder.write(Array("wrong\n".utf8), to: "wrong")
    let address = folder.path("backup!/AppDomain-\(FindPlace.app)/\(FindPlace.support)\(DemoStore.fileName)")
    for (words, problem) in [
      ([], "is an encrypted backup; pass --password to be asked for its password"),
      (["--password-file", folder.path("wrong")], "is encrypted with another password"),
    ] {
      let found = try Tool.run(["find", folder.path("backup"), "--json"] + words)
      // A script took it for a place without stores.
      #expect(found.status == 2 && found.output.contains(problem.split(separator: ";")[0]), "\(found.output)")
      for store in [address, folder.path("backup")] {
        let result = try Tool.run(["summary", store] + words)
        #expect(
          result.status == 2 && result.errors.contains(problem.split(separator: ";")[0]), "\(result.errors)")
      }
    }
  }

  @Test("Operations refuse an address, and what they advise takes the store out")
  func copiesOut() throws {
    _ = try DemoStore.copy(in: folder.path("loose"))
    var zip = ZipForge()
    for (path, bytes) in try FindPlace.files(of: folder.path("loose")) { zip.add("Data/" + path, bytes) }
    try folder.write(zip.ended, to: "case.zip")
    let address = "case.zip!/Data/\(FindPlace.support)\(DemoStore.fileName)"
    let refused = try folder.run("resync", address, "--pull", "--apply", "--confirm", DemoStore.fileName)
      .expectStatus(2)
    // It stood in quotes of its own, with a placeholder: nobody could paste it.
    let command = "storescope find '\(address)' --copy-to Journeys"
    #expect(refused.errors.hasSuffix("\n  \(command)\n"), "\(refused.errors)")
    try Tool.run(
      "/bin/sh", ["-c", command.replacing("storescope", with: Tool.path, maxReplacements: 1)], in: folder.path
    ).expectStatus()
    #expect(try folder.names().contains("Journeys"))
    // A plan is about a store that can be changed, too.
    for words in [["resync", address, "--pull"], ["reset", address, "--server-zone", "kept"]] {
      let plan = try folder.run(words)
      #expect(plan.status == 2 && plan.errors.hasSuffix(" --copy-to Journeys-2\n"), "\(plan.errors)")
    }
    let copied = try folder.run("find", address, "--copy-to", "out", "--json").expectStatus()
    let stores = try copied.json()["stores"] as? [[String: Any]] ?? []
    #expect(stores.map { $0["copy"] as? String } == ["out/" + DemoStore.fileName])
    #expect(
      try FileTree.hashes(folder.path("out"))
        == FileTree.hashes(folder.path("loose")) { !$0.hasSuffix("-shm") })
    try folder.run("find", address, "--copy-to", "out").expectRefused("never overwritten")
    try folder.run(
      "resync", "out/" + DemoStore.fileName, "--pull", "--apply", "--confirm", DemoStore.fileName
    ).expectStatus()
  }

  /// Of quotes in quotes, a shell makes other words.
  @Test(
    "No operation changes what is in a container, and whatever its path, what is advised can be pasted",
    arguments: OperationTests.commands)
  func everyOperationRefuses(_ words: [String]) throws {
    try folder.pack([("Tom's $(files)/a `b` \"c\"!.store", try FindRun.store())], as: "a  b!'c.zip")
    let before = try FileTree.hashes(folder.path)
    let result = try folder.run([words[0], "a  b!'c.zip"] + words.dropFirst())
    let lines = (result.output + result.errors).split(separator: "\n").map(String.init)
    let command = try #require(lines.first { $0.contains(" --copy-to ") }, "\(lines)")
    #expect(result.status == (words == ["repair"] ? 0 : 2), "\(result.errors)")
    #expect(command.hasPrefix("  storescope find '"))
    #expect(try FileTree.hashes(folder.path) == before)
    try Tool.run(
      "/bin/sh", ["-c", command.replacing("storescope", with: Tool.path, maxReplacements: 1)], in: folder.path
    ).expectStatus()
    #expect(
      try FileTree.hashes(folder.path).filter { before[$0.key] == nil }.keys.allSatisfy {
        $0.hasSuffix("/a `b` \"c\"!.store")
      })
  }

  /// Whoever has no path yet was sent to a page of options.
  @Test(arguments: ["summary", "pending"]) func withoutAStoreFindIsNamed(_ command: String) throws {
    try Tool.run([command]).expectRefused(
      status: 64, "'\(command)' needs a store, such as one that 'storescope find' lists.")
  }

  /// Only a second command gave the reason.
  @Test func theOneThingThatCantBeReadIsNamed() throws {
    try FindRun.makeBackup(at: "backups/0811", in: folder, password: "right")
    try folder.run("pending", "backups").expectRefused(
      "can't open 'backups/0811': it is an encrypted backup; pass --password to be asked for its password")
  }

  /// The page was about an app's own container alone.
  @Test func theWayBackNamesAppGroups() throws {
    let page = try Tool.run(["help", "places"]).output
    let back = try #require(page.range(of: "\nAnd back\n")).upperBound
    for text in ["App Group", "get_app_container booted BUNDLE GROUP", "appGroupDataContainer"] {
      #expect(page[back...].contains(text))
    }
  }

  @Test("--verbose and a report have the hashes of container and members")
  func custody() throws {
    _ = try DemoStore.copy(in: folder.path("loose"))
    var zip = ZipForge()
    for (path, bytes) in try FindPlace.files(of: folder.path("loose")) { zip.add(path, bytes) }
    try folder.write(zip.ended, to: "case.zip")
    let hashes = try FileTree.hashes(folder.path)
    let container = try #require(hashes["case.zip"])
    let notes = try folder.run("summary", "case.zip", "--verbose").errors
    let report = try folder.run("report", "case.zip", "-o", "-", "--format", "json").expectStatus()
    for suffix in ["", "-wal"] {
      let hash = try #require(hashes["loose/" + DemoStore.fileName + suffix])
      #expect(notes.contains("SHA-256 " + hash) && report.output.contains(hash))
    }
    #expect(notes.contains("SHA-256 " + container) && report.output.contains(container))
    // A result never replaces the container.
    try folder.run("report", "case.zip", "-o", "case.zip", "--format", "json", "--force")
      .expectStatus(2)
    #expect(try FileTree.hashes(folder.path) == hashes)
  }

  @Test("The shell opens addresses, and takes the copy away at its end")
  func shell() throws {
    _ = try DemoStore.copy(in: folder.path("loose"))
    var zip = ZipForge()
    for (path, bytes) in try FindPlace.files(of: folder.path("loose")) { zip.add(path, bytes) }
    try folder.write(zip.ended, to: "case.zip")
    try folder.run(
      "shell", "case.zip", "-c", "rows Attachment --json", "-c", "open loose", "-c", "rows Attachment --json",
      environment: ["TMPDIR": folder.path]
    ).expectOutput(status: 0, "case.zip!/\(FindPlace.support)", "loose/\(DemoStore.fileName)")
    #expect(try folder.names() == ["case.zip", "loose"])
  }

  /// They were left out, as if there were none to choose from.
  @Test(
    "Without an entity, those of the store in a container are named", arguments: ["a.zip", ".", "backup"])
  func entities(_ container: String) throws {
    var zip = ZipForge()
    zip.add("App.store", try FindRun.store())
    switch container {
    case "a.zip": try folder.write(zip.ended, to: container)
    case "backup": try FindRun.makeBackup(in: folder)
    default: try folder.write(try FindRun.store(), to: "App.store")
    }
    try folder.run("rows", container).expectErrors(status: 64, "needs ENTITY, one of Attachment, Entry")
  }
}
