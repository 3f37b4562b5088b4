import Rendering
import Values

/// What `--since` and `--until` select.
struct TypedPeriod {
  var since: CoreDataDate?
  var until: CoreDataDate?

  /// ` since Nov 25 10:31 UTC`, as it was understood: `10:31` is a time of today or yesterday, however old the store is, and
  /// an empty answer must show that. Empty if everything is selected.
  func words(_ dates: DateText) -> String {
    func text(_ date: CoreDataDate?) -> String? { date.map { dates.minute($0) } }
    return switch (text(since), text(until)) {
    case (let since?, let until?): " from \(since) to \(until)\(dates.zone)"
    case (let since?, nil): " since \(since)\(dates.zone)"
    case (nil, let until?): " until \(until)\(dates.zone)"
    case (nil, nil): ""
    }
  }
}
