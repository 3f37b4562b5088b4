import Base
import Diagnostics
import Lens
import StoreModel
import Testing

@testable import Explanations

@Suite struct ExplanationCatalogTests {
  private static let cocoaCodes: [Int] =
    [4864, 4865, 4866, 132_000, 132_010, 133_000, 133_010, 133_020, 133_021]
    + Array(stride(from: 134_000, through: 134_090, by: 10)) + Array(134_091...134_098)
    + [134_100, 134_110, 134_111] + Array(stride(from: 134_120, through: 134_180, by: 10))
    + Array(134_181...134_185) + [134_190, 134_200, 134_301] + Array(134_400...134_422)
    + Array(134_501...134_506)

  @Test(arguments: cocoaCodes) func knowsCocoaCode(_ code: Int) throws {
    let explanation = try #require(ExplanationCatalog.explanation(domain: "NSCocoaErrorDomain", code: code))
    #expect(explanation.subject == "NSCocoaErrorDomain \(code)")
  }

  @Test(arguments: Array(1...37) + [111, 112]) func knowsCloudKitCode(_ code: Int) throws {
    let explanation = try #require(ExplanationCatalog.explanation(domain: "CKErrorDomain", code: code))
    #expect(explanation.subject == "CKErrorDomain \(code)")
  }

  /// The codes that Core Data reports of SQLite; an extended one is explained by its primary code.
  @Test(arguments: [
    1, 5, 6, 7, 8, 10, 11, 13, 14, 17, 18, 19, 20, 21, 23, 26, 266, 522, 1032, 1555, 2067, 6922,
  ])
  func knowsSQLiteCode(_ code: Int) throws {
    let explanation = try #require(ExplanationCatalog.explanation(domain: "NSSQLiteErrorDomain", code: code))
    #expect(explanation.code == code & 0xFF)
  }

  /// Apps that read history keep tokens of their own, which the mirror has nothing to do with.
  @Test(arguments: ["134301", "historyTokenExpired"]) func advisesOnTheAppsOwnToken(_ word: String) throws {
    let explanation = try #require(ExplanationCatalog.explanations(for: word).first)
    #expect(explanation.meaning.contains("own") && explanation.advice.contains("fetch everything again"))
  }

  @Test func knowsNoOtherError() {
    #expect(ExplanationCatalog.explanation(domain: "NSURLErrorDomain", code: 25) == nil)
    #expect(ExplanationCatalog.explanation(domain: "CKErrorDomain", code: 134_400) == nil)
  }

  @Test func subjectsAreUnique() {
    let subjects = ExplanationCatalog.all.map { $0.subject.lowercased() }
    #expect(Set(subjects).count == subjects.count)
  }

  @Test func eachTermIsFoundByItsSubjectAndSynonyms() {
    for term in ExplanationCatalog.all where term.code == nil {
      for word in [term.subject] + term.synonyms {
        #expect(ExplanationCatalog.explanations(for: word).contains(term), "\(word)")
      }
    }
  }

