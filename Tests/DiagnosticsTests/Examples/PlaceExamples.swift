import Base
import Foundation
import SQLite
import StoreModel
import TestSupport

@testable import Forge

extension RuleExamples {
  /// The file as a whole: where it is, what is next to it, what fills it.
  static let surroundings: [RuleExample] = wals + folders + copies + makers + pages + fullText + orphans

  private static let wals: [RuleExample] = [
    .plain("data-only-in-wal", "all is in the main file", .healthy),
    .plain(
      "data-only-in-wal", "rolled back or nothing in it", .healthy, options: ForgeOptions(journal: .rollback)),
    RuleExample("data-only-in-wal", "a small save after a large one", .healthy) { path in
      let forge = try StoreForge(path: path, model: ExampleStore.model)
      try forge.save(author: "app") { save in
        for number in 0..<3000 { _ = try save.insert("Person", ["name": .text("Person \(number)")]) }
      }
      try forge.checkpoint()
      try forge.save(author: "app") { _ = try $0.insert("Tag", ["label": "one more"]) }
      try forge.close(leaving: .walWithoutIndex)
    },
    // What SQLite has copied to the main file stays in the -wal until that is reset.
    RuleExample("data-only-in-wal", "a large save, copied to the main file already", .healthy) { path in
      let forge = try StoreForge(path: path, model: ExampleStore.model)
      try forge.save(author: "app") { save in
        for number in 0..<3000 { _ = try save.insert("Person", ["name": .text("Person \(number)")]) }
      }
      try forge.connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
      try forge.close(leaving: .walWithoutIndex)
    },
    RuleExample("data-only-in-wal", "a large save after a small one", .broken(count: 1)) { path in
      let forge = try StoreForge(path: path, model: ExampleStore.model)
      try forge.save(author: "app") { save in
        for number in 0..<3000 { _ = try save.insert("Person", ["name": .text("Person \(number)")]) }
      }
      try forge.close(leaving: .walWithoutIndex)
    },
  ]

  /// The store is where the link leads to.
  private static func placed(_ path: String, in folder: String) throws {
    let place = (path as NSString).deletingLastPathComponent + "/" + folder
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try ExampleStore.plain(place + "/Example.store")
    try FileManager.default.createSymbolicLink(
      atPath: path, withDestinationPath: place + "/Example.store")
  }

  private static let folders: [RuleExample] = [
    RuleExample("store-in-caches", "in Application Support", .healthy) {
      try placed($0, in: "Library/Application Support")
    },
    RuleExample("store-in-caches", "a project's own folder of that name", .healthy) {
      try placed($0, in: "Project/Caches")
    },
    RuleExample("store-in-caches", "in Library/Caches", .broken(count: 1)) {
      try placed($0, in: "Library/Caches/com.example.App")
    },
    RuleExample("store-in-caches", "in a container's tmp", .broken(count: 1)) {
      try placed($0, in: "AppData/tmp")
    },
  ]

  private static let copies: [RuleExample] = [
    .plain("store-recreated", "alone", .healthy),
    RuleExample("store-recreated", "another store and a text next to it", .healthy) { path in
      try ExampleStore.plain(path)
      let folder = (path as NSString).deletingLastPathComponent
      try ExampleStore.plain(folder + "/Backups of others.store")
      try Data("no store".utf8).write(to: URL(filePath: path + ".old"))
    },
    // Any name that began with the same letters counted, and any store with such a name.
    RuleExample("store-recreated", "another app's copies", .healthy) { path in
      try ExampleStore.plain(path)
      let folder = (path as NSString).deletingLastPathComponent
      try ExampleStore.plain(folder + "/ExampleOfOthers-old.store")
      let other = try StoreForge(
        path: folder + "/Example-old.store", model: ManagedObjectModel(entities: [.init(name: "Song")]))
      try other.save(author: "app") { _ = try $0.insert("Song") }
      try other.close()
    },
    RuleExample("store-recreated", "put aside as 'old'", .broken(count: 1)) { path in
      try ExampleStore.plain(path)
      let folder = (path as NSString).deletingLastPathComponent
      try ExampleStore.plain(folder + "/Example-old.store")
    },
    RuleExample("store-recreated", "put aside with its extension", .broken(count: 1)) { path in
      try ExampleStore.plain(path)
      try ExampleStore.plain(path + ".corrupt-2026-03-01")
    },
    RuleExample("store-recreated", "a first import of a new account's objects", .healthy) {
      try imported($0, objects: 30, exportedBefore: 0)
    },
    RuleExample("store-recreated", "a first import of few objects", .healthy) {
      try imported($0, objects: 5, exportedBefore: 30)
    },
    RuleExample("store-recreated", "a first import of old objects", .broken(count: 1)) {
      try imported($0, objects: 30, exportedBefore: 30)
    },
  ]

