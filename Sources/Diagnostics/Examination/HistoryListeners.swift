/// Which observers want what.
struct HistoryListeners {
  struct Listener {
    /// Of the rule.
    let index: Int
    let observer: any HistoryObserver
  }

  let beginnings: [Listener]
  let ends: [Listener]
  let objects: [Listener]
  let updates: [Listener]
  let emptyUpdates: [Listener]
  let withoutTransaction: [Listener]
  let strangeEntities: [Listener]

  /// - Parameter observers: nil for rules that gave up.
  init(_ observers: [(any HistoryObserver)?]) {
    func listeners(_ interest: HistoryInterest) -> [Listener] {
      observers.enumerated().compactMap { index, observer in
        guard let observer, observer.interest.contains(interest) else { return nil }
        return Listener(index: index, observer: observer)
      }
    }
    beginnings = listeners(.beginnings)
    ends = listeners(.ends)
    objects = listeners(.objects)
    updates = listeners(.updates)
    emptyUpdates = listeners(.emptyUpdates)
    withoutTransaction = listeners(.withoutTransaction)
    strangeEntities = listeners(.strangeEntities)
  }

  /// Indices of those that keep a state of each object.
  var keepingStates: [Int] { Set((objects + updates + emptyUpdates).map(\.index)).sorted() }
}
