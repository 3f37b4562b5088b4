import Archives
import Base
import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// `entities --diff` and the diagrams, `doctor --validate` and `--assume-cloudkit`.
@Suite struct ModelCommandTests {
  private let folder = TemporaryFolder("model")

  private static let old = ManagedObjectModel(entities: [
    .init(
      name: "Author", attributes: [.init(name: "name", type: .string)],
      relationships: [.init(name: "books", destination: "Book", inverse: "author", isToMany: true)]),
    .init(
      name: "Book",
      attributes: [.init(name: "pages", type: .integer32), .init(name: "title", type: .string)],
      relationships: [.init(name: "author", destination: "Author", inverse: "books")]),
    .init(name: "Novel", superentity: "Book"),
  ])

  private func store(
    in other: TemporaryFolder? = nil, _ body: (Save) throws -> Void = { _ in }
  ) throws -> String {
    try (other ?? folder).forge(Self.old) { save in
      let author = try save.insert("Author", ["name": "Ann"])
      let book = try save.insert("Book", ["title": "One", "pages": 3])
      try save.link(book, "author", author)
      try body(save)
    }
  }

  private func model(_ entities: String) throws -> String { try folder.writeModel(entities) }

  private static let author = """
    <entity name="Author"><attribute name="name" attributeType="String" optional="YES"/>
    <relationship name="books" toMany="YES" optional="YES" destinationEntity="Book" inverseName="author"/></entity>
    """

  private static func book(_ attributes: String) -> String {
    """
    <entity name="Book">\(attributes)
    <relationship name="author" maxCount="1" optional="YES" destinationEntity="Author" inverseName="books"/></entity>
    <entity name="Novel" parentEntity="Book"/>
    """
  }

  @Test func differencesAreListedWithTheirMigration() throws {
    let store = try store()
    let new = try model(
      Self.author
        + Self.book(
          """
          <attribute name="pages" attributeType="String" optional="YES"/>
          <attribute name="heading" elementID="title" attributeType="String" optional="YES"/>
          """))
    let result = try Tool.run(["entities", store, "--diff", new, "--json"]).expectDone()
    let changes = try result.json().list("changes")
    let found = changes.map {
      "\($0["entity"] ?? "").\($0["property"] ?? "") \($0["change"] ?? "") \($0["migration"] ?? "")"
    }
    #expect(Set(found) == ["Book.heading attributeRenamed inferred", "Book.pages typeChanged refused"])
    try Tool.run(["entities", store, "--diff", new]).expectOutput(
      begins: "Core Data can't infer the mapping (134190): Book.pages: type changed")
    // It was cut in a terminal of 80 columns.
    try Tool.run(["entities", store, "--diff", new], environment: ["COLUMNS": "80"]).expectOutput(
      "type changed: Integer 32 → String")
    let same = try model(
      Self.author
        + Self.book(
          """
          <attribute name="pages" attributeType="Integer 32" optional="YES"/>
          <attribute name="title" attributeType="String" optional="YES"/>
          """))
    #expect(try Tool.run(["entities", store, "--diff", same]).output == "'New' is the store's model.\n")
    try Tool.run(["entities", store, "Bok", "--diff", same]).expectErrors(status: 2, "Did you mean 'Book'?")
  }

