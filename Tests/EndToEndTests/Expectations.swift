import Foundation
import TestSupport
import Testing

extension Tool {
  /// What a command prints with `--json`, where it is done.
  static func json(_ words: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> [String:
    Any]
  {
    let result = try run(words + ["--json"])
    #expect([0, 1].contains(result.status), "\(words): \(result.errors)", sourceLocation: sourceLocation)
    return try result.json()
  }
}

/// What every run owes its user, whatever the store holds.
extension Tool.Result {
  /// Done, and nothing to say next to the result.
  func expectDone(_ comment: String = "", sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(status == 0 && errors.isEmpty, "\(status) \(errors) \(comment)", sourceLocation: sourceLocation)
  }

  /// Not done: one sentence on stderr, which says all of `words`.
  func expectRefused(
    status: Int32 = 2, _ words: String..., comment: String = "",
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(self.status == status, "\(errors) \(comment)", sourceLocation: sourceLocation)
    expectOneSentence(comment, sourceLocation)
    for word in words {
      #expect(errors.contains(word), "\(errors) \(comment)", sourceLocation: sourceLocation)
    }
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
