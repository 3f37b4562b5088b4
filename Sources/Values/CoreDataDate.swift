/// A moment as Core Data stores it: seconds since 2001-01-01 00:00 UTC.
/// https://developer.apple.com/documentation/foundation/nsdate/timeintervalsincereferencedate
package struct CoreDataDate: Sendable, Hashable, Comparable {
  package var seconds: Double

  package init(seconds: Double) { self.seconds = seconds }

  /// Seconds between 1970-01-01 and 2001-01-01.
  package static let unixOffset: Int64 = 978_307_200

  package init(unixSeconds: Double) { seconds = unixSeconds - Double(Self.unixOffset) }

  package init(unixMicroseconds: Int64) {
    let (seconds, fraction) = unixMicroseconds.quotientAndRemainder(dividingBy: 1_000_000)
    self.seconds = Double(seconds - Self.unixOffset) + Double(fraction) / 1_000_000
  }

  package var unixSeconds: Double { seconds + Double(Self.unixOffset) }

  package static func < (one: Self, other: Self) -> Bool { one.seconds < other.seconds }

  /// ISO 8601 in UTC, for example `2024-02-29T12:00:00.250000Z`, or nil if the year isn't one of 1 to 9999.
  package var iso8601: String? { text(separator: UInt8(ascii: "T")) }

  /// As SQL has it, for example `2024-02-29 12:00:00.250000Z`.
  package var sqlText: String? { text(separator: UInt8(ascii: " ")) }

  private func text(separator: UInt8) -> String? {
    withUnsafeTemporaryAllocation(byteCount: ISO8601.capacity, alignment: 1) { buffer in
      let length = ISO8601.write(coreDataSeconds: seconds, to: buffer, separator: separator)
      return length == 0 ? nil : String(decoding: buffer[..<length], as: UTF8.self)
    }
  }

  /// Seconds for which `iso8601` is never nil: the years 1 to 9999 but for the last second, which may be rounded.
  package static let calendar = ISO8601.coreDataSeconds

  /// Whether `iso8601` isn't nil.
  package var hasISO8601: Bool { ISO8601.canWrite(coreDataSeconds: seconds) }

  /// As `iso8601`, for pages: with milliseconds or no fraction at all if that loses nothing. JSON has one form, in its
  /// sentences, too.
  package var shortISO8601: String? {
    guard let text = iso8601 else { return nil }
    if text.hasSuffix(".000000Z") { return String(text.dropLast(8)) + "Z" }
    return text.hasSuffix("000Z") ? String(text.dropLast(4)) + "Z" : text
  }
}
