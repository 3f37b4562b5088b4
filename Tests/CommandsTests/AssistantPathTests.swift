import Base
import Forge
import Foundation
import TestSupport
import Testing

@testable import Commands

/// How an assistant sees paths, and what is kept of the stores that it named.
struct AssistantPathTests {
  private let folder = TemporaryFolder("assistant")

  // MARK: - Names

  @Test(
    arguments: [
      ("/Users/ada/My.store", "/Users/*/My.store"), ("/home/ada", "/home/*"),
      (
        "'/Users/ada/x y.zip!/Users/ada/a.store' is damaged.",
        "'/Users/*/x y.zip!/Users/*/a.store' is damaged."
      ),
      ("It is in /home/ada.", "It is in /home/*."), ("file:///Users/ada/a", "file:///Users/*/a"),
      ("/Volumes/Old/Users/ada/a", "/Volumes/Old/Users/*/a"), ("/var/home/ada/a", "/var/home/*/a"),
      ("/Users/Shared/ada.store", "/Users/Shared/ada.store"), ("/srv/ada", "/srv/ada"),
      ("/Users/", "/Users/"),
      ("/home", "/home"), ("Homes", "Homes"),
    ]) func namesAreHidden(_ text: String, _ expected: String)
  {
    let marks = Marks(saltText: "test")
    let paths = AssistantPaths(marks)
    let spelled = paths.spelled(text)
    #expect(spelled == expected.replacing("*", with: marks.mark("ada", kind: "user")))
    #expect(paths.path(spelled) == text || !text.hasPrefix("/"))
  }

  /// Of a name with a blank or a quote, only the first word was hidden.
  @Test(arguments: ["Ada Lovelace", "o'brien", "a, b", "x:y=(z)"]) func wholeNamesAreHidden(_ name: String) {
    let marks = Marks(saltText: "test")
    let paths = AssistantPaths(marks)
    let mark = marks.mark(name, kind: "user")
    for place in ["/Users/", "case.zip!/C:/Users/", "/home/"] {
      #expect(paths.spelled("\(place)\(name)/a.store", isPath: true) == "\(place)\(mark)/a.store")
      #expect(paths.path("\(place)\(mark)/a.store") == "\(place)\(name)/a.store")
    }
    // The server starts another process for the next call, which has to understand it, too.
    #expect(AssistantPaths(marks, paths.names).path("/Users/\(mark)") == "/Users/\(name)")
  }

  /// Only `find` and `doctor` hid the name; all other results had the path with it.
  @Test(arguments: AssistantTool.all.map(\.name)) func namesAreInNoResult(_ tool: String) throws {
    let home = folder.path("Users/adalovelace")
    try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
    _ = try DemoStore.copy(in: home)
    let questions = try AssistantQuestions(AssistantSettings(showsValues: false, folders: []))
    func answer(_ tool: String, _ arguments: DataValue) throws -> AssistantQuestions.Answer {
      questions.answer(try #require(AssistantTool.named(tool)), arguments)
    }
    guard case .result(let found) = try answer("find", ["path": .text(home)]),
      case .array(let stores)? = found["stores"], let address = stores.first?["address"]?.text
    else {
      Issue.record("no store is found")
      return
    }
    #expect(address.contains("/Users/user-") && !address.contains("adalovelace"))
    // What was shown leads to the store.
    let more: [String: [(String, DataValue)]] = [
      "rows": [("entity", "Trip")], "query": [("sql", "SELECT * FROM Trip")], "search": [("text", "lisbon")],
      "trace": [("object", "Trip/p1")],
      "explain": [("word", "134419")],
    ]
    let isOfStore = AssistantTool.named(tool)?.command?.store == .required
    let members = (isOfStore ? [("store", .text(address))] : []) + (more[tool] ?? [])
    switch try answer(tool, .object(members.map { .init($0.0, $0.1) })) {
    case .result(let value): #expect(!"\(value)".contains("adalovelace"), "\(value)")
    case .failure(let text): Issue.record("\(text)")
    }
    guard isOfStore else { return }
    let missing = try answer(
      tool, .object((members + [("store", .text(address + "x"))]).dropFirst().map(DataValue.Member.init)))
    guard case .failure(let text) = missing else {
      Issue.record("\(missing)")
      return
    }
    #expect(text.contains("/Users/user-") && !text.contains("adalovelace"), "\(text)")
  }

  // MARK: - Stores

  private func archive(_ name: String, _ content: String = "") throws -> String {
    var zip = ZipForge()
    let place = TemporaryFolder("store")
    let store = try DemoStore.copy(in: place.path)
    for part in ["", "-wal"] { zip.add("Demo.store" + part, try place.read(Platform.fileName(store) + part)) }
    zip.add("note.txt", Array(content.utf8))
    try? FileManager.default.removeItem(atPath: folder.path(name))
    try zip.write(to: folder.path(name))
    return folder.path(name)
  }

  /// Each call took the store out of its archive again.
  @Test func storesInArchivesAreTakenOutOnce() throws {
    let path = try archive("case.zip")
    let sources = AssistantSources()
    let first = try sources.source(of: path)
    #expect(try sources.source(of: path) === first)
    #expect(try sources.source(of: path + "!/Demo.store") !== first)
    _ = try archive("case.zip", "changed")
    let second = try sources.source(of: path)
    #expect(second !== first && second.location != first.location)
  }

  /// A backup is a folder, whose own date says nothing of what is in it.
  @Test func storesInBackupsAreTakenOutOnce() throws {
    var backup = BackupForge()
    let store = try DemoStore.copy(in: folder.path)
    try backup.add(store, domain: "AppDomain-com.example.Diary", path: "Library/Diary.store")
    let path = folder.path("backup")
    try backup.make(at: path)
    let sources = AssistantSources()
    let first = try sources.source(of: path)
    #expect(try sources.source(of: path) === first)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path + "/Manifest.db")
    #expect(try sources.source(of: path) !== first)
  }

  /// In a plain folder another store may appear.
  @Test func foldersAreSearchedAgain() throws {
    _ = try archive("one.zip")
    let sources = AssistantSources()
    _ = try sources.source(of: folder.path)
    _ = try archive("two.zip")
    #expect(throws: StoreScopeError.self) { try sources.source(of: folder.path) }
  }

  @Test func copiesAreFewAndGo() throws {
    var places: [String] = []
    try {
      let sources = AssistantSources()
      for number in 0...AssistantSources.most {
        places.append(try sources.source(of: archive("\(number).zip")).location)
      }
      #expect(places.map(FileManager.default.fileExists) == [false] + places.dropFirst().map { _ in true })
    }()
    #expect(!places.contains(where: FileManager.default.fileExists))
  }
}
