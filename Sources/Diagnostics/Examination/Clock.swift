package import Base
import Lens
import SQLite
import StoreModel

/// The two times that rules compare with.
package struct Clock: Sendable {
  /// The newest timestamp in history, events and fetches: the newest timestamp in the store. Ages are counted back from
  /// it, so that a store in a bug report of last year is judged as it was then, and each run says the same.
  package let lastSign: CoreDataDate
  /// The clock on the wall. What lies after it lies in the future.
  package let now: CoreDataDate

  init(_ store: CoreDataStore, _ mirror: Mirror?, now: CoreDataDate?) throws {
    let now = now ?? Platform.now()
    self.now = now
    var newest: [CoreDataDate] = []
    do {
      // A few wrong clocks must not move it.
      let transactions = try mirror?.transactions ?? TransactionReader(store)
      newest += [try transactions?.newestTime(upTo: now)].compactMap { $0 }
      if let mirror {
        newest += try [mirror.events.last].compactMap { $0 } + mirror.zones.compactMap(\.lastFetch)
      }
    } catch let error as SQLiteError where error.isDamage {
      // A damaged store is what the doctor is for; a rule of its own speaks of the damage.
    }
    lastSign = newest.filter { $0 <= now }.max() ?? now
  }

  /// Days from then to the newest timestamp in the store; not below zero.
  package func days(since date: CoreDataDate) -> Double {
    max(0, (lastSign.seconds - date.seconds) / 86_400)
  }
}

/// How long before the newest timestamp in the store something was, for evidence and for sentences.
struct Age {
  /// Nil where there is no date, or none that a calendar has: raw SQL can write anything there.
  let days: Double?
  private let isDated: Bool

  init(_ date: CoreDataDate?, _ clock: Clock) {
    isDated = date != nil
    days = date.flatMap { $0.iso8601 == nil ? nil : clock.days(since: $0) }
  }

  /// `3 days`, `1.5 days`, `1,743 days`; below a hundred rounded to a tenth.
  var inDays: String {
    guard let days else { return inWords }
    let tenths = (days * 10).rounded() / 10
    if tenths == 1 { return "1 day" }
    if tenths >= 100 { return "\(Sentence.number(Int(Int64(clamping: tenths.rounded())))) days" }
    return tenths == tenths.rounded() ? "\(Int64(clamping: tenths)) days" : "\(tenths) days"
  }

  private var inWords: String { isDated ? "an impossible time" : "an unknown time" }
}
