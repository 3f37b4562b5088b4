import Foundation
import TestSupport
import Testing

/// Stores that somebody was given a wrong answer about, with the right one. They lie next to the package, as `RealStores`.
@Suite(.enabled(if: RealStores.casesArePresent, "there are no cases next to the package")) struct CaseTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let words: String
    let status: Int32
    let right: [String]
    let wrong: [String]

    init(_ name: String, _ words: String, _ status: Int32 = 0, _ right: String..., lacks wrong: String...) {
      (self.name, self.words, self.status, self.right, self.wrong) = (name, words, status, right, wrong)
    }

    var testDescription: String { "\(name): \(words)" }

    /// Those with blanks have underlines.
    var arguments: [String] { words.split(separator: " ").map { String($0).replacing("_", with: " ") } }
  }

  static let all = [
    Case("04a-integer-default-NO", "preflight App.sqlite --model New.xcdatamodel", 0, "Safe"),
    Case("05a-renaming-id-only", "preflight App.sqlite --model New.xcdatamodel", 0, "Safe", lacks: "removed"),
    Case(
      "05a-renaming-id-only", "entities App.sqlite --diff New.xcdatamodel", 0, "No migration needed.",
      "renaming ID changed"),
    Case(
      "06a-table-missing", "preflight App.store", 0, "fails during the first fetch (NSCocoaErrorDomain 256)",
      "NSSQLiteErrorDomain 1", "CREATE TABLE ZRECIPE ("),
    Case("06a-table-missing", "rows App.store Recipe", 2, "has no table ZRECIPE", "NSCocoaErrorDomain 256"),
    Case("07a-metadata-page", "doctor App.sqlite", 1, "The file is damaged", "Z_METADATA can't be read"),
    Case("07a-metadata-page", "rows App.sqlite Folder --format csv", 0, ",5,Folder,f4"),
    Case(
      "07b-counter-page", "doctor App.sqlite", 1, "The file is damaged",
      "Z_PRIMARYKEY can't be read (database disk image is malformed): no key counter is left",
      lacks: "history-entity-unknown"),
    Case("07b-counter-page", "rows App.sqlite Folder --format csv", 0, ",5,Folder,f4"),
    Case(
      "07d-cut-after-two-thirds", "doctor App.sqlite", 1,
      "The file is cut off: 34 of its 101 pages are missing",
      "Fix: Copy the store again from where it came"),
    Case("08a-foreign-wal", "doctor App.sqlite", 1, "The main file is intact: move the -wal away"),
    Case("08a-foreign-wal", "summary App.sqlite", 0, "Mismatched files", "205 in 2 of 2 entities"),
    Case(
      "09a-wiped-after-account-change", "doctor App.sqlite", 0,
      "Needs attention: The mirror wiped the store 1 time, first deleting 47 objects, because the iCloud account changed (the setup failed with NSCocoaErrorDomain 134405)."
    ),
    Case(
      "09a-wiped-after-account-change", "summary App.sqlite", 0,
      "Nothing pending. The mirror deleted all 47 objects on Nov 27 16:47 UTC, because the iCloud account changed"
    ),
    Case("11a-preflight-against-a-store", "preflight Old.store --model New.store", 0, "Book.kind is new"),
    Case("14a-index-damaged-csv", "rows App.sqlite Item --columns pk,name --format csv", 0, "\n600,n599"),
    Case("14a-index-damaged-csv", "rows App.sqlite Item --format ndjson", 0, "\"pk\":600,"),
    Case(
      "15a-empty-file-with-wal", "summary App.sqlite", 2, "the -wal next to it has 4 commits",
      "before an app or SQLite opens them, which deletes the -wal"),
    Case("22a-external-file-empty", "doctor App.sqlite", 1, "1 value is in a file that is empty, such as "),
    Case(
      "22b-external-folder-of-old-name", "doctor App.sqlite", 1,
      "such as Photo.image; it is next to the store, in the folder .Original_SUPPORT.", "rename that folder"),
    Case("10a-search-gzip-protobuf", "search App.sqlite kumquat", 0, "Note/p1", lacks: "No value"),
    Case(
      "10c-search-older-commits", "search App.sqlite secret_plan", 0, "the -wal has 4",
      "'--as-of-commit N' reads"),
    Case("10c-search-older-commits", "search App.sqlite secret_plan --as-of-commit 3", 0, "1 match"),
    Case(
      "17a-transformable-garbage", "doctor App.sqlite --validate", 0,
      "Note/p2.tags: it must be a keyed archive"),
    Case(
      "18a-unique-broken", "doctor App.sqlite --validate", 0, "User/p1 \"a\", User/p2 \"b\"",
      "it must be unique"),
    Case("19a-keyword-entity", "query App.sqlite SELECT_name_FROM_Order", 2, "as a name, write \"Order\"."),
    Case("19b-keyword-in-where", "rows App.sqlite Order --where limit_=_3", 2, "as a name, write \"limit\"."),
    Case(
      "20a-entity-named-as-a-view", "query App.sqlite SELECT_title_FROM_Events", 2, "Did you mean 'Events_'?"),
    Case("21a-address", "rows App.sqlite Größe", 0, "Größe/p1  groß"),
    Case("21c-encoded-address", "show App.sqlite Gr%C3%B6%C3%9Fe/p1", 0, "Größe/p1 \"groß\""),
    Case(
      "23a-date-far-off", "doctor App.sqlite --validate", 0,
      "Visit/p41.at: it must be between Date.distantPast"),
    Case("24a-empty-store-beside-the-full-one", "find .", 0, "objects", " 500 ", " 0 "),
    Case(
      "24b-core-data-tables-without-metadata", "summary App.sqlite", 0, "There is no table Z_METADATA",
      "4 in 2 of 2 entities", lacks: "did not write it"),
    Case("24c-find-a-cut-file", "find .", 0, "it is cut off: ", lacks: "SELECT", "ATRANSACTION"),
    Case(
      "25-quota-twice", "doctor App.sqlite", 1, "event-quota-exceeded", "1 error,", "Free iCloud storage",
      lacks: "event-export-failing", "schema"),
    Case("26-rows-without-a-record", "pending App.sqlite", 0, "repair App.sqlite register-missing"),
    Case("28-old-frameworks", "summary App.sqlite", 0, "App.sqlite · Core Data\n", lacks: "SwiftData"),
  ]

  @Test(arguments: all) func theAnswerIsRight(_ one: Case) throws {
    let folder = TemporaryFolder("case")
    let copy = folder.path(one.name)
    try FileManager.default.copyItem(atPath: "\(RealStores.cases)/\(one.name)", toPath: copy)
    let result = try Tool.run(one.arguments, in: copy)
    #expect(result.status == one.status)
    let text = result.output + result.errors
    for right in one.right { #expect(text.contains(right), "\(text)") }
    for wrong in one.wrong { #expect(!text.contains(wrong), "\(text)") }
  }
}
