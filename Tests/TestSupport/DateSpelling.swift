import Foundation

/// A moment in microseconds since 1970, and ways to write it, by means of Foundation's calendar.
package enum DateSpelling {
  /// 2001-01-01
  package static let epoch: Int64 = 978_307_200_000_000
  private static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    return calendar
  }()

  package static func moment(_ random: inout SeededGenerator) -> Int64 {
    let seconds = Int64.random(in: 0..<2_000_000_000, using: &random)
    let fraction: Int64 =
      [0, 500_000, 250_000, 123_000, Int64.random(in: 0..<1_000_000, using: &random)].randomElement(
        using: &random) ?? 0
    return seconds * 1_000_000 + fraction
  }

  package static func near(_ moment: Int64, _ random: inout SeededGenerator) -> Int64 {
    max(
      0,
      moment
        + ([0, 1, -1, 1000, -1000, 500_000, -500_000, 1_000_000, 86_400_000_000].randomElement(using: &random)
          ?? 0))
  }

  /// The text, and the moment that it means: a shorter text means the beginning of its minute or day.
  package static func spell(_ moment: Int64, _ random: inout SeededGenerator) -> (text: String, time: Int64) {
    let kind = Int.random(in: 0..<8, using: &random)
    let offset = kind < 4 ? 0 : Int64.random(in: -14 * 60...14 * 60, using: &random)
    let local = moment + offset * 60_000_000
    let microseconds = local - local.floored(1_000_000)
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second],
      from: Date(timeIntervalSince1970: Double((local - microseconds) / 1_000_000)))
    let day = String(format: "%04d-%02d-%02d", parts.year ?? 0, parts.month ?? 0, parts.day ?? 0)
    let minute = String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
    if kind == 1 { return (day, moment.floored(86_400_000_000)) }
    let separator = ["T", " ", "t"].randomElement(using: &random) ?? "T"
    if kind == 2 { return (day + separator + minute, moment.floored(60_000_000)) }
    let zone: String
    if offset == 0 {
      zone = ["Z", "z", "", "+00:00", "-0000", "+00"].randomElement(using: &random) ?? ""
    } else {
      let colon = Bool.random(using: &random) ? ":" : ""
      zone = String(
        format: "%@%02d%@%02d", offset < 0 ? "-" : "+", Int(abs(offset) / 60), colon, Int(abs(offset) % 60))
    }
    let second = String(format: ":%02d", parts.second ?? 0)
    var fraction = microseconds == 0 ? "" : String(format: ".%06d", Int(microseconds))
    while Bool.random(using: &random), fraction.hasSuffix("0") { fraction.removeLast() }
    return (day + separator + minute + second + fraction + zone, moment)
  }
}

extension Int64 {
  /// The multiple of `step` at or below it.
  fileprivate func floored(_ step: Int64) -> Int64 { self - ((self % step) + step) % step }
}
