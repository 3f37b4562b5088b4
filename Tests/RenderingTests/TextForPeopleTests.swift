import Rendering
import Testing
import Values

struct TextForPeopleTests {
  /// Entities in other scripts were printed as URIs encode them. What couldn't be typed again stays encoded.
  @Test(arguments: [
    ("x-coredata://U/Person/p12", "Person/p12"), ("x-coredata://U/Gr%C3%B6%C3%9Fe/p1", "Größe/p1"),
    ("x-coredata://U/%E6%97%A5%E8%A8%98/p2", "日記/p2"), ("x-coredata://U/A%2FB/p1", "A%2FB/p1"),
    ("x-coredata://U/A%1B%5B2J/p1", "A%1B%5B2J/p1"),
  ]) func objectsAreNamedAsTheAppDoes(_ uri: String, _ name: String) {
    #expect(TextForPeople.objectName(ofURI: uri) == name)
  }

  @Test(arguments: [
    (0, "0 B"), (137, "137 B"), (999, "999 B"), (1000, "1 kB"), (1462, "1.5 kB"), (9950, "10 kB"),
    (24_100, "24 kB"), (462_848, "463 kB"), (999_499, "999 kB"), (999_500, "1 MB"), (1_462_000, "1.5 MB"),
    (31_928_320, "32 MB"), (5_000_000_000, "5 GB"), (Int64.max, "9223372 TB"),
  ]) func sizesHaveOneStyle(_ bytes: Int64, _ text: String) {
    #expect(Sentence.size(bytes) == text)
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1,000"), (19929, "19,929"), (-1_234_567, "-1,234,567"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ]) func numbersHaveOneStyle(_ number: Int, _ text: String) {
    #expect(Sentence.number(number) == text)
    #expect(Sentence.count(number, "row") == "\(text) rows")
  }

  @Test func datesAreShortWhereTheYearGoesWithoutSaying() throws {
    let date = try #require(ISO8601.parse("2026-04-02T08:02:36.480Z"))
    let plain = DateText()
    let short = DateText(thisYear: 2026)
    #expect(plain.second(date) == "2026-04-02 08:02:36.48Z")
    #expect(plain.minute(date) == "2026-04-02 08:02" && plain.day(date) == "2026-04-02")
    #expect(short.minute(date) == "Apr 2 08:02" && short.minute(date, aligned: true) == "Apr  2 08:02")
    #expect(DateText(thisYear: 2027).minute(date) == "2026-04-02 08:02")
    #expect(DateText.year(of: date) == 2026)
    let impossible = CoreDataDate(seconds: .infinity)
    #expect(plain.minute(impossible) == "an impossible time" && plain.second(impossible).contains("inf"))
  }

  /// A date copied from a table, without its fraction, found nothing in SQL.
  @Test(arguments: [
    ("2026-04-02 08:02:36Z", "2026-04-02 08:02:36Z"), ("2026-04-02 08:02:36.5Z", "2026-04-02 08:02:36.5Z"),
    ("2026-04-02 08:02:36.000001Z", "2026-04-02 08:02:36.000001Z"),
    ("2026-04-02 23:59:59.9999999Z", "2026-04-03 00:00:00Z"),
    ("1969-12-31 23:59:59.25Z", "1969-12-31 23:59:59.25Z"),
    ("0001-01-01 00:00:00.5", "0001-01-01 00:00:00.5Z"),
  ]) func datesAreShownAsTheyCompare(_ written: String, _ shown: String) throws {
    let date = try #require(ISO8601.parse(written))
    #expect(DateText().second(date) == shown)
    #expect(ISO8601.parse(shown)?.iso8601 == date.iso8601)
  }

  @Test func sentencesNameTheZoneOnce() {
    let text = "Since 2026-04-15T19:20:09Z, 2 failed (last 2026-03-29T02:59:51.008000Z). Zone 7Z."
    #expect(
      DateText(thisYear: 2026).shortened(text)
        == "Since Apr 15 19:20, 2 failed (last Mar 29 02:59 UTC). Zone 7Z.")
  }

  /// "Inserted by app at Apr 16 13:47" isn't English. "Apr 16 at 13:47" stood next to "since Apr 15 19:20", and isn't what
  /// tables print.
  @Test(arguments: [
    ("Saved at 2026-04-16T13:47:58.215000Z.", "Saved on Apr 16 13:47 UTC."),
    ("At 2025-04-16T13:47:58Z, 2 failed.", "On 2025-04-16 13:47 UTC, 2 failed."),
    ("Looked at (2026-04-16T13:47:58Z).", "Looked at (Apr 16 13:47 UTC)."),
  ]) func thingsHappenOnADay(_ text: String, _ sentence: String) {
    #expect(DateText(thisYear: 2026).shortened(text) == sentence)
  }

  /// 'explain date' showed how dates look in JSON, shortened.
  @Test func quotedDatesStay() {
    let text = "JSON has '2026-03-22T15:00:00.500000Z'."
    #expect(DateText(thisYear: 2026).shortened(text) == text)
  }

  @Test func wrappingBreaksLongWordsWhereItMust() {
    #expect(TerminalText.wrapped("one abcdefghij two", to: 6, breaksWords: true) == "one\nabcdef\nghij\ntwo")
    #expect(TerminalText.wrapped("a b", to: 6) == "a b")
    #expect(TerminalText.shortened("x-coredata://ABC/Trip/p1", to: 15, keepsEnd: true) == "x-cored…Trip/p1")
    #expect(TerminalText.shortened("some long words", to: 8, keepsEnd: true) == "some lo…")
  }
}
