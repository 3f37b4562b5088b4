import Foundation
import SQLite
import TestSupport
import Testing

/// What names an object: an address does, and a title that looks like one is a title. `trace "Note 5"` explained Note/p5 in
/// silence, although another note was called exactly that.
struct ObjectNameTests {
  private let demo: Demo

  init() throws {
    demo = try Demo {
      for statement in [
        "UPDATE ZTRIP SET ZTITLE = 'Trip 1' WHERE Z_PK = 2",
        "UPDATE ZTRIP SET ZTITLE = 'Trip 77' WHERE Z_PK = 3",
        "UPDATE ZTAG SET ZNAME = 'Tag 3' WHERE Z_PK = 3",
        "UPDATE ZENTRY SET ZTITLE = 'Trip/2' WHERE Z_PK = 2",
      ] {
        try $0.connection.execute(statement)
      }
    }
  }

  /// Every command that takes an object, in each form.
  static let questions: [[String]] = [
    ["trace", "STORE", "OBJECT"], ["show", "STORE", "OBJECT"], ["history", "STORE", "OBJECT"],
    ["history", "STORE", "--object", "OBJECT"], ["pending", "STORE", "--object", "OBJECT"],
    ["records", "STORE", "--object", "OBJECT"], ["query", "STORE", "object-history", "-p", "uri=OBJECT"],
    ["shell", "STORE", "-c", "show 'OBJECT'"], ["shell", "STORE", "-c", "trace OBJECT"],
  ]

  private func ask(_ question: [String], _ object: String) throws -> Tool.Result {
    try Tool.run(
      question.map {
        $0.replacingOccurrences(of: "STORE", with: demo.path).replacingOccurrences(of: "OBJECT", with: object)
      })
  }

  @Test(arguments: questions) func bothAreOffered(_ question: [String]) throws {
    let result = try ask(question, "Trip 1").expectStatus(2)
    for name in ["2 objects may be meant", "Trip/p1 \"Spring in Lisbon\"", "Trip/p2 \"Trip 1\""] {
      #expect(result.errors.contains(name), "\(result.errors)")
    }
  }

  @Test(arguments: questions) func anAddressIsUnambiguous(_ question: [String]) throws {
    let result = try ask(question, "Trip/p1").expectDone()
    #expect(!result.errors.contains("taken for"))
  }

  @Test(arguments: questions) func whatIsTakenForAnAddressIsSaid(_ question: [String]) throws {
    try ask(question, "Trip 2").expectStatus().expectErrors("'Trip 2' is taken for Trip/p2 \"Trip 1\"")
  }

  @Test(arguments: [
    // No object has that number; this one said that there is no Trip/p77.
    ("Trip 77", "Trip/p3"), ("trip 77", "Trip/p3"),
    // It has its own number as its name.
    ("Tag 3", "Tag/p3"), ("Tag/p3", "Tag/p3"), ("Tri%70/p3", "Trip/p3"),
  ]) func theTitledObjectIsMeant(_ word: String, _ object: String) throws {
    let json = try demo.json("trace", word)
    #expect(json["object"] as? String == object)
  }

  /// `Trip 2` meant the object with that key without a word.
  @Test func aTitleMayBeANumber() throws {
    let demo = try Demo { try $0.connection.execute("UPDATE ZTRIP SET ZTITLE = '2' WHERE Z_PK = 1") }
    for words in [["Trip", "2"], ["Trip 2"]] {
      try demo.run(["trace"] + words).expectErrors(status: 2, "2 objects may be meant", comment: "\(words)")
    }
  }

  /// With a slash, but without the `p` that makes it an address.
  @Test func aTitleWithASlashIsATitle() throws {
    try demo.run("trace", "Trip/2").expectErrors(status: 2, "Entry/p2 \"Trip/2\"")
  }

  @Test func anAddressWithoutAnObjectIsSaid() throws {
    try demo.run("trace", "Trip 99").expectErrors(status: 2, "has no object Trip/p99")
  }

  @Test func searchListsBoth() throws {
    let matches = try demo.json("search", "Trip 1")["matches"] as? [[String: Any]] ?? []
    let found = matches.compactMap { ($0["uri"] as? String)?.suffix(7) }
    #expect(Set(found) == ["Trip/p1", "Trip/p2"])
  }

  @Test func assistantsAreAskedBack() throws {
    let folder = TemporaryFolder("names-mcp")
    let line = """
      {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"trace","arguments":\
      {"store":"\(demo.path)","object":"Trip 1"}}}

      """
    try folder.write(Array(line.utf8), to: "input")
    try Tool.run(
      ["mcp", "--include-values"], input: folder.path("input"), output: folder.path("output"),
      errors: folder.path("errors"))
    let answer = try folder.text("output")
    #expect(answer.contains("2 objects may be meant by 'Trip 1'"), "\(answer)")
  }
}
