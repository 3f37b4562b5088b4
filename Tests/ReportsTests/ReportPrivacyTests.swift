import Base
import Diagnostics
import Lens
import TestSupport
import Testing

@testable import Reports

/// What passes into a report and what becomes a mark: everything that isn't known to be harmless.
struct ReportPrivacyTests {
  private static let uuid = "7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9"
  private static let zone = "com.example.zone.ada"
  private let privacy = ReportPrivacy(
    Marks(saltText: "test"), path: "/Users/ada/My Diary.store", names: [zone, "_owner1"],
    entities: ["Person"],
    relationships: ["tags"])

  private func cell(_ name: String, _ value: DataValue) -> DataValue {
    privacy.cell(DataValue.Member(name, value)).value
  }

  @Test(arguments: [
    ("entity", "Person"), ("relatedEntity", "Person"), ("relationship", "tags"), ("name", "Private"),
    ("entity", "unknown"), ("objectEntity", "of no entity"),
    ("zone", "com.apple.coredata.cloudkit.zone"),
    ("owner", "__defaultOwner__"), ("key", "NSCloudKitMirroringDelegateBypassHistoryOnExportKey"),
    ("place", "Person.notes"), ("unheard of", "2026-03-01T12:00:00Z"), ("problem", "it has no owner"),
  ])
  func namesOfCodePass(_ name: String, _ text: String) {
    #expect(cell(name, .text(text)) == .text(text))
  }

  @Test(arguments: [
    ("recordName", "Ada Lindqvist"), ("process", "Ada"), ("author", "Ada"), ("zone", zone),
    ("owner", "_owner1"),
    ("bundle", "com.example.diary"),
    ("file", "Ada Lindqvist.jpg"), ("unheard of", "Ada Lindqvist"), ("key", "Ada Lindqvist"),
    ("place", "Z_METADATA.Ada Lindqvist"), ("place", "Person.notes.Ada Lindqvist[0]"),
    ("reference", "x-coredata:///Person/tAda Lindqvist"), ("problem", "'/Users/Ada' is a folder"),
    ("store", uuid), ("names", "\(uuid), Ada"), ("uri", "x-coredata://\(uuid)/Person/p1"),
    ("unheard of", uuid),
    // What only looks like a name: a value can hold any text there.
    ("uri", "x-coredata://\(uuid)/AdaLindqvist/p1"), ("problem", "x-coredata:///Ada%20Lindqvist/p1 is gone"),
    ("key", "PFCloudKitAda"),
    // The mirror's rows may have any text in the place of a name of the model.
    ("entity", "Ada Lindqvist"), ("relatedEntity", "Ada Lindqvist"), ("relationship", "Ada Lindqvist"),
  ])
  func everythingElseIsMarked(_ name: String, _ text: String) throws {
    let shown = try #require(cell(name, .text(text)).text)
    for secret in ["Ada", "Lindqvist", "example", Self.uuid, "_owner1"] {
      #expect(!shown.contains(secret), "\(name): \(shown)")
    }
    #expect(shown == cell(name, .text(text)).text)
  }

  @Test func numbersAndTimesPass() {
    let date = CoreDataDate(seconds: 0)
    #expect(cell("whatever", 12) == 12)
    #expect(cell("whatever", .date(date)) == .date(date))
    #expect(cell("whatever", nil) == nil)
    #expect(cell("syncingBundles", ["com.example.a"]) != ["com.example.a"])
  }

  @Test func objectsKeepEntityAndKey() {
    let shown = privacy.mask("x-coredata://\(Self.uuid)/Person/p12", .uri)
    #expect(shown.hasSuffix("/Person/p12") && !shown.contains(Self.uuid))
    // Nobody may look for it as for a real identifier, and all places have the same.
    let store = privacy.mask(Self.uuid, .store)
    #expect(store.hasPrefix("store-") && shown == "x-coredata://\(store)/Person/p12")
  }

  /// Who gets a report and a redacted copy made with one salt can tell what belongs together.
  @Test func marksAgreeWithARedactedCopy() {
    let copied = Marks(saltText: "test").uuid(Self.uuid) ?? ""
    let digits = privacy.mask(Self.uuid, .record).dropFirst("record-".count).prefix(6)
    #expect(
      copied.hasPrefix("FACADE" + digits.prefix(2).uppercased() + "-" + digits.dropFirst(2).uppercased()))
  }

  @Test(arguments: [
    "'/Users/ada/My Diary.store' can't be read.", "More is to be fetched for '\(zone)'.",
    "It lies in /Users/ada/x.", "See ~/ada.", "Told to ada@example.com, twice.", "In iCloud.com.ada.",
    "Record \(uuid), and CD_M2M:\(uuid)-1.", "(x-coredata://\(uuid)/Person/p1)",
  ])
  func sentencesAreMasked(_ sentence: String) {
    let shown = privacy.sentence(sentence)
    for secret in ["ada", "Diary", Self.uuid] { #expect(!shown.contains(secret), "\(shown)") }
    #expect(shown != sentence && shown.last == sentence.last)
  }

  /// Why pending changes can't be counted is an error's text, which passed as it was.
  @Test func problemsOfTheMirrorAreMasked() throws {
    let fixture = try MirrorFixture()
    try fixture.setUp()
    let mirror = try #require(try fixture.mirror())
    let problem = "'/Users/ada/My Diary.store' can't be read at x-coredata://\(Self.uuid)/Ada/p1."
    let summary = try MirrorSummary(mirror, counts: nil, problem: problem).masked(privacy)
    let shown = "\(summary) \(MirrorSummary.fields.object(of: summary))"
    for secret in ["/Users", "Diary", "Ada/", Self.uuid] { #expect(!shown.contains(secret), "\(shown)") }
    #expect(try #require(summary.problem).contains("can't be read"))
  }

  @Test func plainSentencesStay() {
    let sentence =
      "The last export at 2026-04-16T06:45:22.871Z failed (2/3 of 10), and/or NSCocoaErrorDomain 134."
    #expect(privacy.sentence(sentence) == sentence)
  }

  @Test func valuesPassWhereTheyWereAskedFor() {
    let open = ReportPrivacy(nil, path: "/a")
    #expect(open.mask("Ada", .record) == "Ada" && open.sentence("/Users/ada") == "/Users/ada")
    #expect(open.cell(.init("unheard of", "Ada")).value == "Ada")
  }
}
