import Foundation
import TestSupport
import Testing

extension Tool {
  static let strace = ["/usr/bin/strace", "/usr/local/bin/strace"].first {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  /// What a command prints with `--json`, where it is done.
  static func json(_ words: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> [String:
    Any]
  {
    let result = try run(words + ["--json"])
    #expect([0, 1].contains(result.status), "\(words): \(result.errors)", sourceLocation: sourceLocation)
    return try result.json()
  }
}

/// What a text may have in it.
protocol TextPart {
  func isIn(_ text: String) -> Bool
}

extension String: TextPart {
  func isIn(_ text: String) -> Bool { text.contains(self) }
}

extension Regex: TextPart {
  func isIn(_ text: String) -> Bool { text.contains(self) }
}

/// All of `parts` are in the text, and none of `absent`.
func expectText(
  _ text: Any?, begins start: String = "", ends end: String = "", _ parts: any TextPart...,
  lacks absent: any TextPart..., comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = text as? String ?? (text as? Substring).map { String($0) }
  expect(text, start, end, parts, absent, comment, sourceLocation)
}

private func expect(
  _ text: String?, _ start: String, _ end: String, _ parts: [any TextPart], _ absent: [any TextPart],
  _ comment: String, _ sourceLocation: SourceLocation
) {
  guard let text, text.hasPrefix(start), text.hasSuffix(end) else {
    Issue.record("\(text ?? "nothing") \(comment)", sourceLocation: sourceLocation)
    return
  }
  for part in parts where !part.isIn(text) {
    Issue.record("no '\(part)' in: \(text) \(comment)", sourceLocation: sourceLocation)
  }
  for part in absent where part.isIn(text) {
    Issue.record("'\(part)' in: \(text) \(comment)", sourceLocation: sourceLocation)
  }
}

/// Each member has that value, and its type.
func expectMembers(
  _ object: [String: Any], _ members: KeyValuePairs<String, any Equatable>, comment: String = "",
  sourceLocation: SourceLocation = #_sourceLocation
) {
  func isEqual<Value: Equatable>(_ member: Any?, to value: Value) -> Bool { member as? Value == value }
  for (name, value) in members {
    let member = object[name]
    let isRight = isEqual(member, to: value)
    #expect(
      isRight, "\(name) is \(String(describing: member)), not \(value) \(comment)",
      sourceLocation: sourceLocation)
  }
}

/// Members of an answer in JSON.
extension [String: Any] {
  func object(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [String: Any] {
    try #require(self[name] as? [String: Any], "\(name)", sourceLocation: sourceLocation)
  }

  func list(_ name: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> [[String: Any]] {
    try #require(self[name] as? [[String: Any]], "\(name)", sourceLocation: sourceLocation)
  }
}

/// What every run owes its user, whatever the store holds.
extension Tool.Result {
  /// Done, and nothing to say next to the result.
  @discardableResult
  func expectDone(_ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation) -> Self {
    #expect(status == 0 && errors.isEmpty, "\(status) \(errors) \(comment)", sourceLocation: sourceLocation)
    return self
  }

  /// All of `parts` are printed, and none of `absent`.
  @discardableResult
  func expectOutput(
    status: Int32? = nil, begins start: String = "", ends end: String = "", _ parts: any TextPart...,
    lacks absent: any TextPart..., comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    if let status { expectStatus(status, comment: comment, sourceLocation: sourceLocation) }
    // What a crashed command prints lacks everything.
    if status == nil, start.isEmpty, end.isEmpty, parts.isEmpty {
      #expect(!output.isEmpty, "\(errors) \(comment)", sourceLocation: sourceLocation)
    }
    expect(output, start, end, parts, absent, "\(errors) \(comment)", sourceLocation)
    return self
  }

  /// All of `words` are said next to the result.
  @discardableResult
  func expectErrors(
    status: Int32? = nil, _ words: String..., comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    if let status { expectStatus(status, comment: comment, sourceLocation: sourceLocation) }
    #expect(words.allSatisfy(errors.contains), "\(errors) \(comment)", sourceLocation: sourceLocation)
    return self
  }

  @discardableResult
  func expectStatus(
    _ status: Int32 = 0, comment: String = "", sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    #expect(self.status == status, "\(output) \(errors) \(comment)", sourceLocation: sourceLocation)
    return self
  }

  /// Not done: one sentence on stderr, which says all of `words`.
  @discardableResult
  func expectRefused(
    status: Int32 = 2, _ words: String..., comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    #expect(self.status == status, "\(errors) \(comment)", sourceLocation: sourceLocation)
    expectOneSentence(comment, sourceLocation)
    for word in words {
      #expect(errors.contains(word), "\(errors) \(comment)", sourceLocation: sourceLocation)
    }
    return self
  }

  /// Either of them. No crash has an exit code below 128.
  func expectAnswer(_ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(status == 0 || status == 2, "\(status) \(errors) \(comment)", sourceLocation: sourceLocation)
    if status == 2 { expectOneSentence(comment, sourceLocation) }
  }

  private func expectOneSentence(_ comment: String, _ sourceLocation: SourceLocation) {
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(
      // Behind a mistake in SQL, its line and a mark at the place.
      (lines.count == 2 || lines.count == 4 && lines[2].contains("^")) && lines.last?.isEmpty == true
        && errors.hasPrefix("storescope: ")
        && [".", "?"].contains(lines[0].suffix(1)),
      "not one sentence: \(errors) \(comment)", sourceLocation: sourceLocation)
  }
}

/// The reading commands, in all that they read.
enum Readings {
  /// Without the store, which comes behind the first word.
  static let ofAnyStore: [[String]] = [
    ["summary", "--metadata", "--commits"], ["summary", "--metadata", "--commits", "--json"], ["entities"],
    ["entities", "--json"], ["history"], ["history", "--json"], ["history", "--by", "author"],
    ["history", "--by", "day", "--format", "csv"], ["history", "--by", "entity", "--format", "markdown"],
    ["query", "SELECT * FROM changes"], ["query", "table-sizes"],
  ]

  static let ofDemo: [[String]] =
    ofAnyStore + [
      ["rows", "Trip"], ["rows", "Trip", "--expand", "--json"], ["rows", "Place", "--format", "csv"],
      ["rows", "Entry", "--where", "rating > 3", "--format", "markdown"], ["show", "Trip/p1"],
      ["show", "Trip/p1", "--json"], ["query", "SELECT * FROM Trip JOIN Entry ON Entry.trip = Trip.pk"],
    ]

  static func arguments(_ reading: [String], _ path: String) -> [String] {
    Array(reading.prefix(1)) + [path] + reading.dropFirst()
  }

  /// Runs them all on a store, which must stay as it is.
  static func run(
    _ readings: [[String]], on path: String, in folder: TemporaryFolder,
    _ check: (Tool.Result, String) throws -> Void
  ) throws {
    let before = try FolderSnapshot(folder.path)
    for reading in readings {
      try check(try Tool.run(arguments(reading, path)), reading.joined(separator: " "))
    }
    #expect(try FolderSnapshot(folder.path) == before)
  }
}
