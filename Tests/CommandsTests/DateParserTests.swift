import Base
import Rendering
import Testing

@testable import Commands

/// Moments as people type them, on a Wednesday at 09:30 UTC, in Berlin.
struct DateParserTests {
  private static let now = ISO8601.parse("2026-04-15T09:30:00Z") ?? CoreDataDate(seconds: 0)
  private static let summer = ISO8601.parse("2026-03-29T01:00:00Z") ?? CoreDataDate(seconds: 0)
  private static var moments: DateParser {
    DateParser(now: now) { $0 < Int64(summer.unixSeconds) ? 3600 : 7200 }
  }

  @Test(arguments: [
    ("2026-03-01", "2026-03-01"), ("2026-03-01 12:00", "2026-03-01 12:00"),
    ("2026-03-01T12:00:00+01:00", "2026-03-01 11:00"), ("2026-03", "2026-03-01"), ("2025", "2025-01-01"),
    ("now", "2026-04-15 09:30"), ("today", "2026-04-14 22:00"), ("Yesterday", "2026-04-13 22:00"),
    ("yesterday 10:31", "2026-04-14 08:31"), ("today 10:31", "2026-04-15 08:31"),
    ("10:31", "2026-04-15 08:31"), ("9:05:30", "2026-04-15 07:05:30"),
    // Later than now: yesterday's.
    ("23:15", "2026-04-14 21:15"),
    ("2h", "2026-04-15 07:30"), ("90 min", "2026-04-15 08:00"), ("3 days ago", "2026-04-12 09:30"),
    ("1w", "2026-04-08 09:30"), ("30s", "2026-04-15 09:29:30"),
    // As tables print them, in UTC and of this year; later ones are of the last.
    ("Apr 15 08:02", "2026-04-15 08:02"), ("Apr  2 18:22", "2026-04-02 18:22"), ("apr 2", "2026-04-02"),
    ("Apr 2 18:22 UTC", "2026-04-02 18:22"), ("Apr 15 09:31", "2025-04-15 09:31"),
    ("Dec 31 23:59", "2025-12-31 23:59"), ("Feb 29", "2024-02-29"),
  ])
  func isRead(_ text: String, _ expected: String) {
    #expect(Self.moments.parse(text) == ISO8601.parse(expected), "\(text)")
  }

