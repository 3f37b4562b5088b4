package import Base

/// Time in equal steps, the finest with which a span fits into so many columns.
package struct TimeAxis: Equatable {
  enum Unit: Equatable {
    case hour, day, week, month
    case years(Int64)

    var name: String {
      switch self {
      case .hour: "hour"
      case .day: "day"
      case .week: "week"
      case .month: "month"
      case .years(1): "year"
      case .years(let count): "\(count) years"
      }
    }
  }

  let unit: Unit
  /// Number of the first step, and how many there are.
  let first: Int64
  let count: Int
  private let last: Int64

  /// Beyond months clocks must have been wrong: no store is decades old. Ten thousand years are as many as a date can
  /// have, so that something always fits.
  private static let units: [Unit] = [
    .hour, .day, .week, .month, .years(1), .years(10), .years(100), .years(1000),
  ]

  /// Nil where there is no hour.
  init?(_ hours: some Sequence<Int64>, columns: Int) {
    var range: ClosedRange<Int64>?
    for hour in hours { range = min(range?.lowerBound ?? hour, hour)...max(range?.upperBound ?? hour, hour) }
    guard let range else { return nil }
    for unit in Self.units {
      let first = Self.step(range.lowerBound, unit)
      let count = Self.step(range.upperBound, unit) - first + 1
      guard count <= max(10, columns) else { continue }
      self.unit = unit
      self.first = first
      self.count = Int(count)
      last = range.upperBound
      return
    }
    return nil
  }

  /// The column that an hour belongs to.
  func column(of hour: Int64) -> Int { Int(Self.step(hour, unit) - first) }

  /// The first hour or day of a column, without what its unit doesn't show.
  func label(of column: Int) -> String {
    let step = first + Int64(column)
    switch unit {
    case .hour:
      let day = Self.floor(step, 24)
      return Self.date(day) + " " + TextForPeople.digits(step - day * 24, 2) + ":00"
    case .day: return Self.date(step)
    case .week: return Self.date(step * 7 - Self.mondayOffset)
    case .month:
      let year = Self.floor(step, 12)
      return TextForPeople.digits(year, 4) + "-" + TextForPeople.digits(step - year * 12 + 1, 2)
    case .years(let count): return TextForPeople.digits(step * count, 4)
    }
  }

  /// Where the axis ends: of a week the day that something last happened on, since its first day would be before that.
  var end: String { unit == .week ? Self.date(Self.floor(last, 24)) : label(of: count - 1) }

  /// The moment that a label names, for the page's script; nil for months and years, which no zone's hours change.
  func moment(of label: String) -> String? {
    switch unit {
    case .hour: label
    case .day, .week: label + " 00:00"
    case .month, .years: nil
    }
  }

  /// 1970-01-01 was a Thursday; weeks begin on Monday (ISO 8601).
  private static let mondayOffset: Int64 = 3

  private static func step(_ hour: Int64, _ unit: Unit) -> Int64 {
    let day = floor(hour, 24)
    switch unit {
    case .hour: return hour
    case .day: return day
    case .week: return floor(day + mondayOffset, 7)
    case .month:
      let date = ISO8601.civil(fromDays: day)
      return date.year * 12 + date.month - 1
    case .years(let count): return floor(ISO8601.civil(fromDays: day).year, count)
    }
  }

  /// The quotient, rounded down also below zero.
  package static func floor<Number: BinaryInteger>(_ value: Number, _ divisor: Number) -> Number {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }

  private static func date(_ day: Int64) -> String {
    let (year, month, day) = ISO8601.civil(fromDays: day)
    return TextForPeople.day(year, month, day)
  }
}

extension CoreDataDate {
  /// Hours since 1970-01-01 00:00 UTC, rounded down; nil for what no calendar of four digits has.
  package var hour: Int64? {
    guard iso8601 != nil else { return nil }
    return Int64((unixSeconds / 3600).rounded(.down))
  }
}