  @Test(
    arguments: [
      ("134419", ["NSCocoaErrorDomain 134419"]),
      ("25", ["CKErrorDomain 25"]),
      (" 25 ", ["CKErrorDomain 25"]),
      ("CKErrorDomain:25", ["CKErrorDomain 25"]),
      ("CKErrorDomain 25", ["CKErrorDomain 25"]),
      ("ckerrordomain/25", ["CKErrorDomain 25"]),
      ("CK 25", ["CKErrorDomain 25"]),
      ("CKError 25", ["CKErrorDomain 25"]),
      ("NSCocoaErrorDomain 134301", ["NSCocoaErrorDomain 134301"]),
      ("NSCocoaErrorDomain 25", []),
      ("NSURLErrorDomain 25", []),
      (
        "Error Domain=NSCocoaErrorDomain Code=134410 \"CloudKit setup failed because there is another instance\"",
        ["NSCocoaErrorDomain 134410"]
      ),
      // Lines of logs.
      (#"<CKError 0x1: "Quota Exceeded" (25/2035)>"#, ["CKErrorDomain 25"]),
      (
        #"<CKError 0x6a: "Invalid Arguments" (12/2006); server message = "Cannot create or modify field 'CD_x'">"#,
        ["CKErrorDomain 12"]
      ),
      (
        #"<CKError 0x60: "Partial Failure" (2/1011); partial errors: { A = <CKError 0x61: "Oops" (14/2004)> }>"#,
        ["CKErrorDomain 2", "CKErrorDomain 14"]
      ),
      ("<CKError 0x600002: no code>", []), ("CoreData: warning: something about a migration", []),
      ("Cannot create new type CD_Trip in production schema", ["CKErrorDomain 12"]),
      ("The operation couldn’t be completed. (CKErrorDomain error 25.)", ["CKErrorDomain 25"]),
      ("The operation couldn’t be completed. (Cocoa error 134060.)", ["NSCocoaErrorDomain 134060"]),
      (
        "Error Domain=NSCocoaErrorDomain Code=256 {NSUnderlyingError=0x6 {Error Domain=NSSQLiteErrorDomain Code=1 \"no such table\"}}",
        ["NSCocoaErrorDomain 256", "NSSQLiteErrorDomain 1"]
      ),
      ("CoreData: error: (11) database disk image is malformed", ["NSSQLiteErrorDomain 11"]),
      ("SQLite error code:6922, 'disk I/O error'", ["NSSQLiteErrorDomain 10"]),
      ("App.store: file is not a database (SQLite code 26)", ["NSSQLiteErrorDomain 26"]),
      ("NSSQLiteErrorDomain:2067", ["NSSQLiteErrorDomain 19"]),
      ("NSSQLiteErrorDomain:99", []), ("NSSQLiteErrorDomain:-1", []),
      ("SQLITE_CONSTRAINT_UNIQUE", ["NSSQLiteErrorDomain 19"]),
      ("UNIQUE constraint failed: ZTRIP.ZNAME", ["NSSQLiteErrorDomain 19"]),
      ("database disk image is malformed", ["NSSQLiteErrorDomain 11"]),
      ("no such table: ZRECIPE", ["NSSQLiteErrorDomain 1"]),
      ("error 11", ["CKErrorDomain 11", "NSSQLiteErrorDomain 11"]),
      ("SwiftDataError._Error.loadIssueModelContainer", ["SwiftDataError.loadIssueModelContainer"]),
      ("(SwiftData.SwiftDataError error 1.)", ["SwiftDataError.loadIssueModelContainer"]),
      // An internal code is none of CloudKit's public ones, and its domain has a name of one in it.
      ("CKInternalErrorDomain Code=2006", []),
      ("quotaExceeded", ["CKErrorDomain 25"]),
      ("CKErrorQuotaExceeded", ["CKErrorDomain 25"]),
      ("CKError.Code.quotaExceeded", ["CKErrorDomain 25"]),
      ("NSPersistentHistoryTokenExpiredError", ["NSCocoaErrorDomain 134301"]),
      ("persistentHistoryTokenExpired", ["NSCocoaErrorDomain 134301"]),
      ("history token", ["history token"]),
      ("History Tokens", ["history token"]),
      ("history-token", ["history token"]),
      ("token", ["history token", "change token"]),
      ("move receipts", ["move receipt"]),
      ("identities", ["identity"]),
      ("quota", ["quota"]),
      ("CKShare", ["share"]),
      ("z_max", ["Z_PRIMARYKEY"]),
      // It led to "Z_PK", which had a word on it.
      ("Z_OPT", ["Z_OPT"]),
      ("1 MB", ["limits"]),
      ("429", ["throttling"]),
      ("reset", ["purge"]),
      ("private", ["database scope"]),
      ("-1", []),
      ("-25", []),
      ("CKErrorDomain:-25", []),
      ("CKErrorDomain-25", ["CKErrorDomain 25"]),
      ("", []),
      ("99999999999999999999999", []),
      ("nothing of the kind", []),
    ] as [(String, [String])])
  func finds(_ word: String, _ subjects: [String]) {
    #expect(ExplanationCatalog.explanations(for: word).map(\.subject) == subjects)
  }

  /// The catalog can't see the types that print these words. They come from the types here, so that a new one can't be
  /// forgotten.
  @Test(
    arguments: RecordState.allCases.map(\.rawValue) + HistoryTokenState.allCases.map(\.rawValue)
      + PendingItem.Kind.allCases.map(\.rawValue) + Verdict.State.allCases.map(\.rawValue)
      + MirrorLayout.allCases.map(\.name) + TraceStep.Kind.allCases.map(\.rawValue)
      + MirrorEvent.Kind.allCases.map(\.name) + ChangeKind.allCases.map(\.name)
      + SyncToggle.Way.allCases.map(\.rawValue) + MirrorZone.Flag.allCases.map(\.rawValue)
      + LaunchForecast.Stage.allCases.map(\.rawValue) + LaunchForecast.Outcome.allCases.map(\.rawValue)
      + LaunchForecast.Verdict.allCases.map(\.rawValue) + ModelChange.Kind.allCases.map(\.rawValue)
      + ModelChange.Migration.allCases.filter { $0 != .inferred }.flatMap { [$0.rawValue, $0.words] }
      + [DatabaseScope.public, .private, .shared].map(\.name) + ["change-token", "history-token"]
      + [
        MetadataKey.lastHistoryToken, MetadataKey.bypassHistory, MetadataKey.scanForMissingRows,
        MetadataKey.checkedIdentity, MetadataKey.identityRecordName, MetadataKey.needsMigration,
      ])
  func explainsWhatResultsSay(_ word: String) {
    #expect(ExplanationCatalog.explanations(for: word).count == 1, "\(word)")
  }

  /// Explanations and migrations are both inferred.
  @Test func anAmbiguousWordHasSeveral() {
    #expect(
      ExplanationCatalog.explanations(for: "inferred").map(\.subject) == [
        "lightweight migration", "certainty",
      ])
  }

