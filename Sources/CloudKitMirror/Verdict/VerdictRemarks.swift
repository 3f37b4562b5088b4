import Values

/// What else there is to say with a verdict, whatever it is.
struct VerdictRemarks {
  private let mirror: Mirror
  private let counts: [PendingItem.Kind: Int]

  init(_ mirror: Mirror, _ counts: [PendingItem.Kind: Int]) {
    self.mirror = mirror
    self.counts = counts
  }

  var sentences: [String] {
    var remarks: [String] = []
    if let success = mirror.events[.export].lastSuccess, let moment = success.moment?.iso8601 {
      remarks.append("The last export that succeeded began at \(moment).")
    }
    if mirror.token.state == .missing, counts[.unanalyzed, default: 0] > 0 {
      remarks.append("There is no last-history token, so the next export looks at all of history.")
    }
    if mirror.isSet(MetadataKey.bypassHistory) {
      remarks.append("The next export also looks at what imports and resets wrote.")
    }
    if mirror.isSet(MetadataKey.scanForMissingRows) {
      remarks.append("The next export looks for rows without a record.")
    }
    if mirror.isSet(MetadataKey.needsMigration) {
      remarks.append("The next setup migrates the mirror's tables first.")
    }
    remarks += MirrorZone.remarks(mirror.zones)
    if let open = mirror.events[.export].open {
      let moment = open.started?.iso8601.map { " at \($0)" } ?? ""
      remarks.append("An export that began\(moment) has no end: it was running, or its process died.")
    }
    for table in [FrameworkTable.zones, .links, .moveReceipts, .events] where mirror.layout.isComplete {
      guard let absence = mirror.tables.absence(of: table) else { continue }
      remarks.append("\(absence), so what it would say isn't in this verdict.")
    }
    if !mirror.tables.hasHistory {
      remarks.append("The store keeps no history, so what was saved and not yet analysed can't be told.")
    }
    return remarks
  }
}
