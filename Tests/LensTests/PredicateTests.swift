import Base
import Forge
import Foundation
import SQLite
import StoreModel
import TestSupport
import Testing

@testable import Lens

/// Predicates on the demo's journal, whose objects are known.
@Suite struct PredicateTests {
  private let folder: TemporaryFolder
  private let open: Result<OpenStore, any Error>

  init() {
    let folder = TemporaryFolder("predicate")
    self.folder = folder
    open = Result { try OpenStore(at: DemoStore.copy(in: folder.path("demo"))) }
  }

  private func compiled<R>(
    _ entity: String, _ predicate: String, _ parameters: [String: String] = [:],
    _ body: (ObjectPredicate, SchemaEntity, CoreDataStore) throws -> R
  ) throws -> R {
    let open = try open.get()
    defer { withExtendedLifetime(open) {} }
    let found = try #require(open.store.schema[entity])
    return try body(
      ObjectPredicate(predicate, of: found, in: open.store, parameters: parameters), found, open.store)
  }

  private func keys(_ entity: String, _ predicate: String, _ parameters: [String: String] = [:]) throws
    -> [Int64]
  {
    try compiled(entity, predicate, parameters) { predicate, entity, store in
      var keys: [Int64] = []
      for member in store.schema.descendants(of: entity) {
        try predicate.forEachKey(of: member, in: store) { keys.append($0) }
      }
      return keys.sorted()
    }
  }

  /// Those of Apple's page about the syntax that a SQLite store can be asked, in the journal's words.
  /// https://developer.apple.com/library/archive/documentation/Cocoa/Conceptual/Predicates/Articles/pSyntax.html
  @Test(
    arguments: [
      ("Person", "name == 'Ada Lindqvist'", [1]),
      ("Person", "(name == 'Ada Lindqvist') OR (name = \"Jonas Weber\")", [1, 2]),
      ("Person", "name LIKE 'A*'", [1]), ("Person", "name like[c] 'a*'", [1]),
      ("Entry", "trip.title LIKE[cd] 'spring*'", [2, 3, 4, 5]),
      ("Trip", "ANY entries.wordCount < 5", [1, 2]), ("Trip", "SOME entries.wordCount < 5", [1, 2]),
      ("Trip", "ALL entries.wordCount > 3", [1, 2, 3]), ("Trip", "NONE entries.wordCount < 5", [3]),
      ("Person", "name IN { 'Ada Lindqvist', 'Nobody' }", [1]),
      ("Person", "1 BETWEEN { 0 , 33 }", [1, 2, 3, 4]),
      ("Person", "NOT (name BEGINSWITH 'A')", [2, 3, 4]),
      ("Person", "!(name BEGINSWITH 'A') && TRUEPREDICATE", [2, 3, 4]), ("Person", "FALSEPREDICATE", []),
      ("Person", "birthday < now()", [1, 3, 4]), ("Person", "uppercase:(name) == 'ADA LINDQVIST'", [1]),
      ("Trip", "SUBQUERY(entries, $x, $x.wordCount < 5 AND $x.place != nil).@count == 1", [1, 2]),
      ("Trip", "entries.@count >= 4", [1]), ("Trip", "#title == 'Spring in Lisbon'", [1]),
    ] as [(String, String, [Int64])]) func applesExamples(
      _ entity: String, _ predicate: String, _ expected: [Int64]
    ) throws
  {
    #expect(try keys(entity, predicate) == expected, "\(predicate)")
  }

