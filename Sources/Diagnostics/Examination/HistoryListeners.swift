/// Which observers, by their index, want what.
struct HistoryListeners {
  let beginnings: [Int]
  let ends: [Int]
  let objects: [Int]
  let updates: [Int]
  let emptyUpdates: [Int]
  let withoutTransaction: [Int]
  let strangeEntities: [Int]

  init(_ interests: [HistoryInterest]) {
    func indices(_ interest: HistoryInterest) -> [Int] {
      interests.indices.filter { interests[$0].contains(interest) }
    }
    beginnings = indices(.beginnings)
    ends = indices(.ends)
    objects = indices(.objects)
    updates = indices(.updates)
    emptyUpdates = indices(.emptyUpdates)
    withoutTransaction = indices(.withoutTransaction)
    strangeEntities = indices(.strangeEntities)
  }

  var keepingStates: [Int] { Set(objects + updates + emptyUpdates).sorted() }
}
