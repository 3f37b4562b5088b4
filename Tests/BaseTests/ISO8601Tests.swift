import Base
import Testing

struct ISO8601Tests {
  /// One width makes the order of texts the order of time, for every reader of a column.
  @Test(arguments: [
    (0, "2001-01-01T00:00:00.000000Z"), (0.25, "2001-01-01T00:00:00.250000Z"),
    (-0.000_000_4, "2001-01-01T00:00:00.000000Z"), (0.999_999_6, "2001-01-01T00:00:01.000000Z"),
    (-63_113_904_000, "0001-01-01T00:00:00.000000Z"), (252_423_993_599, "9999-12-31T23:59:59.000000Z"),
  ]) func datesHaveOneWidth(_ seconds: Double, _ text: String) {
    #expect(CoreDataDate(seconds: seconds).iso8601 == text && CoreDataDate(seconds: seconds).hasISO8601)
    #expect(text.utf8.count == ISO8601.capacity)
  }

  @Test(arguments: [-63_113_904_001, 252_423_993_600, 1e15, -1e300, .infinity, .nan])
  func otherYearsHaveNoText(_ seconds: Double) {
    #expect(CoreDataDate(seconds: seconds).iso8601 == nil && !CoreDataDate(seconds: seconds).hasISO8601)
  }

  @Test(arguments: [
    (0.0, "2001-01-01T00:00:00Z"), (0.25, "2001-01-01T00:00:00.250Z"),
    (0.000_25, "2001-01-01T00:00:00.000250Z"),
  ]) func pagesShowLess(_ seconds: Double, _ text: String) {
    #expect(CoreDataDate(seconds: seconds).shortISO8601 == text)
  }

  @Test(arguments: [
    "2026-03-20T12:00:00Z", "2026-03-20T12:00:00", "2026-03-20 12:00", "2026-03-20t12:00:00.0z",
    "2026-03-20T13:00:00+01:00", "2026-03-20T13:00+0100", "2026-03-20 13:00+01",
    "2026-03-20 06:30:00.00-05:30",
    "2026-03-20 11:59:60", "2026-03-20 11:59:59.9999999",
  ]) func spellingsOfOneMoment(_ text: String) {
    #expect(ISO8601.parse(text)?.iso8601 == "2026-03-20T12:00:00.000000Z")
  }

  /// SQL gives texts; only those that are surely dates are shown in another way.
  @Test(arguments: [
    ("2026-03-20T12:00:00.250000Z", true), ("0001-01-01T00:00:00.000000Z", true),
    ("2026-03-20T12:00:00Z", false), ("2026-03-20T12:00:00.250000z", false),
    ("2026-03-20 12:00:00.250000Z", true), ("2026-03-20t12:00:00.250000Z", false),
    ("2026-02-30T12:00:00.250000Z", false),
    ("2026-03-20T12:00:60.000000Z", false), ("2026-03-20T12:00:00.2500000", false), ("", false),
  ]) func knowsItsOwnTexts(_ text: String, _ isWritten: Bool) {
    let date = Array(text.utf8).withUnsafeBytes { ISO8601.written($0) }
    #expect((text.contains(" ") ? date?.sqlText : date?.iso8601) == (isWritten ? text : nil))
  }

  @Test(arguments: [
    "", "2026", "2026-03", "2026-3-20", "2026-02-29", "2026-13-01", "2026-04-31", "2026-03-20T",
    "2026-03-20T12",
    "2026-03-20T24:00", "2026-03-20T12:60", "2026-03-20T12:00:", "2026-03-20T12:00:00.",
    "2026-03-20T12:00:00Zx",
    "2026-03-20T12:00:00+", "2026-03-20T12:00:00+1", "2026-03-20T12:00:00+01:", "２０２６-03-20", " 2026-03-20",
    "2026-03-20Z",
  ]) func noDates(_ text: String) { #expect(ISO8601.parse(text) == nil) }
}

/// What is left out of a date makes it a period.
struct WrittenDateTests {
  @Test(arguments: [
    ("2026", "2026-01-01", "2027-01-01"), ("1800", "1800-01-01", "1801-01-01"),
    ("2026-02", "2026-02-01", "2026-03-01"), ("2024-12", "2024-12-01", "2025-01-01"),
    ("1969-12", "1969-12-01", "1970-01-01"), ("2026-03-20", "2026-03-20", "2026-03-21"),
    ("2026-03-20 12:00", "2026-03-20 12:00", "2026-03-20 12:01"),
    ("2026-03-20T12:00+02:00", "2026-03-20 10:00", "2026-03-20 10:01"),
    ("2026-03-20T12:00:00Z", "2026-03-20 12:00", "2026-03-20 12:00:01"),
    ("2026-03-20T12:00:00.25", "2026-03-20 12:00:00.25", "2026-03-20 12:00:00.26"),
    ("2026-03-20T12:00:00.250000000Z", "2026-03-20 12:00:00.25", "2026-03-20 12:00:00.250001"),
  ]) func isAPeriod(_ text: String, _ start: String, _ end: String) {
    #expect(WrittenDate(text)?.start == ISO8601.parse(start))
    #expect(WrittenDate(text)?.end.iso8601 == ISO8601.parse(end)?.iso8601)
  }

  @Test(arguments: [
    "", "202", "20260320", "2026-13", "2026-3", "2026-02-30", "now", "12:00", "2026-03-20x", "+026",
  ])
  func isNone(_ text: String) { #expect(WrittenDate(text) == nil) }
}
