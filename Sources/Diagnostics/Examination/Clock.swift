import CloudKitMirror
import SQLite
import StoreModel
package import Values

/// The two times that rules compare with.
package struct Clock: Sendable {
  /// The newest time stamp in history, events and fetches: the store's last sign of life. Ages are counted back from
  /// it, so that a store in a bug report of last year is judged as it was then, and each run says the same.
  package let lastSign: CoreDataDate
  /// The clock on the wall. What lies after it lies in the future.
  package let now: CoreDataDate

  init(_ store: CoreDataStore, _ tables: MirrorTables, _ mirror: Mirror?, now: CoreDataDate?) throws {
    let now = now ?? Platform.now()
    self.now = now
    var newest: [CoreDataDate] = []
    if tables.has(.transactions, "ZTIMESTAMP") {
      // A few wrong clocks must not move it.
      do {
        let seconds = try store.connection.first(
          "SELECT MAX(ZTIMESTAMP) FROM main.ATRANSACTION WHERE ZTIMESTAMP <= ?", [.real(now.seconds)]
        ) { $0.optionalReal(0) }
        newest += [seconds.flatMap { $0 }.map(CoreDataDate.init(seconds:))].compactMap { $0 }
      } catch let error as SQLiteError where error.isDamage {
        // A damaged store is what the doctor is for; a rule of its own speaks of the damage.
      }
    }
    newest += [mirror?.events.last].compactMap { $0 } + (mirror?.zones.compactMap(\.lastFetch) ?? [])
    lastSign = newest.filter { $0 <= now }.max() ?? now
  }

  /// Days from then to the store's last sign of life; not below zero.
  package func days(since date: CoreDataDate) -> Double {
    max(0, (lastSign.seconds - date.seconds) / 86_400)
  }
}
