package import Values

/// A time in which the app saved and the mirror logged nothing.
package struct SyncGap: Sendable, Equatable {
  /// The event before it; nil where there is none, which may only mean that the log was cut.
  package var from: CoreDataDate?
  /// The event after it; nil where it lasts.
  package var until: CoreDataDate?
  /// The first and last transaction of the app's own in it, and how many there are.
  package var firstSave: CoreDataDate
  package var lastSave: CoreDataDate
  package var saves: Int

  package var value: DataValue {
    [
      "from": .optional(from), "until": .optional(until), "firstSave": .date(firstSave),
      "lastSave": .date(lastSave), "saves": .count(saves),
    ]
  }
}
