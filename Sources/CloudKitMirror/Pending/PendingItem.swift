package import Values

/// One thing that waits to be sent.
package struct PendingItem: Sendable, Equatable {
  package enum Kind: String, Sendable, CaseIterable {
    case upload, cloudDelete, link, linkDelete, share, moveReceipt, unanalyzed, unregistered
  }

  package var kind: Kind
  package var entity: String?
  package var primaryKey: Int64?
  package var uri: String?
  package var recordName: String?
  package var zone: String?
  /// The transaction that caused it; nil where history doesn't have it, or nothing in history caused it.
  package var transaction: Int64?
  package var author: String?
  package var since: CoreDataDate?
  /// One sentence.
  package var reason: String
  /// The same without names of zones and records, for those who must not see them.
  package var reasonWithoutNames: String

  /// - Parameter unnamed: `reason` without names; nil where it has none.
  init(_ kind: Kind, reason: String, unnamed: String? = nil) {
    self.kind = kind
    self.reason = reason
    reasonWithoutNames = unnamed ?? reason
  }

  /// The members that `pending` prints, in order.
  package var value: DataValue {
    [
      "kind": .text(kind.rawValue), "entity": .optional(entity), "pk": .optional(primaryKey),
      "uri": .optional(uri), "recordName": .optional(recordName), "transaction": .optional(transaction),
      "author": .optional(author), "since": .optional(since), "reason": .text(reason),
      "zone": .optional(zone),
    ]
  }
}
