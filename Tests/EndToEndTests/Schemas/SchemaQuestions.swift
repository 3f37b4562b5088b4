import Archives
import Base
import Commands
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

/// What is asked of the commands so that their JSON has each of its forms, and each of its keys where a store has it.
enum SchemaQuestions {
  /// STORE, OTHER and FOLDER stand for paths, BACKUP for a backup, BEFORE and AFTER for what `fleet` wrote.
  typealias Question = [String]

  /// What is quick on every store.
  static let quick: [Question] = [
    ["summary", "STORE"], ["entities", "STORE"], ["pending", "STORE"], ["mirror", "STORE"],
    ["events", "STORE"], ["history", "STORE", "--by", "author"], ["query", "STORE", "--views"],
  ]

  /// For whatever store. Objects are asked for, too: see `objects`.
  static let ofAnyStore: [Question] =
    [
      ["summary", "STORE", "--metadata"], ["summary", "STORE", "--commits"], ["entities", "STORE"],
      ["entities", "STORE", "--diff", "OTHER"], ["size", "STORE"], ["pending", "STORE"],
      ["pending", "STORE", "--no-author"], ["mirror", "STORE"], ["mirror", "STORE", "--table", "ACHANGE"],
      ["records", "STORE", "--decode"], ["events", "STORE"], ["history", "STORE"],
      ["search", "STORE", "a"], ["search", "STORE", "lisbom"], ["doctor", "STORE"],
      ["doctor", "STORE", "OTHER", "FOLDER/Missing.store"], ["preflight", "STORE", "--cloudkit"],
      ["query", "STORE", "table-sizes"], ["query", "STORE", "--views"], ["diff", "STORE", "OTHER"],
      ["diff", "STORE", "OTHER", "--match", "record"], ["report", "STORE", "-o", "-", "--salt", "test"],
      ["repair", "STORE"],
      ["resync", "STORE", "--pull"], ["resync", "STORE", "--pull", "--rehearse"],
    ] + ["author", "entity", "process", "bundle", "context", "day"].map { ["history", "STORE", "--by", $0] }

  /// What is the same for all, and what writes.
  static let ofDemo: [Question] =
    ofAnyStore + [
      ["find", "FOLDER"], ["find", "FOLDER", "--copy-to", "FOLDER/copies"], ["entities", "STORE", "Trip"],
      ["rows", "STORE", "Trip", "--expand"], ["rows", "STORE", "Place"], ["show", "STORE", "Trip/p1"],
      ["trace", "STORE", "Entry/p9"], ["query", "STORE", "--list"],
      ["query", "STORE", "changes-by-author", "--show"], ["query", "STORE", "--functions"], ["explain"],
      ["explain", "134419"], ["explain", "token-expired"], ["rules"],
      ["schema"], ["completions", "bash"], ["man"],
      ["report", "STORE", "-o", "-", "--include-values"], ["export", "STORE", "--to", "FOLDER/export"],
      ["redact", "STORE", "-o", "FOLDER/Copy.store", "--salt", "test"],
      ["handover", "STORE", "-o", "FOLDER/case.zip", "--salt", "test"],
      ["restore", "BACKUP", "--rehearse"], ["restore", "BACKUP", "--confirm", "Journeys.store"],
      ["fleet", "FOLDER", "--to", "FOLDER/fleet"],
      ["fleet", "report", "AFTER", "-o", "-", "--salt", "test"],
      ["fleet", "diff", "BEFORE", "AFTER"],
    ]
    + [
      ["resync", "STORE", "--rescan"],
      ["reset", "STORE", "--server-zone", "kept", "--discard-pending-deletes"],
      ["repair", "STORE", "clear-events"],
    ].flatMap { [$0, $0 + ["--rehearse"], $0 + ["--apply", "--confirm", "Journeys.store"]] }

  /// Some objects of each entity, in all commands about objects.
  static func objects(of path: String) throws -> [Question] {
    let entities = try document(["entities", path, "--json"])["entities"]
    guard case .array(let entities)? = entities else { return [] }
    return try entities.compactMap { $0["name"]?.text }.flatMap { entity -> [Question] in
      let rows = try document(["rows", path, entity, "--json", "--limit", "2"])["rows"]
      guard case .array(let rows)? = rows else { return [] }
      return [["rows", "STORE", entity, "--expand", "--limit", "50"]]
        + rows.compactMap { $0["uri"]?.text }.flatMap { [["show", "STORE", $0], ["trace", "STORE", $0]] }
    }
  }