  @Test(
    arguments: [
      // nil is neither equal nor unequal, and only functions of Core Data's own are false for it.
      ("rating == nil", [4]), ("rating != nil", [2, 3, 5, 6, 7, 8, 9]), ("rating != 5", [2, 5, 6, 7, 8]),
      ("NOT (rating == 5)", [2, 5, 6, 7, 8]), ("rating IN {5, 4}", [3, 5, 9]),
      ("NOT (rating IN {5, 4})", [2, 6, 7, 8]),
      ("NOT (weather.condition CONTAINS 'rain') AND title == 'Tram 28'", [4]),
      // A text is compared exactly, by its scalars.
      ("title == 'pastéis'", []), ("title ==[c] 'PASTÉIS'", [3]), ("title ==[cd] 'pasteis'", [3]),
      ("title ==[d] 'Paste\u{301}is'", [3]), ("title CONTAINS 'tram'", []), ("title CONTAINS[c] 'tram'", [4]),
      ("title MATCHES '.* \\\\d+'", [4]), ("title MATCHES 'Tram'", []),
      ("title MATCHES[c] '(?:tram|x).*'", [4]),
      ("title LIKE 'T??m*'", [4]), ("'r' IN title", [2, 4, 5, 6, 7]),
      // Numbers and Booleans by value, dates in every spelling.
      ("rating == 5.0", [3, 9]), ("trip.isArchived == YES", [2, 3, 4, 5]),
      ("trip.isArchived == 1", [2, 3, 4, 5]),
      ("wordCount / 4 == 1", [3, 4, 5, 8, 9]), ("wordCount * 2 - 1 > 20", [6]), ("-wordCount < -8", [6]),
      ("trip.startDate >= '2026-04-01'", [8, 9]),
      ("trip.startDate == CAST(795657600, 'NSDate')", [2, 3, 4, 5]),
      ("trip.startDate == 795657600", [2, 3, 4, 5]),
      ("trip.startDate == CAST('2026-03-20', \"NSDate\")", [2, 3, 4, 5]),
      ("trip.identifier == 'e2c94f07-75a8-4d36-b0f1-1d5b3a8c6e90'", [8, 9]),
      // Objects, by address and by what they are.
      ("trip == 'Trip/p2'", [8, 9]), ("SELF IN {'Entry/p3', 'Entry/p4', 'Entry/p99'}", [3, 4]),
      ("trip != 'Trip/p1'", [6, 7, 8, 9]), ("place.entity.name == 'City'", [2, 4, 5, 6]),
      ("tags CONTAINS 'Tag/p7'", [2, 4]), ("'temple' IN tags.name", [8, 9]),
      ("ANY trip.entries.title == 'Tram 28'", [2, 3, 4, 5]), ("trip.entries.@count == 2", [6, 7, 8, 9]),
      ("tags.@count == 2 AND length(title) < 8", [3, 4]), ("title.length == 7", [2, 3, 4]),
      ("trip.entries.@max.wordCount == 7", [8, 9]), ("max(trip.entries.wordCount) == 7", [8, 9]),
    ] as [(String, [Int64])]) func entriesAreFound(_ predicate: String, _ expected: [Int64]) throws
  {
    #expect(try keys("Entry", predicate) == expected, "\(predicate)")
  }

