package import Values

/// The mirror in a few numbers.
package struct MirrorSummary: Sendable, Equatable {
  package var layout: MirrorLayout
  package var scope: DatabaseScope?
  package var zones: Int
  package var records: Int
  /// All that waits to be sent, as `PendingCounts` counts it.
  package var pending: Int

  package init(_ mirror: Mirror, _ counts: PendingCounts) throws {
    layout = mirror.layout
    scope = mirror.scope
    zones = mirror.zones.count
    records = try mirror.recordCount()
    pending = counts.total
  }

  package var value: DataValue {
    [
      "present": true, "layout": .text(layout.name), "scope": .optional(scope?.name), "zones": .count(zones),
      "records": .count(records), "pending": .count(pending),
    ]
  }

  /// What stands for a store without a mirror.
  package static let absent: DataValue = [
    "present": false, "layout": nil, "scope": nil, "zones": nil, "records": nil, "pending": nil,
  ]
}
