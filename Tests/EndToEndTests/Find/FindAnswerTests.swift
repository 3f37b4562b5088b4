import Base
import Discovery
import Forge
import Foundation
import TestSupport
import Testing

/// What `find` answers to one who looks for a store and doesn't know where it is.
struct FindAnswerTests {
  private let folder = TemporaryFolder("answers")

  private static let device = "Devices/0A1B"
  private static let container = device + "/data/Containers/Data/Application/9C8D"

  /// A store in a simulator with a name.
  private func simulator() throws -> TemporaryFolder {
    let demo = try Demo(leaving: .nothing)
    try FindPlace.copy(demo.folder.path, to: folder.path(Self.container + "/Library/Application Support"))
    try FindPlace.noteOwner(FindPlace.app, in: folder.path(Self.container))
    let list = ["name": "iPhone 17 Pro", "runtime": "com.apple.CoreSimulator.SimRuntime.iOS-26-1"]
    try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0)
      .write(to: URL(filePath: folder.path(Self.device + "/device.plist")))
    return folder
  }

  /// 'find' left the -wal out of a store's size, then external files, which 'summary' counts.
  @Test func aStoreHasOneSize() throws {
    let demo = try Demo()
    let found = try Tool.run(["find", demo.folder.path]).output
    let summary = try demo.run("summary").output
    func kilobytes(_ text: String, _ pattern: Regex<(Substring, Substring)>) throws -> Int {
      let match = try #require(text.firstMatch(of: pattern))
      return try #require(Int(match.1))
    }
    let all = try kilobytes(summary, #/size +(\d+) kB/#)
    #expect(try kilobytes(found, #/\n *(\d+) kB/#) == all, "\(found)\(summary)")
  }

  private static let store = container + "/Library/Application Support/" + DemoStore.fileName

  /// Nothing said which of several simulators, nor whose `default.store` was open.
  @Test func aSimulatorHasItsNameAndSystem() throws {
    let folder = try simulator()
    let name = "iPhone 17 Pro, iOS 26.1"
    let found = try folder.run("find", "Devices", "--json").json()
    let store = try #require((found["stores"] as? [[String: Any]])?.first)
    #expect(store["device"] as? String == name)
    #expect(try folder.run("find", "Devices").output.contains(name))
    try folder.run("summary", Self.store).expectOutput("\nApp \(FindPlace.app), on \(name)\n")
    let json = try folder.run("summary", Self.store, "--json").json()
    #expect(json["app"] as? String == FindPlace.app && json["device"] as? String == name)
  }

  @Test func thePromptShowsTheApp() throws {
    let folder = try simulator()
    let session = try TerminalSession([folder.path(Self.store), "--no-pager"])
    // The name is bold.
    try session.wait(for: " (\(FindPlace.app)) ")
    try session.quit("quit\r")
  }

  /// It said that stores in containers aren't changed, and left its backup in the app's container.
  @Test func aPlanInASimulatorSaysToQuitTheApp() throws {
    let folder = try simulator()
    let plan = try folder.run("resync", Self.store, "--pull").output
      .replacing("\n", with: " ")
    #expect(plan.contains("quit the app first, and pass --backup-to FOLDER"), "\(plan)")
    try folder.run("resync", Self.store, "--pull", "--backup-to", folder.path).expectOutput(
      "quit the app first.", lacks: "--backup-to")
  }

  @Test(
    "Whose a store is shows by its place in an archive", arguments: ["a.zip", "a.tar", "mac.tar", "mac.zip"])
  func owners(_ name: String) throws {
    let isMac = name.hasPrefix("mac")
    let place = isMac ? "Library/Containers/\(FindPlace.app)/Data/" : FindPlace.container
    let demo = try Demo(leaving: .nothing)
    let files = try FindPlace.files(of: demo.folder.path).filter { !isMac || !$0.path.hasSuffix(".plist") }
    try folder.pack(files.map { (place + $0.path, $0.bytes) }, as: name)
    let found = try FindRun.find(name, in: folder)
    let store = try #require((try found.result.json()["stores"] as? [[String: Any]])?.first)
    #expect(store["app"] as? String == FindPlace.app)
    // A tar isn't read once more for this.
    guard name != "a.tar" else { return }
    try folder.run("summary", found.addresses[0]).expectOutput("\nApp \(FindPlace.app)\n")
  }

  /// After a restore, a folder with one store had two for `find`, and its own name didn't open it.
  @Test func copiesOfOursAreCounted() throws {
    let store = "place/" + DemoStore.fileName
    _ = try DemoStore.copy(in: folder.path("place"))
    let applied = try folder.run(
      "resync", store, "--pull", "--apply", "--confirm", DemoStore.fileName, "--json")
    let backup = try #require(try applied.json()["backup"] as? String, "\(applied.errors)")
    try folder.run("restore", backup, "--confirm", DemoStore.fileName).expectStatus()
    try folder.run("find", "place").expectOutput("(1 store)", "Not listed: 2 copies that storescope made")
    try folder.run("find", "place", "--verbose").expectOutput("(3 stores)", lacks: "Not listed")
    let stores = try folder.run("find", "place", "--json").json().list("stores")
    #expect(stores.count { $0["isCopy"] as? Bool == true } == 2 && stores.count == 3)
    let newest = try FindRun.find("place", in: folder, "--newest")
    #expect(newest.addresses == [store])
    // Asked for, they are stores like others.
    try folder.run("find", backup).expectOutput("(1 store)")
    try folder.run("summary", "place", "--json").expectOutput(status: 0, store)
  }

  @Test func theNextCommandIsTheLastLine() throws {
    try folder.pack([("Töm's/App.store", try FindRun.store())], as: "a.zip")
    let one = try folder.run("find", "a.zip").output
    let command = try #require(one.split(separator: "\n").last?.split(separator: ": ", maxSplits: 1).last)
    try Tool.run(
      "/bin/sh", ["-c", "exec '\(Tool.path)' \(command.dropFirst("storescope ".count)) </dev/null"],
      in: folder.path
    ).expectOutput(status: 0, "App.store · ", comment: "\(one)")
    for format in ["json", "ndjson", "csv"] {
      try folder.run("find", "a.zip", "--format", format).expectOutput(lacks: "To open")
    }
  }

  /// The hint named STORE, and in the shell 'doctor' checked the open store instead.
  @Test func theHintForADamagedStoreWorksAsTyped() throws {
    let folder = try DamageShownTests.Damage.page.store()
    try folder.run("find", ".").expectOutput(
      "To see all that is wrong with it: storescope doctor ./App.store\n")
    try folder.write(try FindRun.store(), to: "B.store")
    let session = try TerminalSession([folder.path("B.store"), "--no-pager"], columns: 200)
    try session.waitForPrompt()
    session.type("find \(folder.path)\r")
    try session.wait(for: "'open 1', then 'doctor', shows all that is wrong with it.")
    session.type("open 1\r")
    try session.wait(for: "Damaged: ")
    session.type("doctor\r")
    try session.wait(for: "The file is damaged")
    session.type("quit\r")
    _ = try session.end()
  }

  @Test("Without a mirrored store, the answer isn't about apps")
  func mirrored() throws {
    try folder.run("find", ".", "--mirrored").expectOutput("No store of Core Data")
    for (count, words) in [
      (1, "1 store was found, and it isn't mirrored"), (2, "2 stores were found, and none is mirrored"),
    ] {
      _ = try SmallStores.healthy(in: folder, "\(count).store")
      try folder.run("find", ".", "--mirrored").expectOutput("\(words) to CloudKit.", lacks: "app")
    }
  }

  /// Errors go to assistants and into a fleet's files, where a simulator's name, which a person chose, has no place.
  @Test func aFolderWithSeveralListsThemWithoutNamesOfDevices() throws {
    let folder = try simulator()
    try folder.write(try FindRun.store(), to: "B.store")
    let result = try folder.run("summary", ".").expectErrors(
      status: 2, "B.store  (36 objects, 25 pending)", "(\(FindPlace.app), 36 objects, 25 pending)")
    #expect(!result.errors.contains("iPhone"), "\(result.errors)")
  }

  /// On a Mac, reading a file that is in iCloud only downloads it.
  @Test func whatIsInICloudOnlyIsNotRead() throws {
    for name in ["Here.store", "Cloud.store", "Photo", "Half.store", "Half.store-wal", "Old.zip"] {
      try folder.write(try FindRun.store(), to: name)
    }
    let remote = Set(
      ["Cloud.store", "Photo", "Half.store-wal", "Old.zip"].compactMap { FileIdentity(folder.path($0)) })
    var (found, skipped): ([String], [String: String]) = ([], [:])
    let finder = StoreFinder(
      .init(found: { found.append($0.address) }, skipped: { skipped[$0.address] = $0.because }),
      isElsewhere: { remote.contains($0.identity) })
    try finder.look(at: folder.path)
    #expect(found == [folder.path("Here.store")])
    #expect(skipped[folder.path("Cloud.store")]?.contains("is in iCloud only") == true)
    #expect(skipped[folder.path("Old.zip")]?.contains("is in iCloud only") == true)
    #expect(skipped[folder.path("Half.store")]?.contains("its -wal is in iCloud only") == true)
    #expect(skipped[folder.path]?.contains("2 files in it are in iCloud only") == true, "\(skipped)")
    #expect(FileStatus.isDataless(flags: 0x4000_0020) && !FileStatus.isDataless(flags: 0x20))
  }

  /// `fleet --app` left out what is in iCloud only: a folder or an archive there may have stores of any app, and a store is
  /// its app's.
  @Test func whatIsInICloudOnlyIsWhose() throws {
    let folder = try simulator()
    let app = Self.container + "/Library/Application Support"
    try folder.write(try FindRun.store(), to: "\(app)/Cloud.store")
    try folder.write(try FindRun.store(), to: "Old.zip")
    try folder.write(Array("photo".utf8), to: "Photo")
    let remote = Set(["\(app)/Cloud.store", "Old.zip", "Photo"].compactMap { FileIdentity(folder.path($0)) })
    var skipped: [String: SkippedPlace] = [:]
    let finder = StoreFinder(
      .init(found: { _ in }, skipped: { skipped[$0.address] = $0 }),
      isElsewhere: { remote.contains($0.identity) })
    try finder.look(at: folder.path)
    let store = try #require(skipped[folder.path("\(app)/Cloud.store")])
    #expect(store.owner.app == FindPlace.app && !store.isContainer)
    #expect(skipped[folder.path("Old.zip")]?.isContainer == true)
    #expect(skipped[folder.path]?.isContainer == true)
  }

  /// It suggested to unpack the archive, but not that the password given is of no use.
  @Test func aPasswordIsForBackupsOnly() throws {
    var zip = ZipForge()
    zip.add("App.store", try FindRun.store())
    var bytes = zip.ended
    // The first bit of the flags, of the file and of its entry in the list.
    bytes[6] |= 1
    let list = try #require(
      (0..<bytes.count - 4).last { bytes[$0..<$0 + 4].elementsEqual([0x50, 0x4b, 1, 2]) })
    bytes[list + 8] |= 1
    try folder.write(bytes, to: "a.zip")
    try folder.write(Array("secret".utf8), to: "password")
    try folder.run("find", "a.zip", "--password-file", "password").expectOutput(
      "it is encrypted, and --password opens only backups")
    try folder.run("summary", "a.zip!/App.store").expectErrors(status: 2, "--password opens only backups")
  }

  /// A folder `a.zip!` was made for what was written there, and from then on no address in `a.zip` led anywhere.
  @Test(arguments: [
    (["resync", "B.store", "--pull", "--on-copy", "a.zip!/C.store"], "pass a path outside of it"),
    (["redact", "B.store", "-o", "a.zip!/C.store"], "pass a path outside of it"),
    (["export", "B.store", "--to", "a.zip!/E"], "pass a path outside of it"),
    (["find", "B.store", "--copy-to", "a.zip!/E"], "pass a path outside of it"),
    (["summary", "B.store", "--model", "a.zip!/M.momd"], "pass a path outside of it"),
    (["restore", "a.zip!/B.backup"], "Take it out first: unzip a.zip 'B.backup*'"),
  ])
  func anAddressIsNoPlaceForAnythingElse(_ words: [String], _ says: String) throws {
    try folder.pack([("App.store", try FindRun.store())], as: "a.zip")
    try folder.write(try FindRun.store(), to: "B.store")
    try folder.run(words).expectErrors(status: 64, says)
    #expect(try folder.names() == ["B.store", "a.zip"])
  }
}
