import Values

/// How long before the store's last sign of life something was, for evidence and for sentences.
struct Age {
  /// Nil where there is no date, or none that a calendar has: raw SQL can write anything there.
  let days: Double?
  private let isDated: Bool

  init(_ date: CoreDataDate?, _ clock: Clock) {
    isDated = date != nil
    days = date.flatMap { $0.iso8601 == nil ? nil : clock.days(since: $0) }
  }

  /// `3 days`, `1.5 days`; rounded to a tenth.
  var inDays: String {
    guard let days else { return inWords }
    let tenths = (days * 10).rounded() / 10
    if tenths == 1 { return "1 day" }
    return tenths == tenths.rounded() ? "\(Int64(clamping: tenths)) days" : "\(tenths) days"
  }

  /// Whole ones.
  var inHours: String {
    guard let days else { return inWords }
    return Sentence.count(Int(Int64(clamping: days * 24)), "hour")
  }

  private var inWords: String { isDated ? "an impossible time" : "an unknown time" }
}