  @Test(arguments: [
    "Apr", "Apr 31", "Apr 0", "Apr 2 25:00", "Apr 2 3", "Foo 2", "Apr 2 08:02 CET", "Feb 30",
    "Apr +5", "+1:30", "10:+5", "", "soon", "25:00", "10:61", "1:2:3:4", "2x", "h", "-2h", "yesterday now",
    "2h 3", "10", "12345",
  ])
  func isRefused(_ text: String) { #expect(Self.moments.parse(text) == nil, "\(text)") }

  /// A command that deletes doesn't guess a year.
  @Test(arguments: [
    ("Apr 15", true), (" Apr 15 08:02 UTC", true), ("2026-04-15", false), ("yesterday", false), ("2h", false),
  ]) func yearsAreMissed(_ text: String, _ expected: Bool) {
    #expect(Self.moments.lacksYear(text) == expected, "\(text)")
  }

  /// Tables printed a later day of this year without the year, and typed it meant last year's.
  @Test(arguments: [0, -3600, 3600, 86_400, 17_280_000] as [Double])
  func printedMomentsAreFound(_ distance: Double) {
    let date = CoreDataDate(seconds: Self.now.seconds + distance)
    let text = DateText(thisYear: 2026, now: Self.now).minute(date)
    #expect(Self.moments.parse(text) == date, "\(text)")
  }

  /// With `--local`, tables print what clocks showed.
  @Test func localTimesAreTakenAsTheyArePrinted() {
    let moments = DateParser(now: Self.now, printsLocal: true) {
      $0 < Int64(Self.summer.unixSeconds) ? 3600 : 7200
    }
    #expect(moments.parse("Apr 15 08:02") == ISO8601.parse("2026-04-15T06:02:00Z"))
    #expect(moments.parse("Mar 2 08:02") == ISO8601.parse("2026-03-02T07:02:00Z"))
    #expect(moments.parse("Apr 15 08:02 UTC") == ISO8601.parse("2026-04-15T08:02:00Z"))
    #expect(moments.parse("2026-04-15 08:02") == ISO8601.parse("2026-04-15T08:02:00Z"))
  }

  /// `search` takes what is printed, in the zone in which it is printed; words, ages and numbers are texts there.
  @Test(
    arguments: [
      ("2026-04-15 08:02", "2026-04-15T06:02:00Z", 60), ("2026-04-15 08:02:30Z", "2026-04-15T08:02:30Z", 1),
      ("2026-04-15T08:02+01:00", "2026-04-15T07:02:00Z", 60), ("2026-04-15", "2026-04-14T22:00:00Z", 86_400),
      ("Apr 15 08:02", "2026-04-15T06:02:00Z", 60), ("2026-03", "2026-02-28T23:00:00Z", 31 * 86_400 - 3600),
      // The day of the change has 23 hours.
      ("2026-03-29", "2026-03-28T23:00:00Z", 82_800), ("2026", nil, 0), ("today", nil, 0), ("10:31", nil, 0),
      ("2h", nil, 0), ("now", nil, 0), ("Apr", nil, 0),
    ] as [(String, String?, Double)]) func printedDatesAreInThePrintedZone(
      _ text: String, _ start: String?, _ length: Double
    )
  {
    let moments = DateParser(now: Self.now, printsLocal: true) {
      $0 < Int64(Self.summer.unixSeconds) ? 3600 : 7200
    }
    let period = moments.printedPeriod(text)
    #expect(period?.lowerBound == start.flatMap(ISO8601.parse), "\(text)")
    if let period { #expect(period.upperBound.seconds - period.lowerBound.seconds == length, "\(text)") }
  }

  /// The clocks changed between that midnight and now.
  @Test func midnightHasItsOwnOffset() {
    let moments = DateParser(now: ISO8601.parse("2026-03-29T12:00:00Z") ?? Self.now) {
      $0 < Int64(Self.summer.unixSeconds) ? 3600 : 7200
    }
    #expect(moments.parse("today") == ISO8601.parse("2026-03-28T23:00:00Z"))
    #expect(moments.parse("yesterday") == ISO8601.parse("2026-03-27T23:00:00Z"))
  }

  /// Both were off by the hour that the day lost: `10:31` was counted from midnight.
  @Test func clockTimesOfAChangeOfClocks() {
    let moments = DateParser(now: ISO8601.parse("2026-03-29T12:00:00Z") ?? Self.now) {
      $0 < Int64(Self.summer.unixSeconds) ? 3600 : 7200
    }
    #expect(moments.parse("10:31") == ISO8601.parse("2026-03-29T08:31:00Z"))
    #expect(moments.parse("1:30") == ISO8601.parse("2026-03-29T00:30:00Z"))
    #expect(moments.parse("today 10:31") == ISO8601.parse("2026-03-29T08:31:00Z"))
    #expect(moments.parse("23:15") == ISO8601.parse("2026-03-28T22:15:00Z"))
    #expect(moments.last("today") == ISO8601.parse("2026-03-29T21:59:59.999999Z"))
  }

  @Test(arguments: [
    ("2026-03-01", "2026-03-01T23:59:59.999999Z"), ("2026-02", "2026-02-28T23:59:59.999999Z"),
    ("2026", "2026-12-31T23:59:59.999999Z"), ("2026-03-01 12:00", "2026-03-01T12:00:59.999999Z"),
    ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"), ("10:31:05", "2026-04-15T08:31:05Z"),
    ("2026-03-01T12:00:00.250000Z", "2026-03-01T12:00:00.250000Z"), ("now", "2026-04-15T09:30:00Z"),
    ("Apr 2", "2026-04-02T23:59:59.999999Z"), ("Apr 2 18:22", "2026-04-02T18:22:59.999999Z"),
    ("10:31", "2026-04-15T08:31:59.999999Z"), ("yesterday", "2026-04-14T21:59:59.999999Z"),
    ("2h", "2026-04-15T07:30:00Z"),
  ]) func endsAreIncluded(_ text: String, _ expected: String) {
    #expect(Self.moments.last(text)?.iso8601 == ISO8601.parse(expected)?.iso8601, "\(text)")
  }
}