  @Test func aParameterIsReadAsTheOtherSideIs() throws {
    #expect(
      try keys("Entry", "rating > $r AND trip.startDate < $day", ["r": "4.5", "day": "2026-03-25"]) == [3])
    #expect(try keys("Entry", "title == $t", ["t": "Tram 28' OR 'x"]) == [])
  }

  @Test(
    arguments: [
      ("titel == 'x'", "Entry has no property 'titel'", 0),
      ("trip.titel == 'x'", "Trip has no property 'titel'", 5),
      ("tags.name == 'x'", "this leads to many objects", 0),
      ("title == %@", "a format argument has its value in code", 9),
      ("%K == 'x'", "a format argument has its value in code", 0), ("title == $x", "$x has no value", 9),
      ("rating > nil", "nothing is more or less than nil", 9), ("nil == title", "nil stands on the right", 0),
      ("date > 'tomorrow-ish'", "'tomorrow-ish' isn't a date", 7),
      ("title > 3", "a text needs quotes", 8),
      ("thumbnail == 'x'", "data can only be compared with nil", 13),
      ("rating == 'x'", "'x' isn't a number", 10),
      ("title MATCHES '(a'", "in this pattern, a '(' has no ')'", 14),
      ("title MATCHES 'a(?=b)'", "in this pattern, '(?' can only be '(?:'", 14),
      ("title MATCHES '\\\\1'", "in this pattern, '\\1' can't be asked for", 14),
      ("title == 'a\\d'", "'\\d' is no escape", 11), ("title == 'x", "this text has no end", 9),
      ("title", "this is a value, not a condition", 0),
      ("title == 'x' rating > 3", "the condition ends before this", 13),
      ("FUNCTION(title, 'x') == 3", "there is no function 'function'", 0),
      ("tags[FIRST].name == 'x'", "[FIRST] can't be asked of a store", 4),
      ("tags.@distinctUnionOfObjects.name == 'x'", "there is no aggregate '@distinctUnionOfObjects'", 5),
      ("trip == 'Tag/p1'", "no object of Tag can be here", 8),
      ("trip == 'Trap/p1'", "there is no entity 'Trap'", 8),
      ("(title == 'x'", "the parenthesis needs ')' here", 13),
      ("title ==[x] 'y'", "the options are [c], [d], [cd] and [n]", 9),
      ("", "something is missing at the end", 0),
      ("title CONTAINS nil", "nil can't stand here", 15),
      ("ANY title == 'x'", "ANY needs a to-many relationship", 4),
      ("1 < rating < 3", "comparisons don't chain", 11),
      ("date > 2026-04-01", "this calculates a number, and", 14),
      ("title IS NULL", "'IS' is no operator", 6), ("title STARTSWITH 'A'", "'STARTSWITH' is no operator", 6),
      ("rating BETWEEN 3 AND 5", "BETWEEN takes two values in braces", 15),
      ("title == Arrival", "Entry has no property 'Arrival'", 9),
      ("title IN ('a', 'b')", "a list is in braces", 13),
      ("trp.title == 'x'", "Entry has no property 'trp'", 0),
      ("weather == nil", "weather is a composite", 0),
      ("trip.mapStyle.zoom > 1", "nothing in mapStyle can be asked for here", 5),
      ("SUBQUERY(tags, $t, $x.name == 'a').@count > 0", "no SUBQUERY here has the variable $x", 19),
      ("title == “x”", "'“' means nothing here", 9), ("wordCount % 2 == 0", "'%' means nothing here", 10),
      ("trip IN {1, 2}", "an object can't be compared with a whole number", 9),
      ("rating IN {title}", "a number can't be compared with a text", 11),
      ("trip < 'Trip/p3'", "an object is neither more nor less", 7),
      ("CAST(title, 'NSDate') > 1", "a text isn't a date", 5),
      ("place == 'Landmark/p1'", "'Landmark/p1' is City/p1", 9),
      ("tags.@count.x == 1", "@count is a number", 12),
      ("'\\x+4' == title", "an escape has 2 digits", 1),
      ("tags CONTAINS SELF", "an object can't be compared with an object", 14),
    ] as [(String, String, Int)]) func aMistakeHasItsPlace(
      _ predicate: String, _ problem: String, _ offset: Int
    ) throws
  {
    let mistake = try #require(throws: PredicateMistake.self) { _ = try keys("Entry", predicate) }
    #expect(mistake.problem.hasPrefix(problem), "\(mistake)")
    #expect(mistake.offset == offset, "\(predicate): \(mistake)")
  }

  /// Apple's documentation of Core Data lists what its SQLite store can't fetch with.
  @Test(
    arguments: [
      ("ALL tags.name == 'x'", ["ALL"]),
      ("ANY trip.entries.tags.name == 'x'", ["ANY over two to-many relationships"]),
      ("rating ** 2 > 4", ["**"]), ("floor(rating) == 3", ["floor"]),
      ("'abc' CONTAINS title", ["text operator without a key path on its left"]),
      ("ANY tags.name == 'x'", []),
    ] as [(String, [String])]) func whatAppsCantFetchIsNamed(_ predicate: String, _ lacks: [String]) throws
  {
    #expect(try compiled("Entry", predicate) { predicate, _, _ in predicate.lacks } == lacks)
  }

  /// Assistants that are shown no values may ask for all else.
  @Test(arguments: [
    ("tags.@count > 1 AND trip != nil", false), ("title != nil", false), ("title == 'x'", true),
    ("trip == 'Trip/p1'", false), ("ANY tags.name == 'x'", true), ("trip.title == nil", false),
    ("SUBQUERY(tags, $t, $t.name == 'x').@count > 0", true), ("trip.entries.@max.wordCount > 3", true),
    ("length(title) == 3", true), ("entity.name == 'Entry'", false),
  ]) func readingValuesIsKnown(_ predicate: String, _ reads: Bool) throws {
    #expect(
      try compiled("Entry", predicate) { predicate, _, _ in predicate.readsValues } == reads, "\(predicate)")
  }

  /// ICU judges the same; an empty text too.
  @Test(arguments: [
    "a*b", "(a|b)*c", "[a-c]+", "[^a-c]+", "a{2}", "a{2,}b?", "a{1,3}", "\\w+ \\d", ".*", "^a.$", "(?:ab)+?c",
    "[\\d-]+",
    "\\bx\\b.*", "a\\.b", "(a?){3}a{3}", "", "|a", "[é\\s]+", "\\u0061\\x62", "(?i)AB", "[]a]+", "a|b|",
    "(()|a)+b",
  ]) func patternsMatchAsICUs(_ pattern: String) throws {
    guard let compiled = try? PredicatePattern(pattern, []) else {
      // ICU takes `]` at a set's beginning for itself; that has to be written as `\]` here.
      #expect(pattern == "[]a]+")
      return
    }
    let icu = try NSRegularExpression(pattern: "^(?:\(pattern))\\z")
    for text in [
      "", "a", "b", "ab", "aab", "abc", "ababc", "aaa", "aaaa", "abcabc", "x", "x y", "word 7", "1-2", "a.b",
      "acb", "é ", "AB",
      "a\n", "ac", "\u{1F600}",
    ] {
      let expected = icu.firstMatch(in: text, range: NSRange(text.startIndex..., in: text)) != nil
      #expect(try compiled.matches(text) == expected, "\(pattern) on '\(text)'")
    }
  }

  /// Going back over all ways to match takes a time that doubles with each letter.
  @Test func aHostilePatternEnds() throws {
    let text = String(repeating: "a", count: 5000)
    #expect(try !PredicatePattern("(a+)+b", []).matches(text))
    #expect(try !PredicatePattern("(a|a)*b", []).matches(text))
    // And it asks whether the time is up.
    #expect(throws: CancellationError.self) {
      try PredicatePattern("(.*a){900}c", []).matches(text) { throw CancellationError() }
    }
    #expect(throws: PredicateMistake.self) {
      _ = try PredicatePattern("((((a{900}){900}){900}){900}){900}", [])
    }
    #expect(throws: PredicateMistake.self) { _ = try PredicatePattern("((((){900}){900}){900}){900}", []) }
    #expect(throws: PredicateMistake.self) {
      _ = try PredicatePattern(String(repeating: "(", count: 100_000), [])
    }
  }

  /// SQLite's own functions end at a NUL, and some fail on large numbers; a BLOB is no text.
  @Test func oddValuesAreCompared() throws {
    let path = try DemoStore.copy(in: folder.path("odd"))
    let connection = try Connection(
      path: path, options: OpenOptions(.readWrite(create: false), trustsSchema: true))
    try connection.execute(
      """
      UPDATE ZENTRY SET ZTITLE = CAST(x'616200636465' AS TEXT), ZWORDCOUNT = 9223372036854775807 WHERE Z_PK = 2;
      UPDATE ZENTRY SET ZTITLE = x'6162', ZWORDCOUNT = 9223372036854775807 WHERE Z_PK = 3;
      UPDATE ZENTRY SET ZWORDCOUNT = -9223372036854775807 - 1 WHERE Z_PK = 7
      """)
    connection.close()
    let open = try OpenStore(at: path)
    func keys(_ name: String, _ predicate: String) throws -> [Int64] {
      let entity = try #require(open.store.schema[name])
      var keys: [Int64] = []
      try ObjectPredicate(predicate, of: entity, in: open.store).forEachKey(of: entity, in: open.store) {
        keys.append($0)
      }
      return keys
    }
    for predicate in ["title ENDSWITH 'cde'", "title LIKE 'ab*e'", "title LIKE 'ab?cde'"] {
      #expect(try keys("Entry", predicate) == [2], "\(predicate)")
    }
    #expect(try keys("Entry", "length(title) == 6") == [2])
    for predicate in ["title ENDSWITH 'ab'", "title LIKE 'ab'", "title ==[c] 'AB'", "title MATCHES 'ab'"] {
      #expect(try keys("Entry", predicate).isEmpty, "\(predicate)")
    }
    #expect(try keys("Trip", "entries.@sum.wordCount > 9000000000000000000") == [1])
    #expect(try keys("Entry", "abs(wordCount) > 9000000000000000000") == [2, 3, 7])
    withExtendedLifetime(open) {}
  }

  /// Generated predicates have many parts; what is too much for SQLite is a mistake in the predicate, not in the store.
  @Test func longPredicatesRun() throws {
    let many = (0..<5000).map { "wordCount == \($0)" }
    #expect(try keys("Entry", many.joined(separator: " OR ")).count == 8)
    #expect(try keys("Entry", many.map { "NOT \($0)" }.joined(separator: " AND ")).isEmpty)
    #expect(try keys("Entry", "title LIKE '\(String(repeating: "*a", count: 40_000))*'").isEmpty)
    // Each level had the one below it three times in its SQL.
    let nested = (0..<12).reduce("wordCount") { inner, _ in "abs(\(inner))" }
    try compiled("Entry", "\(nested) == 8") { predicate, _, _ in
      #expect(predicate.condition.utf8.count < 1000)
    }
    let deep = (0..<40).reduce("TRUEPREDICATE") { part, _ in "SUBQUERY(children, $t, \(part)).@count > 0" }
    let mistake = try #require(throws: PredicateMistake.self) { _ = try keys("Tag", deep) }
    #expect(mistake.problem.hasPrefix("this is too much for SQLite"), "\(mistake)")
  }

  /// What nests deep, or is long, is refused or read, and never takes the stack.
  @Test(arguments: ["(", "NOT ", "-", "SUBQUERY(tags, $x, ", "{", "2 ** ", "1 + ", "length(", "(1).length."])
  func deepNestingIsRefused(_ part: String) throws {
    #expect(throws: PredicateMistake.self) {
      _ = try keys("Entry", String(repeating: part, count: 100_000))
    }
  }
}