  /// That something changed was said without from what to what.
  @Test(arguments: [
    (
      #"<attribute name="pages" attributeType="Integer 32"/>"#, "becameRequired", "optional", "required",
      "failsWithNulls"
    ),
    (
      #"<attribute name="pages" attributeType="Integer 32" optional="YES" maxValueString="5"/>"#,
      "limitsChanged", "none", "max 5", "nothing"
    ),
    (
      #"<attribute name="pages" attributeType="Integer 32" optional="YES" defaultValueString="7"/>"#,
      "defaultChanged", "none", "7", "nothing"
    ),
    (
      #"<attribute name="pages" attributeType="Integer 64" optional="YES"/>"#, "typeChanged", "Integer 32",
      "Integer 64", "undocumented"
    ),
    (
      #"<attribute name="pages" attributeType="Integer 32" optional="YES" versionHashModifier="2"/>"#,
      "hashModifierChanged", "none", "2", "inferred"
    ),
    (
      #"<attribute name="pages" attributeType="Integer 32" optional="YES" allowsCloudEncryption="YES"/>"#,
      "encryptionChanged", "off", "on", "nothing"
    ),
    (
      #"<attribute name="pages" attributeType="Integer 32" optional="YES" allowsExternalBinaryDataStorage="YES"/>"#,
      "externalStorageChanged", "off", "on", "nothing"
    ),
    (
      #"<attribute name="pages" attributeType="Integer 32" optional="YES" preserveAfterDeletion="YES"/>"#,
      "preservationChanged", "off", "on", "nothing"
    ),
  ])
  func oldAndNewValuesAreListed(
    _ attribute: String, _ change: String, _ before: String, _ after: String, _ migration: String
  ) throws {
    let new = try model(
      Self.author + Self.book(attribute + #"<attribute name="title" attributeType="String" optional="YES"/>"#)
    )
    let store = try store()
    let changes = try Tool.json(["entities", store, "--diff", new]).list("changes")
    let found = changes.map { row in
      ["change", "before", "after", "migration"].map { row[$0] as? String ?? "" }
    }
    #expect(found == [[change, before, after, migration]])
    try Tool.run(["entities", store, "--diff", new]).expectOutput("\(before) → \(after)")
  }

  @Test(arguments: [
    ("mermaid", "classDiagram\n", ["class E0[\"Author\"]", "E1 <|-- E2", "String title", "books / author"]),
    ("dot", "digraph model {\n", ["{Author|name: String\\l}", "arrowhead=empty", "arrowtail="]),
    ("svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", ["<style>", ">Author<", "</svg>"]),
  ])
  func diagrams(_ format: String, _ beginning: String, _ parts: [String]) throws {
    let store = try store()
    let result = try Tool.run(["entities", store, "--format", format]).expectDone()
    #expect(result.output.hasPrefix(beginning))
    for part in parts { #expect(result.output.contains(part), "\(result.output)") }
    // One entity alone has no line to another.
    try Tool.run(["entities", store, "Book", "--format", format]).expectOutput(lacks: "Author")
  }

  @Test func svgIsXML() throws {
    let result = try Tool.run(["entities", store(), "--format", "svg"])
    #expect(try XMLReader.read(Array(result.outputBytes)).name == "svg")
  }

  @Test func valuesAreCheckedOnRequest() throws {
    let store = try store { save in
      _ = try save.insert("Book", ["title": "A very long title", "pages": 700])
      _ = try save.insert("Author")
      _ = try save.insert("Book", ["title": "Ünï🍉", "pages": 5])
    }
    let new = try model(
      """
      <entity name="Author"><attribute name="name" attributeType="String"/>
      <relationship name="books" toMany="YES" minCount="1" destinationEntity="Book" inverseName="author"/></entity>
      """
        + Self.book(
          """
          <attribute name="pages" attributeType="Integer 32" optional="YES" minValueString="1" maxValueString="600"/>
          <attribute name="title" attributeType="String" optional="YES" minValueString="5" maxValueString="10"/>
          """))
    let result = try Tool.run([
      "doctor", store, "--model", new, "--validate", "--rule", "value-invalid", "--json",
    ]).expectDone()
    let findings = try result.json().list("findings")
    let evidence = try #require(findings.first?["evidence"] as? [[String: Any]])
    let found = evidence.map {
      "\($0["entity"] ?? "")/p\($0["pk"] ?? 0).\($0["property"] ?? "") \($0["code"] ?? 0)"
    }
    #expect(
      Set(found) == [
        "Author/p2.name 1570", "Author/p2.books 1580", "Book/p2.pages 1610", "Book/p2.title 1660",
        "Book/p1.title 1670",
      ])
    let usual = try Tool.json(["doctor", store])
    #expect((usual["checked"] as? [String])?.contains("value-invalid") == false)
  }

  /// Such values were taken for valid: the bounds that a type has of itself weren't checked.
  @Test func valuesOutsideTheirTypeAreFound() throws {
    let types: [AttributeType] = [
      .integer16, .boolean, .date, .decimal, .string, .uuid, .binary, .double, .integer64,
    ]
    let path = try folder.forge(
      .init(entities: [
        .init(name: "Note", attributes: types.map { .init(name: "a\($0.rawValue)", type: $0) })
      ])
    ) { for _ in 1...2 { _ = try $0.insert("Note") } }
    let values = ["70000", "7", "'2024-01-02'", "x'00'", "x'41'", "x'0102'", "'text'", "'1,5'", "1.5"]
    let good = ["-5", "1", "7", "'12345678901234567890.5'", "'7'", "zeroblob(16)", "x''", "3", "3"]
    for (key, row) in [values, good].enumerated() {
      let set = zip(types, row).map { "ZA\($0.rawValue) = \($1)" }.joined(separator: ", ")
      _ = try Tool.run("/usr/bin/sqlite3", [path, "UPDATE ZNOTE SET \(set) WHERE Z_PK = \(key + 1)"])
    }
    let result = try Tool.run(["doctor", path, "--validate", "--rule", "value-invalid", "--json"])
    let findings = try result.json().list("findings")
    let evidence = try #require(findings.first?["evidence"] as? [[String: Any]])
    #expect(evidence.allSatisfy { $0["pk"] as? Int == 1 && $0["code"] is NSNull })
    #expect(Set(evidence.map { $0["property"] as? String }) == Set(types.map { "a\($0.rawValue)" }))
    let message = try #require(findings.first?["message"] as? String)
    #expect(message.hasSuffix("(Integer 16)."), "\(message)")
    // 1.5 is within the bounds that were named.
    let whole = try #require(
      evidence.first { $0["property"] as? String == "a\(AttributeType.integer64.rawValue)" })
    expectMembers(whole, ["rule": "it must be a whole number (Integer 64)", "value": "1.5"])
  }