  @Test(arguments: ["-1", "0", "200000", "CKErrorDomain 99", "CKErrorDomain:-25"])
  func saysWhichCodesThereAre(_ word: String) {
    let sentence = ExplanationCatalog.unknown(word)
    #expect(sentence.contains("'\(word)'") && sentence.contains("CKErrorDomain between 1 and 112"))
  }

  /// Which codes are known helps nobody whose code isn't: what its neighbors are about does.
  @Test(arguments: [
    ("258", "256 to 1023 are about files"), ("NSCocoaErrorDomain:4100", "4096 to 4224 are about connections"),
    ("134450", "134400 to 134599 are about Core Data's mirroring"), ("134999", "134000 to 134999 are about"),
  ])
  func saysWhatTheRangeIsAbout(_ word: String, _ words: String) {
    #expect(ExplanationCatalog.unknown(word).contains("codes from \(words)"))
  }

  /// Logs of CloudKit have them more often than its own codes.
  @Test(arguments: ["4097", "4099", "NSXPCConnectionInterrupted", "640", "513", "1570"])
  func explainsWhatLogsHave(_ word: String) {
    #expect(ExplanationCatalog.explanations(for: word).count == 1)
  }

  @Test func saysThatAWordIsUnknown() {
    #expect(ExplanationCatalog.unknown("tombston").hasPrefix("No entry for 'tombston'."))
    #expect(ExplanationCatalog.words(near: "tombston").contains("tombstone"))
    #expect(ExplanationCatalog.words(near: "134418").isEmpty)
  }

  @Test(arguments: [
    ("quotaExceded", "quotaExceeded"), ("histroy token", "history token"), ("tombston", "tombstone"),
  ])
  func suggests(_ word: String, _ known: String) {
    #expect(Suggestion.nearest(to: word, in: ExplanationCatalog.words(near: word)) == known)
  }

  @Test(arguments: ["bicycle pump", "134999", "CKErrorDomain 99", ""]) func suggestsNothing(_ word: String) {
    #expect(Suggestion.nearest(to: word, in: ExplanationCatalog.words(near: word)) == nil)
  }

  @Test(arguments: [134_407, 134_415, 134_416, 134_417, 134_419])
  func foldsNoiseAway(_ code: Int) throws {
    let explanation = try #require(ExplanationCatalog.explanation(domain: "NSCocoaErrorDomain", code: code))
    #expect(explanation.isNoise)
    guard case .yes = explanation.resolvesItself else {
      Issue.record("noise that doesn't heal by itself")
      return
    }
  }

  /// What needs a person's decision must never be folded away.
  @Test(arguments: ["134301", "134400", "134405", "134410", "134501", "CK 25", "CK 28"])
  func keepsTroubleInSight(_ word: String) throws {
    let explanation = try #require(ExplanationCatalog.explanations(for: word).first)
    #expect(!explanation.isNoise)
  }

  /// Disks and locks came first, and the model, which exports that fail with these codes have seldom to do with.
  @Test(arguments: [134_040, 134_060]) func objectsInTwoZonesAreTheFirstCause(_ code: Int) throws {
    let explanation = try #require(ExplanationCatalog.explanation(domain: "NSCocoaErrorDomain", code: code))
    #expect(explanation.causes.first?.contains("relationship-across-zones") == true)
    #expect(explanation.advice.contains("relationship-across-zones"))
  }
}
