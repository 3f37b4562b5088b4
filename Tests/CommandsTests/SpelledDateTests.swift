import Rendering
import Testing
import Values

@testable import Commands

/// Dates as people and other programs write them; only what tables print was read.
struct SpelledDateTests {
  @Test(arguments: [
    ("Mar 20 2026", ["2026-03-20"]), ("March 20, 2026", ["2026-03-20"]), ("20th March 2026", ["2026-03-20"]),
    ("20. Mar. 2026", ["2026-03-20"]), ("20.03.2026", ["2026-03-20"]), ("2026/3/20", ["2026-03-20"]),
    ("2026-3-2", ["2026-03-02"]), ("3/20/2026", ["2026-03-20"]), ("20/3/26", ["2026-03-20"]),
    ("3/3/2026", ["2026-03-03"]), ("3/4/2026", ["2026-03-04", "2026-04-03"]),
    ("3/4/26, 4:05 AM", ["2026-03-04 04:05", "2026-04-03 04:05"]), ("March 2026", ["2026-03"]),
    ("20 Mar", ["mar 20"]), ("Sept 1", ["sep 1"]), ("20 Mar 16:30 UTC", ["mar 20 16:30 utc"]),
    ("Mar 20, 2026 at 4:30\u{202F}PM", ["2026-03-20 16:30"]), ("20.03.2026 12:00 am", ["2026-03-20 00:00"]),
    ("Mar 20 2026 12:15pm", ["2026-03-20 12:15"]),
    ("Fri, 20 Mar 2026 16:30:00 +0100", ["2026-03-20 16:30:00+01:00"]),
    ("Fri Mar 20 16:30:00 UTC 2026", ["2026-03-20 16:30:00Z"]),
    // A birthday was taken for a day in 2088.
    ("11/27/91", ["1991-11-27"]), ("6/3/88", ["1988-06-03", "1988-03-06"]), ("20.03.26", ["2026-03-20"]),
    ("20260320", ["2026-03-20"]),
    ("20-Mar-2026", ["2026-03-20"]), ("20-mar-91", ["1991-03-20"]),
    ("2026:03:20 16:30:00", ["2026-03-20 16:30:00"]), ("20260320T163000Z", ["2026-03-20 16:30:00Z"]),
    (
      "Fri Mar 20 2026 17:30:00 GMT+0100 (Central European Standard Time)", ["2026-03-20 17:30:00+01:00"]
    ),
  ]) func spellingsAreRead(_ text: String, _ forms: [String]) {
    #expect(SpelledDate.forms(of: text) == forms)
  }

  /// Texts with numbers, versions and names of days are no dates.
  @Test(arguments: [
    "", "at", "Mar", "Friday", "sun 20", "2026", "20", "Mar 20 20", "Mar Apr 2026", "10.3",
    "13.13.2026",
    "32/1/2026", "2026-02-30x", "30.02.2026", "20.03.2026 20.03.2026", "Mar 20 UTC", "16:30",
    "0:30 pm Mar 20",
    "March 2026 16:30", "March of 2026", "Trip 12", "1-2-3", "2026.3.4.5", "20.03/2026",
    "Mar 20 2026 16:30 16:30",
  ]) func otherTextsAreNot(_ text: String) { #expect(SpelledDate.forms(of: text).isEmpty, "\(text)") }

  @Test(
    arguments: [
      ("March 20, 2026", "2026-03-20T00:00:00Z"), ("20 Mar 16:30", "2026-03-20T16:30:00Z"),
      ("Fri, 20 Mar 2026 16:30:00 +0100", "2026-03-20T15:30:00Z"), ("3/4/2026", nil),
      // Later this year: last year's, as tables mean it.
      ("20 Apr", "2025-04-20T00:00:00Z"),
    ] as [(String, String?)]) func momentsAreSpelled(_ text: String, _ expected: String?) throws
  {
    let now = try #require(ISO8601.parse("2026-04-15T09:30:00Z"))
    let moment = TypedMoment(now: now) { _ in 0 }
    #expect(moment.parse(text) == expected.flatMap(ISO8601.parse))
    #expect(moment.printedPeriod(text)?.lowerBound == expected.flatMap(ISO8601.parse))
  }

  /// A command that deletes doesn't guess a year.
  @Test(arguments: [("20 Mar", true), ("20 Mar 2026", false), ("20.03.2026", false)])
  func yearsAreMissed(_ text: String, _ lacks: Bool) { #expect(TypedMoment().lacksYear(text) == lacks) }
}
