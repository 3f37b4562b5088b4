package import Values

/// How much isn't sent yet, by kind. No object is counted twice: what is flagged in its record is an upload or a
/// delete even where the app changed it again since, and a row that was just saved is unanalysed, not unregistered.
package struct PendingCounts: Sendable, Equatable {
  package var uploads = 0
  package var cloudDeletes = 0
  package var links = 0
  package var linkDeletes = 0
  package var shares = 0
  package var moveReceipts = 0
  /// Objects saved after the last analysed transaction, whose record isn't flagged yet.
  package var unanalyzed = 0
  /// Rows of mirrored entities that have no record and of which the history to come says nothing.
  package var unregistered = 0

  package init() {}

  package var total: Int {
    uploads + cloudDeletes + links + linkDeletes + shares + moveReceipts + unanalyzed + unregistered
  }

  /// What the next export sends. Rows without a record are only found where it scans for them.
  package func sent(scanning: Bool) -> Int { scanning ? total : total - unregistered }

  package var value: DataValue {
    [
      "uploads": .count(uploads), "cloudDeletes": .count(cloudDeletes), "links": .count(links),
      "linkDeletes": .count(linkDeletes), "shares": .count(shares), "moveReceipts": .count(moveReceipts),
      "unanalyzed": .count(unanalyzed), "unregistered": .count(unregistered),
    ]
  }
}