  static func document(_ words: [String], in folder: String? = nil) throws -> DataValue {
    let result = try Tool.run(words, environment: environment, in: folder)
    // What was refused has no document.
    return result.outputBytes.isEmpty ? .null : try JSONReader.read(result.output)
  }

  /// What the demo answers to a question of `ofDemo`: asked once, for all suites.
  static func answer(_ question: Question) throws -> DataValue {
    if let known = answers.withLock({ $0[question] }) { return known }
    let places = try SchemaPlaces(for: question)
    let answer = try document(words(question, places.paths) + ["--json"], in: places.folder)
    answers.withLock { $0[question] = answer }
    return answer
  }

  private static let answers = Mutex<[Question: DataValue]>([:])

  static func lines(_ words: [String], in folder: String? = nil) throws -> [DataValue] {
    try Tool.run(words + ["--format", "ndjson"], environment: environment, in: folder).output
      .split(separator: "\n").map { try JSONReader.read(String($0)) }
  }

  private static let environment = ["SOURCE_DATE_EPOCH": "1780000000"]

  /// A question with its paths.
  static func words(_ question: Question, _ paths: [String: String]) -> [String] {
    question.map { word in
      paths.reduce(word) { word, path in
        if word == path.key { return path.value }
        guard word.hasPrefix(path.key + "/") else { return word }
        let rest = word.dropFirst(path.key.count)
        return path.value == "." ? String(rest.dropFirst()) : path.value + rest
      }
    }
  }
}

/// A folder with the demo store, another one, and what else a question is about. Paths are relative to it, so that what is
/// printed is the same each time.
struct SchemaPlaces {
  private let demo: Demo
  private(set) var paths = ["STORE": "Journeys.store", "OTHER": "Other.store", "FOLDER": "."]

  var folder: String { demo.folder.path }

  init(for question: SchemaQuestions.Question) throws {
    demo = try Demo()
    let other = try Demo { edited in
      try edited.connection.execute("UPDATE ZTRIP SET ZTITLE = 'Other' WHERE Z_PK = 1")
      try edited.connection.execute("DELETE FROM ZTAG WHERE Z_PK = 1")
    }
    for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: other.path + suffix) {
      try FileManager.default.copyItem(
        atPath: other.path + suffix, toPath: demo.folder.path("Other.store" + suffix))
    }
    if question.contains("BACKUP") {
      let made = try SchemaQuestions.document(
        ["resync", "Journeys.store", "--pull", "--apply", "--confirm", "Journeys.store", "--json"],
        in: folder)
      paths["BACKUP"] = try #require(made["backup"]?.text)
    }
    guard question.contains("AFTER") else { return }
    try demo.folder.write(Array("SQLite format 3\0 and no more".utf8), to: "Broken.store")
    for (name, stores) in [("BEFORE", ["Journeys.store"]), ("AFTER", ["."])] {
      _ = try SchemaQuestions.document(
        ["fleet"] + stores + ["--to", name.lowercased(), "--json"], in: folder)
      paths[name] = name.lowercased()
    }
  }
}

/// The schemas, each made once.
enum Schemas {
  static let all = Dictionary(
    uniqueKeysWithValues: DocumentTable.all.map { ($0.command, JSONSchema($0.schema)) })

  /// What is wrong with the document and, where it has lines, with each of them.
  static func violations(_ words: [String], in folder: String? = nil) throws -> (
    found: [String], documents: Int
  ) {
    let schema = try #require(all[words[0]])
    let document = try SchemaQuestions.document(words + ["--json"], in: folder)
    guard document != .null else { return ([], 0) }
    return (schema.violations(document).map { "\(words.joined(separator: " ")) \($0)" }, 1)
  }

  static func violationsOfLines(_ words: [String], in folder: String? = nil) throws -> [String] {
    guard let shape = DocumentTable.document(of: words[0]), let schema = all[words[0]], shape.hasLines
    else { return [] }
    return try SchemaQuestions.lines(words, in: folder).prefix(200).flatMap { schema.violations(line: $0) }
      .map { "a line of \(words.joined(separator: " ")) \($0)" }
  }
}
