import Archives
import Base
import Commands
import Forge
import Foundation
import Rendering
import TestSupport
import Testing

/// What commands print is what `storescope schema` says: on the demo store, on made-up lives, and on every real store. A key
/// that is new, gone or of another type fails here.
@Suite(.waiting) struct SchemaTests {
  @Test func everyCommandHasOne() {
    // What opens a shell prints what the commands print that run in it, and an assistant's messages have schemas of their
    // own.
    let without = ["shell", "demo", "mcp"]
    #expect(
      DocumentTable.all.map(\.command).sorted()
        == CommandTable.all.map(\.name).filter { !without.contains($0) }.sorted())
    let asked = Set(SchemaQuestions.ofDemo.map { $0[0] })
    #expect(DocumentTable.all.allSatisfy { asked.contains($0.command) })
  }

  @Test(arguments: SchemaQuestions.ofDemo) func ofTheDemo(_ question: [String]) throws {
    let violations = try #require(Schemas.all[question[0]]).violations(SchemaQuestions.answer(question))
    #expect(violations.isEmpty, "\(violations)")
    // What writes is asked for its document alone.
    if !question.contains(where: { $0.hasPrefix("FOLDER/") || $0 == "--confirm" }) {
      let places = try SchemaPlaces(for: question)
      let ofLines = try Schemas.violationsOfLines(
        SchemaQuestions.words(question, places.paths), in: places.folder)
      #expect(ofLines.isEmpty, "\(ofLines.prefix(3))")
    }
  }

  @Test(arguments: [[], ["--rows"]]) func ofAFleetsLines(_ options: [String]) throws {
    let places = try SchemaPlaces(for: [])
    let input = places.folder + "/in"
    try "Journeys.store\nOther.store\nMissing.store\n".write(toFile: input, atomically: true, encoding: .utf8)
    _ = try Tool.run(
      ["fleet", "--stdin"] + options, in: places.folder, input: input, output: places.folder + "/out",
      errors: places.folder + "/err")
    let lines = try String(contentsOfFile: places.folder + "/out", encoding: .utf8).split(separator: "\n")
    #expect(lines.count >= 3)
    let schema = try #require(Schemas.all["fleet"])
    for line in lines {
      let violations = try schema.violations(line: JSONReader.read(String(line)))
      #expect(violations.isEmpty, "\(violations.prefix(3))")
    }
  }

  /// Else a form could be wrong for good.
  @Test(arguments: DocumentTable.all.map(\.command)) func everyFormIsPrinted(_ command: String) throws {
    let shape = try #require(DocumentTable.document(of: command))
    // What is printed in the shell only, ShellScriptTests read.
    var missing = shape.forms.filter {
      $0.condition != "the file manifest.json" && !$0.condition.hasPrefix("in the shell")
        && $0.ownLines == nil
    }
    for question in SchemaQuestions.ofDemo where question[0] == command && !missing.isEmpty {
      let document = try SchemaQuestions.answer(question)
      missing.removeAll { JSONSchema(DocumentShape(command, [$0]).schema).violations(document).isEmpty }
    }
    #expect(missing.isEmpty, "\(missing.map(\.condition))")
  }

  /// The key with the number of a date that is none was missing where any value may stand. A store of Photos has one.
  @Test func ofADateThatIsNone() throws {
    let (demo, other) = (try Demo(), try Demo())
    let sql = "UPDATE ZPERSON SET ZBIRTHDAY = 1e14 WHERE Z_PK = 1"
    try Tool.run(try #require(LiveWriter.executable), [other.path, sql]).expectStatus()
    let words = ["diff", demo.path, other.path]
    try Tool.run(words + ["--json"]).expectOutput(#""to.raw":"#)
    let (violations, documents) = try Schemas.violations(words, in: demo.folder.path)
    #expect(documents == 1 && violations.isEmpty, "\(violations)")
  }

  @Test func manifestOfAnExport() throws {
    let demo = try Demo()
    let folder = demo.folder.path("export")
    _ = try demo.run("export", "--to", folder)
    let manifest = try String(contentsOfFile: folder + "/manifest.json", encoding: .utf8)
    let violations = try #require(Schemas.all["export"]).violations(JSONReader.read(manifest))
    #expect(violations.isEmpty, "\(violations)")
  }

  @Test(arguments: 0..<10) func ofMadeUpLives(_ seed: UInt64) throws {
    let folder = TemporaryFolder("life")
    let paths = try ["STORE", "OTHER"].map { name in
      let mirror = try RandomMirrorLife.live(
        seed: seed * 2 + (name == "STORE" ? 0 : 1), steps: 40, layout: seed % 2 == 0 ? .v17 : .v16,
        path: folder.path(name + ".store"))
      try mirror.forge.close(leaving: .wal)
      return (name, mirror.forge.path)
    }
    try expectValid(Dictionary(uniqueKeysWithValues: paths + [("FOLDER", folder.path)]))
  }

  /// Every store is asked what is quick, and one of each origin everything: all of everything would take a minute.
  @Test(.enabled(if: RealStores.arePresent), arguments: RealStores.all) func ofRealStores(_ name: String)
    throws
  {
    let (folder, path) = try RealStores.copy(name)
    let (otherFolder, other) = try RealStores.copy(name)
    try expectValid(
      ["STORE": path, "OTHER": other, "FOLDER": folder.path], isThorough: Self.sample.contains(name))
    withExtendedLifetime((folder, otherFolder)) {}
  }

  /// The first store of each origin. `STORESCOPE_LONG=1` makes it all of them.
  private static let sample: Set<String> = {
    if ProcessInfo.processInfo.environment["STORESCOPE_LONG"] != nil { return Set(RealStores.all) }
    let origins = Dictionary(grouping: RealStores.all) { $0.prefix { $0 != "/" } }
    return Set(origins.values.compactMap(\.first))
  }()

  private func expectValid(_ paths: [String: String], isThorough: Bool = true) throws {
    var documents = 0
    let questions =
      isThorough
      ? try SchemaQuestions.ofAnyStore + SchemaQuestions.objects(of: #require(paths["STORE"]))
      : SchemaQuestions.quick
    for question in questions {
      let words = SchemaQuestions.words(question, paths)
      let (violations, count) = try Schemas.violations(words)
      documents += count
      #expect(violations.isEmpty, "\(violations.prefix(3))")
      let ofLines = try Schemas.violationsOfLines(words)
      #expect(ofLines.isEmpty, "\(ofLines.prefix(3))")
    }
    #expect(documents > 0)
  }

  @Test func whatHasNoSchemaIsNamed() throws {
    try Tool.run(["schema", "shell"]).expectRefused(
      "'shell' prints no JSON of its own", "'storescope schema' lists")
    try Tool.run(["schema", "docter"]).expectRefused("Did you mean 'doctor'?")
    #expect(try Tool.run(["schema", "events"]).json().keys.contains("$defs"))
    #expect(try Tool.json(["schema", "events"]).keys.contains("$defs"))
  }
}

/// A schema that lets anything pass would hold nothing: documents with one key less, one more, or a value of another type
/// must be refused.
@Suite(.waiting) struct SchemaMutationTests {
  @Test(arguments: SchemaQuestions.ofDemo) func changedDocumentsAreRefused(_ question: [String]) throws {
    let document = try SchemaQuestions.answer(question)
    let shape = try #require(DocumentTable.document(of: question[0]))
    // Against its own form: a rehearsal without its result looks like a plan.
    let forms = shape.forms.filter { $0.ownLines == nil }.map {
      ($0, JSONSchema(DocumentShape(shape.command, [$0]).schema))
    }
    let (form, schema) = try #require(forms.first { $0.1.violations(document).isEmpty })
    let mutants = Mutant.all(of: document, .object(form.whole(command: shape.command)), "")
    #expect(mutants.count > 3)
    let passed = mutants.filter { schema.violations($0.document).isEmpty }.map(\.what)
    #expect(passed.isEmpty, "\(passed)")
  }
}

/// A document with one change.
private struct Mutant {
  var document: DataValue
  var what: String

  /// One for each key and each value, and of lists for their first element.
  static func all(of value: DataValue, _ shape: Shape, _ place: String) -> [Mutant] {
    switch shape {
    case .object(let keys), .named(_, let keys): ofMembers(value, keys, place, isOpen: false)
    case .open(let keys, _): ofMembers(value, keys, place, isOpen: true)
    case .list(let element):
      if case .array(let elements) = value, let first = elements.first {
        other(place)
          + all(of: first, element, place + "/0").map {
            Mutant(document: .array([$0.document] + elements.dropFirst()), what: $0.what)
          }
      } else {
        other(place)
      }
    case .orNull(let shape): value == .null ? other(place) : all(of: value, shape, place)
    case .any: []
    case .map, .either, .text, .integer, .number, .bool, .date, .uuid, .uri, .hash, .words, .pattern,
      .document:
      other(place)
    }
  }

  /// What no shape is.
  private static func other(_ place: String) -> [Mutant] {
    [Mutant(document: [[["surprise": 1]]], what: "\(place) of another type")]
  }

  private static func ofMembers(
    _ value: DataValue, _ keys: [Shape.Key], _ place: String, isOpen: Bool
  ) -> [Mutant] {
    guard case .object(let members) = value else { return other(place) }
    var mutants =
      isOpen
      ? [] : [Mutant(document: .object(members + [.init("surprise", 1)]), what: "\(place) with a new key")]
    for (index, member) in members.enumerated() {
      guard let key = keys.first(where: { $0.name == member.name }) else { continue }
      if key.condition == nil {
        var rest = members
        rest.remove(at: index)
        mutants.append(Mutant(document: .object(rest), what: "\(place) without \(key.name)"))
      }
      mutants += all(of: member.value, key.shape, "\(place)/\(key.name)").map { mutant in
        var changed = members
        changed[index].value = mutant.document
        return Mutant(document: .object(changed), what: mutant.what)
      }
    }
    return mutants
  }
}