  /// A store that begins with an import, of records that the server has had for so many days.
  private static func imported(_ path: String, objects: Int, exportedBefore days: Double) throws {
    let forge = try StoreForge(path: path, model: ExampleStore.model)
    let mirror = try MirrorForge(forge, layout: .v17)
    try mirror.setUp()
    let now = forge.clock
    try mirror.importChanges { changes in
      for number in 0..<objects { _ = try changes.insert("Tag", ["label": .text("Tag \(number)")]) }
    }
    for key in mirror.ledger.records.keys {
      guard var record = mirror.ledger.records[key] else { continue }
      record.created = CoreDataDate(seconds: now.seconds - days * 86_400)
      mirror.copyFromServer(&record)
      mirror.ledger.records[key] = record
    }
    try mirror.commit()
    try ExampleStore.close(forge)
  }

  private static func saved(_ path: String, by bundles: [(String, times: Int)]) throws {
    try ExampleStore.plain(path) { forge in
      for (bundle, times) in bundles {
        for _ in 0..<times { try forge.save(author: "app", bundle: bundle) { _ = try $0.insert("Tag") } }
      }
    }
  }

  private static let makers: [RuleExample] = [
    RuleExample("store-shared-by-apps", "an app and its extensions", .healthy) {
      try saved(
        $0, by: [("com.example.App", 3), ("com.example.App.widget", 3), ("com.apple.dt.xctest", 9)])
    },
    // Short names were taken for countries' domains.
    RuleExample("store-shared-by-apps", "a maker with a short name", .healthy) {
      try saved($0, by: [("com.ibm.App", 3), ("com.ibm.AppWidget", 3), ("com.ibm.Tool", 3)])
    },
    RuleExample("store-shared-by-apps", "two makers of one country", .broken(count: 2)) {
      try saved($0, by: [("uk.co.ann.App", 3), ("uk.co.ben.App", 3)])
    },
    RuleExample("store-shared-by-apps", "one save by a tool", .healthy) {
      try saved($0, by: [("com.example.App", 3), ("org.tools.Browser", 1)])
    },
    RuleExample("store-shared-by-apps", "projects on one host", .broken(count: 2)) {
      try saved($0, by: [("io.github.ann.App", 3), ("io.github.ben.App", 3)])
    },
    RuleExample("store-shared-by-apps", "two makers", .broken(count: 2)) {
      try saved($0, by: [("com.example.App", 3), ("com.other.App", 2)])
    },
  ]

  private static let pages: [RuleExample] = [
    .plain("space-reclaimable", "few free pages", .healthy) { forge in
      try forge.connection.edit(["DELETE FROM ZNOTE"])
    },
    .plain("space-reclaimable", "12 MB that were deleted", .broken(count: 1)) { forge in
      try forge.connection.edit([
        "PRAGMA auto_vacuum", "CREATE TABLE filler (bytes BLOB)",
        "INSERT INTO filler VALUES (ZEROBLOB(12000000))", "DROP TABLE filler",
      ])
    },
  ]

  /// As iOS 27 defines it; SQLite knows no such tokenizer, so that the definition alone is written.
  private static func define(_ index: String) -> [String] {
    [
      "PRAGMA writable_schema = ON",
      "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) VALUES ('table', 'Z_Note_text_FTS', 'Z_Note_text_FTS', 0, '\(index)')",
      "PRAGMA writable_schema = OFF",
    ]
  }

  private static let fullText: [RuleExample] = [
    .plain("full-text-index-present", "none", .healthy),
    .plain("full-text-index-present", "an app's own", .healthy) { forge in
      try forge.connection.edit(["CREATE VIRTUAL TABLE search USING fts5(text)"])
    },
    .plain("full-text-index-present", "Core Data's", .broken(count: 1)) { forge in
      for statement in define(
        "CREATE VIRTUAL TABLE Z_Note_text_FTS USING fts5(ZTEXT, content='''', tokenize = ''_CoreDataTokenizer'')"
      ) {
        try forge.connection.execute(statement)
      }
    },
  ]

  /// Books with and without an author; deleting one deletes its books.
  private static func books(_ path: String, owned: Int, orphaned: Int) throws {
    let forge = try StoreForge(path: path, model: FixtureModels.library)
    try forge.save(author: "app") { save in
      let author = try save.insert("Author", ["name": "Ann"])
      for number in 0..<(owned + orphaned) {
        let book = try save.insert("Book", ["title": .text("Book \(number)")])
        if number < owned { try save.link(book, "author", author) }
      }
    }
    try ExampleStore.close(forge)
  }

  private static let orphans: [RuleExample] = [
    RuleExample("object-orphaned-by-owner", "few of many", .healthy) {
      try books($0, owned: 2500, orphaned: 110)
    },
    RuleExample("object-orphaned-by-owner", "few at all", .healthy) {
      try books($0, owned: 10, orphaned: 90)
    },
    .plain("object-orphaned-by-owner", "a relationship that nullifies", .healthy) { forge in
      try forge.save { save in for _ in 0..<150 { _ = try save.insert("Note") } }
    },
    RuleExample("object-orphaned-by-owner", "a tenth of them", .broken(count: 1)) {
      try books($0, owned: 1200, orphaned: 130)
    },
  ]
}