  /// A date that no calendar has was called a missing one, and its bounds weren't checked: Photos' stores have such dates.
  @Test func datesBeyondTheCalendarAreValues() throws {
    let date = AttributeDescription(name: "at", type: .date, isOptional: false)
    let path = try folder.forge(.init(entities: [.init(name: "Note", attributes: [date])])) {
      for seconds in [0, 1e15, -63_114_076_800] {
        _ = try $0.insert("Note", ["at": .date(CoreDataDate(seconds: seconds))])
      }
      _ = try $0.insert("Note")
    }
    func found(_ words: [String]) throws -> [String] {
      let result = try Tool.run(["doctor", path, "--rule", "value-invalid", "--json"] + words)
      let findings = try result.json().list("findings")
      return (findings.first?["evidence"] as? [[String: Any]] ?? []).map {
        "p\($0["pk"] ?? 0) \($0["code"] ?? 0)"
      }
    }
    #expect(try found([]) == ["p2 <null>", "p4 1570"])
    let new = try model(
      """
      <entity name="Note"><attribute name="at" attributeType="Date" optional="YES" maxDateTimeInterval="100"/></entity>
      """)
    #expect(try found(["--model", new]) == ["p2 <null>", "p2 1630"])
  }

  /// Bytes that no archive has crashed the app that read them, a constraint without its index let every save fail, and a
  /// date in the wrong unit was shown as it was: none of these was found.
  @Test func whatTheAppCantReadOrSaveIsFound() throws {
    let attributes = [
      AttributeDescription(name: "archived", type: .transformable),
      .init(name: "own", type: .transformable, valueTransformerName: "AppTransformer"),
      .init(name: "at", type: .date), .init(name: "domain", type: .string), .init(name: "key", type: .string),
    ]
    let note = EntityDescription(
      name: "Note", attributes: attributes, uniquenessConstraints: [["domain", "key"]])
    let path = try folder.forge(.init(entities: [note])) {
      for key in ["a", "b", "c", "d"] {
        _ = try $0.insert("Note", ["key": .text(key), "domain": .text("x")])
      }
    }
    // One that isn't there is unique, and a transformer of the app's may write anything.
    _ = try Tool.run(
      "/usr/bin/sqlite3",
      [
        path,
        """
        DROP INDEX IF EXISTS Z_Note_UNIQUE_domain_key; UPDATE ZNOTE SET ZARCHIVED = x'0001', ZOWN = x'0001', ZAT = 63113904000.0 WHERE Z_PK = 1;
        UPDATE ZNOTE SET ZKEY = 'a', ZAT = 190141712000 WHERE Z_PK = 2; UPDATE ZNOTE SET ZKEY = NULL WHERE Z_PK > 2;
        """,
      ])
    let evidence = try Tool.json(["doctor", path, "--rule", "value-invalid"]).list("findings").first?[
      "evidence"]
    let found = (evidence as? [[String: Any]] ?? []).map {
      "p\($0["pk"] ?? 0) \($0["property"] ?? "") \($0["code"] ?? 0)"
    }
    #expect(
      Set(found) == ["p1 archived <null>", "p2 at <null>", "p1 domain, key 133021", "p2 domain, key 133021"],
      "\(found)")
  }

  /// The two of a real store that were called missing.
  @Test(
    .enabled(if: RealStores.arePresent),
    arguments: ["13.0.0", "14.6.0", "26.1"])
  func realDatesBeyondTheCalendar(_ version: String) throws {
    let (folder, path) = try RealStores.copy("osxphotos/Photos-\(version).sqlite")
    defer { _ = folder }
    let result = try Tool.json(["doctor", path, "--rule", "value-invalid", "--limit", "1000"])
    let evidence = try #require(result.list("findings").first?["evidence"] as? [[String: Any]])
    let dates = evidence.filter { $0["property"] as? String == "adjustmentVersion" }
    #expect(!dates.isEmpty && dates.allSatisfy { $0["code"] is NSNull && $0["value"] is String }, "\(dates)")
  }

  /// Bounds that Apple's own models have in the store.
  @Test(
    .enabled(if: RealStores.arePresent),
    arguments: [
      "LoopKit/Model_v1.sqlite", "CoreDataPlus/SampleModel2_V1.sqlite", "plaso/RMAdminStore-Local.sqlite",
    ])
  func realStoresAreValid(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    defer { _ = folder }
    let result = try Tool.json(["doctor", path, "--rule", "value-invalid"])
    #expect((result["findings"] as? [Any])?.isEmpty == true, "\(result["findings"] ?? "")")
    #expect(result["checked"] as? [String] == ["value-invalid"])
  }

  @Test func cloudKitsRulesAreCheckedBeforehand() throws {
    let store = try store()
    let new = try model(
      Self.author.replacingOccurrences(of: "inverseName=\"author\"", with: "ordered=\"YES\"") + Self.book(""))
    func findings(_ words: [String]) throws -> [[String: Any]] {
      let result = try Tool.run(
        ["doctor", store, "--model", new, "--rule", "cloudkit-model-incompatible", "--json"] + words)
      return try result.json().list("findings")
    }
    #expect(try findings([]).isEmpty)
    let evidence = try #require(try findings(["--assume-cloudkit"]).first?["evidence"] as? [[String: Any]])
    #expect(evidence.compactMap { $0["rule"] as? String } == ["it is ordered", "it has no inverse"])
  }

  /// Every entity of both models was listed as a difference.
  @Test func anotherAppsModelIsRecognized() throws {
    let store = try store()
    let new = try model(#"<entity name="Song"/><entity name="Album"/>"#)
    for words in [
      ["entities", store, "--diff", new], ["summary", store, "--model", new],
      ["doctor", store, "--model", new],
    ] {
      let text = try Tool.run(words).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      expectText(
        text, "no entity in common with the store: it is probably another app's model", lacks: "Album")
    }
  }

  /// A transient attribute has no values that could go, and those of a derived one can be computed again.
  @Test func transientAttributesHaveNoValues() throws {
    let path = try folder.forge(
      .init(entities: [
        .init(
          name: "Note",
          attributes: [
            .init(name: "text", type: .string), .init(name: "draft", type: .string, isTransient: true),
            .init(name: "total", type: .integer32, isDerived: true),
          ])
      ])
    ) { _ = try $0.insert("Note", ["text": "a", "total": 3]) }
    let new = try model(#"<entity name="Note"/>"#)
    try Tool.run(["preflight", path, "--model", new, "--verbose"]).expectOutput(
      "Note.text is removed with 1 value", lacks: "total")
    let lines = try Tool.run(["entities", path, "--diff", new]).output.split(separator: "\n")
    #expect(lines.contains { $0.contains("text") && $0.contains("with its values") }, "\(lines)")
    for name in ["draft", "total"] {
      #expect(!lines.contains { $0.contains(name) && $0.contains("with its values") }, "\(lines)")
    }
  }

  /// What to do about a difference had to be asked for elsewhere, and renamings were guessed of what has no values, or not
  /// seen when the property moved within its hierarchy.
  @Test(arguments: [
    (
      #"<entity name="Note"><attribute name="body" attributeType="String" optional="YES"/></entity>"#,
      "Note.text",
      "If 'text' was renamed to 'body', set the renaming ID of 'body' to 'text'. Otherwise, to keep"
    ),
    (
      #"<entity name="Note"><attribute name="text" attributeType="String" optional="YES"/></entity>"#,
      "Note.draft", "Nothing: lightweight migration does it."
    ),
    (
      #"<entity name="Note"><attribute name="text" attributeType="String" optional="YES"/><attribute name="sketch" attributeType="Integer 16" transient="YES" optional="YES"/></entity>"#,
      "Note.sketch", "Nothing: lightweight migration does it."
    ),
    (
      #"<entity name="Note"><attribute name="text" attributeType="Double" optional="YES"/></entity>"#,
      "Note.text", "Add a mapping model, or migrate in steps"
    ),
    (
      #"<entity name="Note"><attribute name="text" attributeType="String"/></entity>"#, "Note.text",
      "Make Note.text optional, or give it a default value."
    ),
    (
      #"<entity name="Note"><attribute name="text" attributeType="String" optional="YES"/><attribute name="width" attributeType="Double"/></entity>"#,
      "Note.width", "Make Note.width optional"
    ),
    (
      #"<entity name="Note"><attribute name="text" attributeType="String" optional="YES"/><attribute name="size" attributeType="Integer 32" optional="YES"/></entity>"#,
      "Note.size", "If 'pages' was renamed to 'size', set the renaming ID of 'size' to 'leaves'."
    ),
    (
      #"<entity name="Note"><attribute name="text" attributeType="String" optional="YES" defaultValueString="a"/></entity>"#,
      "Note.text", "Nothing: the store opens as it is."
    ),
    (
      #"<entity name="Note"><attribute name="text" attributeType="String" optional="YES" preserveAfterDeletion="YES"/></entity>"#,
      "Note.text", "Nothing: the store opens as it is."
    ),
    (
      #"<entity name="Note"><attribute name="text" attributeType="String" optional="YES" allowsCloudEncryption="YES"/></entity>"#,
      "Note.text", "If the field is deployed to CloudKit's production environment, its encryption"
    ),
  ])
  func eachDifferenceHasItsRemedy(_ note: String, _ subject: String, _ remedy: String) throws {
    let path = try folder.forge(
      .init(entities: [
        .init(
          name: "Note",
          attributes: [
            .init(name: "text", type: .string), .init(name: "draft", type: .integer16, isTransient: true),
          ]),
        .init(
          name: "Book", superentity: "Note",
          attributes: [.init(name: "pages", type: .integer32, renamingIdentifier: "leaves")]),
      ]))
    let new = try model(note + #"<entity name="Book" parentEntity="Note"/>"#)
    let changes = try Tool.json(["entities", path, "--diff", new]).list("changes")
    let found = changes.first { "\($0["entity"] ?? "").\($0["property"] ?? "")" == subject }
    #expect((found?["remedy"] as? String)?.hasPrefix(remedy) == true, "\(changes)")
    let text = try Tool.run(["entities", path, "--diff", new]).output
    #expect(text.contains(remedy) != remedy.hasPrefix("Nothing"), "\(text)")
  }

  /// An entity moved, and it read as if two hierarchies had been merged apart from one.
  @Test func anEntityThatMovesIsNamed() throws {
    let path = try folder.forge(.init(entities: ["Car", "Person"].map { .init(name: $0) }))
    let new = try model(#"<entity name="Car" parentEntity="Person"/><entity name="Person"/>"#)
    try Tool.run(["entities", path, "--diff", new]).expectOutput(
      "Car: moved to another hierarchy (Car → Person)")
  }

  /// Two models could only be compared with the help of a store that had one of them.
  @Test func eitherSideIsAModelOrAStore() throws {
    let store = try store()
    let pages = #"<attribute name="pages" attributeType="Integer 32" optional="YES"/>"#
    let title = #"<attribute name="title" attributeType="String" optional="YES"/>"#
    let new = try model(Self.author + Self.book(pages))
    let app = folder.path("App.app")
    try FileManager.default.createDirectory(atPath: app, withIntermediateDirectories: true)
    let old = app + "/Old.xcdatamodel"
    let oldFolder = TemporaryFolder("old")
    try FileManager.default.moveItem(
      atPath: try oldFolder.writeModel(Self.author + Self.book(pages + title)), toPath: old)
    let otherFolder = TemporaryFolder("other")
    let other = try self.store(in: otherFolder)
    func changes(_ one: String, _ two: String) throws -> [String] {
      let result = try Tool.run(["entities", one, "--diff", two, "--json"]).expectDone()
      let rows = try result.json().list("changes")
      return rows.map { "\($0["entity"] ?? "").\($0["property"] ?? "") \($0["change"] ?? "")" }
    }
    for one in [store, old] {
      #expect(try changes(one, new) == ["Book.title attributeRemoved"])
      #expect(try changes(new, one) == ["Book.title attributeAdded"])
      #expect(try changes(one, other).isEmpty)
    }
    let bundle = otherFolder.path("App.app")
    try FileManager.default.copyItem(atPath: app, toPath: bundle)
    for one in [bundle, store] { #expect(try changes(new, one) == ["Book.title attributeAdded"]) }
    #expect(try changes(bundle, new) == ["Book.title attributeRemoved"])
    try Tool.run(["entities", old, "--diff", new]).expectOutput(
      "'storescope preflight STORE --model \(new)' counts")
    // What Xcode's source control names is the file in the folder.
    #expect(try changes(new + "/contents", store) == ["Book.title attributeAdded"])
    try Tool.run(["summary", new + "/contents"]).expectRefused("it is a model, not a store")
    try Tool.run(["entities", store, "--diff", store]).expectErrors(status: 64, "the same file")
  }

  /// Nothing said whether the model had been looked at.
  @Test func whatCameOfCloudKitsRulesIsSaid() throws {
    let store = try store()
    try Tool.run(["doctor", store, "--assume-cloudkit"]).expectOutput(status: 0, "nothing in it keeps")
    let new = try model(
      Self.author.replacingOccurrences(of: "inverseName=\"author\"", with: "ordered=\"YES\"") + Self.book(""))
    let broken = try Tool.run(["doctor", store, "--model", new, "--assume-cloudkit"]).expectOutput(
      "breaks its rules 2 times")
    // "No errors." came first, of a setup that would fail.
    #expect(broken.output.hasPrefix("CloudKit: "), "\(broken.output)")
  }

  /// What the last line advises found nothing, as it lacked the options; and what was cut off couldn't be listed.
  @Test func allOfAFindingCanBeListed() throws {
    let attributes = (1...7).map {
      AttributeDescription(name: "field\($0)", type: .string, isOptional: false)
    }
    let path = try folder.forge(.init(entities: [.init(name: "Note", attributes: attributes)]))
    func output(_ more: [String]) throws -> String {
      try Tool.run(["doctor", path, "--assume-cloudkit", "--fail-on", "never"] + more).output
    }
    let rule = "cloudkit-model-incompatible"
    #expect(try output([]).contains("doctor \(path) --assume-cloudkit --verbose' explains"))
    #expect(try output(["--rule", rule]).contains("--rule \(rule) --assume-cloudkit --verbose' explains"))
    #expect(try output(["--verbose"]).contains("… and 2 more: --limit 7 lists them"))
    let all = try output(["--verbose", "--limit", "7"])
    #expect(all.contains("field7") && !all.contains("more: --limit"))
  }

  /// It printed nothing at all.
  @Test(arguments: ["mermaid", "dot", "svg"]) func differencesAreNotDrawn(_ format: String) throws {
    try Tool.run(["entities", store(), "--diff", model(Self.author), "--format", format])
      .expectErrors(status: 64, "can't draw")
  }

  /// Z_MAX is a number like any other, and the program crashed.
  @Test(arguments: [Int64.min, -1, Int64.max]) func anyHighestKeyIsRead(_ key: Int64) throws {
    let store = try store()
    _ = try Tool.run("/usr/bin/sqlite3", [store, "UPDATE Z_PRIMARYKEY SET Z_MAX = \(key)"])
    try Tool.run(["entities", store]).expectDone()
    try Tool.run(["entities", store, "Book"]).expectDone()
  }

  /// Some thresholds crashed when they were made integers.
  @Test(arguments: ["1e300", "-1e300"]) func anyThresholdIsTaken(_ value: String) throws {
    let rules = try Tool.json(["rules"]).list("rules")
    let settings = rules.flatMap { rule in
      ((rule["thresholds"] as? [[String: Any]]) ?? []).map {
        "\(rule["rule"] ?? "").\($0["name"] ?? "")=\(value)"
      }
    }
    #expect(settings.count > 20)
    let demo = try Demo()
    let result = try demo.run(["doctor", "--json"] + settings.flatMap { ["--set", $0] })
    #expect(result.status <= 1, "\(result.errors)")
  }

  /// "Nothing found" stood before that nothing was looked at.
  @Test func whatWasNotCheckedIsNotFine() throws {
    let store = try store()
    _ = try Tool.run("/usr/bin/sqlite3", [store, "DROP TABLE Z_MODELCACHE"])
    try Tool.run(["doctor", store, "--validate", "--rule", "value-invalid"]).expectOutput(
      begins: "Nothing was checked. 0 rules checked; 1 skipped")
  }

  /// Reports are for others: neither the name of a file next to the store nor that of a bundle is theirs to know, and what is
  /// no name stays readable.
  @Test func reportsKeepNamesToThemselves() throws {
    let demo = try Demo()
    _ = try Tool.run("/bin/cp", [demo.path, demo.path + ".old-secret"])
    let report = demo.folder.path("r.json")
    #expect(try demo.run("report", "-o", report).status == 0)
    let text = try String(contentsOfFile: report, encoding: .utf8)
    expectText(
      text, #""rule":"store-recreated""#, "looks like a copy that was put aside", lacks: "old-secret")
  }

  /// How many keys are gone was said, and not which.
  @Test func goneKeysAreListed() throws {
    let store = try store { save in for _ in 1...30 { _ = try save.insert("Author") } }
    _ = try Tool.run("/usr/bin/sqlite3", [store, "DELETE FROM ZAUTHOR WHERE Z_PK IN (1, 3, 4, 31)"])
    try Tool.run(["entities", store, "Author"]).expectOutput(
      "4 keys are gone", "never saved): p1, p3 to p4, p31.")
    _ = try Tool.run("/usr/bin/sqlite3", [store, "DELETE FROM ZAUTHOR WHERE Z_PK % 2 = 1"])
    try Tool.run(["entities", store, "Author"]).expectOutput("… (--verbose lists all)")
    let entity = try #require(
      (Tool.json(["entities", store, "Author", "--verbose"])["entities"] as? [[String: Any]])?.first)
    #expect((entity["keysGoneRanges"] as? [Any])?.count == 15)
    #expect(entity["keysGoneRangesComplete"] as? Bool == true)
  }

  /// Keys are assigned once, so one at or below the last belonged to an object, whatever history still has.
  @Test(arguments: [("Book/p1", true), ("Book/p99", false)])
  func aUsedKeyIsRecognized(_ object: String, _ wasUsed: Bool) throws {
    let store = try store()
    _ = try Tool.run("/usr/bin/sqlite3", [store, "DELETE FROM ZBOOK; DELETE FROM ACHANGE"])
    let result = try Tool.run(["trace", store, object]).expectStatus(2)
    #expect(result.errors.contains("its key was used") == wasUsed, "\(result.errors)")
  }
}
