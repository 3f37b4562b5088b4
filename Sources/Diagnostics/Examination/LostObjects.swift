import Lens
import SQLite
import StoreModel

/// Objects that bursts deleted and didn't make: read in one pass over history for all candidates, as a cache that is filled
/// again at each sync makes thousands.
struct LostObjects {
  private let examination: Examination
  /// With the place of the candidate.
  private let lost: [ObjectKey: (candidate: Int, transaction: Int64)]

  private static let mostKeys = 1_000_000

  /// Nil if they can't be distinguished.
  init?(_ examination: Examination, _ found: [MassDeletes.Candidate]) throws {
    self.examination = examination
    // Candidates of one burst follow each other.
    var places: [Int64: ClosedRange<Int>] = [:]
    for (index, candidate) in found.enumerated() {
      for number in candidate.transactions { places[number] = (places[number]?.lowerBound ?? index)...index }
    }
    let entities = found.map(\.entity)
    guard let first = places.keys.min(), let last = places.keys.max(), let least = entities.min(),
      let most = entities.max(), let reader = try HistoryReader(examination.store)
    else { return nil }
    var filter = HistoryFilter(entities: least...most, transactions: first...last)
    filter.kinds = [.insert, .delete]
    var made: [ObjectKey: Int] = [:]
    var lost: [ObjectKey: (candidate: Int, transaction: Int64)] = [:]
    try reader.forEachChange(filter, reading: []) { cursor, _ in
      let change = cursor.change
      guard let transaction = change.transaction, let place = places[transaction],
        let entity = change.entity, let primaryKey = change.objectKey,
        let candidate = place.first(where: { found[$0].entity == entity })
      else { return true }
      let key = ObjectKey(entity: entity, primaryKey: primaryKey)
      if change.kind == .insert {
        made[key] = candidate
      } else if made[key] != candidate {
        lost[key] = (candidate, transaction)
      }
      return made.count + lost.count < Self.mostKeys
    }
    guard made.count + lost.count < Self.mostKeys else { return nil }
    self.lost = lost
  }

  func count(in found: inout [MassDeletes.Candidate], origin: TransactionOrigin, token: Int64?) throws {
    for index in found.indices { found[index].deleted = 0 }
    for object in lost.values { found[object.candidate].deleted += 1 }
    guard origin == .app, examination.tables.has(.records) else { return }
    // Those that are flagged, and those with a record that the exporter hasn't processed. Without a token it isn't known
    // what was exported before it was lost.
    try examination.store.connection.forEachRow(
      "SELECT entityNumber, pk, needsCloudDelete AND needsUpload FROM records"
    ) { row in
      let key = ObjectKey(entity: row.integer(0), primaryKey: row.integer(1))
      guard let object = lost[key] else { return }
      let isUnprocessed = token.map { object.transaction > $0 } ?? false
      if isUnprocessed || row.integer(2) == 1 { found[object.candidate].pending += 1 }
    }
  }
}
