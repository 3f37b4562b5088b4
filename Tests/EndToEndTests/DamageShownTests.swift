import Forge
import Foundation
import TestSupport
import Testing

/// Damage that `find` and `doctor` report: the other commands read the store as if nothing were wrong, and plans could be
/// applied until the moment of applying them.
struct DamageShownTests {
  enum Damage: String, CaseIterable {
    case page, cutOff

    var says: String {
      switch self {
      case .page: "SQLite's check finds damage: "
      case .cutOff: "it is cut off: 2 of its "
      }
    }

    func store() throws -> TemporaryFolder {
      var main = try Demo(leaving: .nothing).folder.read(DemoStore.fileName)
      switch self {
      case .page: for index in main.count / 2..<main.count / 2 + 8192 { main[index] = 0x55 }
      case .cutOff: main.removeLast(8192)
      }
      let folder = TemporaryFolder("damaged")
      try folder.write(main, to: "App.store")
      return folder
    }
  }

  @Test(arguments: Damage.allCases, ["summary", "pending", "repair"])
  func isSaidFirst(_ damage: Damage, _ command: String) throws {
    let folder = try damage.store()
    let result = try folder.run(command, "App.store")
    let lines = result.output.split(separator: "\n")
    let line = try #require(lines.firstIndex { $0.hasPrefix("Damaged: \(damage.says)") }, "\(result.output)")
    // Below the summary's title.
    #expect(line == (command == "summary" ? 1 : 0), "\(result.output)")
    let json = try folder.run(command, "App.store", "--json").json()
    #expect((json["damage"] as? String)?.hasPrefix(damage.says) == true)
  }

  @Test(arguments: Damage.allCases, [["resync", "--pull"], ["reset", "--server-zone", "kept"]])
  func noPlanCanBeApplied(_ damage: Damage, _ command: [String]) throws {
    let folder = try damage.store()
    let words = [command[0], "App.store"] + command.dropFirst()
    try folder.run(words).expectOutput("Can't be applied", "The store is damaged: \(damage.says)")
    for more in [["--rehearse"], ["--apply", "--confirm", "App.store"], ["--on-copy", "Copy.store"]] {
      try folder.run(words + more).expectErrors(
        status: 2, "The store is damaged: \(damage.says)", comment: "\(more)")
      #expect(try folder.names() == ["App.store"])
    }
  }

  /// SQLite's words for the cut-off store were all that this said.
  @Test func whatCantBePlannedSaysWhy() throws {
    let folder = try Damage.cutOff.store()
    let result = try folder.run("repair", "App.store", "raise-max")
    #expect(
      (result.output + result.errors).contains("The store is damaged: it is cut off"), "\(result.errors)")
  }

  @Test func aTornWALIsAWarning() throws {
    let demo = try Demo()
    let name = DemoStore.fileName
    try demo.folder.write(Array(try demo.folder.read(name + "-wal").dropLast(1000)), to: name + "-wal")
    try demo.run("resync", "--pull").expectOutput("Can be applied", "• Its -wal is torn", "is lost")
    try demo.run("summary").expectOutput("\nDamaged: its -wal is torn", lacks: "The WAL's end")
  }

  @Test("An earlier state has nothing of the end of a -wal")
  func earlierState() throws {
    let demo = try Demo()
    let name = DemoStore.fileName
    try demo.folder.write(Array(try demo.folder.read(name + "-wal").dropLast(1000)), to: name + "-wal")
    try demo.run("summary", "--as-of-commit", "1").expectOutput(status: 0, lacks: "Damaged")
  }

  /// Plans were made as if nothing could be missing, and a -wal that turned up later would have damaged the store.
  @Test(arguments: [
    (["resync", "--pull"], "not what was only saved here"),
    (["resync", "--push"], "older values as the newest"),
    (["resync", "--rescan"], "history lacks the newest saves"),
    (["reset", "--server-zone", "kept", "--discard-pending-deletes"], "uploads an older state"),
  ])
  func plansSayThatTheWALIsMissing(_ command: [String], _ consequence: String) throws {
    let demo = try Demo(leaving: .nothing)
    let words = [command[0], demo.path] + command.dropFirst()
    let plan = try Tool.run(words).output.replacing("\n", with: " ")
    #expect(plan.contains("• No -wal file next to the store"), "\(plan)")
    #expect(plan.contains(consequence), "\(plan)")
    #expect(plan.contains("Copy the store and its -wal again, together, from where they came."), "\(plan)")
    // The rehearsal said that this finding goes away, as it looks at no file.
    try Tool.run(words + ["--rehearse"]).expectOutput(/wal-missing +\d+ +\? +unknown: The rule looks at/)
    try Tool.run(words + ["--apply", "--confirm", DemoStore.fileName]).expectOutput(
      status: 0, "If the missing -wal turns up", "'storescope help places'")
  }

  @Test("So does a plan that can't be applied, and trace")
  func otherPlaces() throws {
    let demo = try Demo(leaving: .nothing)
    for words in [["reset", demo.path, "--server-zone", "kept"], ["trace", demo.path, "Trip/p1"]] {
      try Tool.run(words).expectOutput("No -wal file next to the store")
    }
  }

  /// What isn't found is in the -wal, perhaps, and nobody was told.
  @Test(arguments: ["trace", "show", "search"]) func whatIsNotFoundMayBeInTheWAL(_ command: String) throws {
    let demo = try Demo(leaving: .nothing)
    try demo.run(command, "no such text").expectErrors("No -wal file next to the store")
  }
}
