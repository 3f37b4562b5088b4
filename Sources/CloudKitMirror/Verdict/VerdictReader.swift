import Values

/// Comes to the verdict. The first rule that holds decides:
///
/// 1. No table of a mirror: `notMirrored`.
/// 2. A layout that isn't known, or one from before upload flags: `unknown`.
/// 3. No successful event, no record, no zone on the server and no token: `neverSetUp`. The setup's error, if there is
///    one, is the reason.
/// 4. The tables of records or metadata entries are missing, or the token can't be read: `unknown`.
/// 5. A token from which no export can start, an identity half recorded, a setup that fails and no success since, an
///    export that fails while something waits, an import that fails: `blocked`. Errors that pass by themselves and
///    errors that are noise don't block; throttling does, for as long as it lasts.
/// 6. Something waits to be sent: `waiting`.
/// 7. Else `idle`. What waits to be fetched is told, and doesn't count.
package struct VerdictReader {
  private let mirror: Mirror
  private let counts: PendingCounts

  /// The verdict on a store; `mirror` is nil where it has none, and then `counts` aren't needed.
  package static func verdict(_ mirror: Mirror?, counts: @autoclosure () throws -> PendingCounts) throws
    -> Verdict
  {
    guard let mirror else {
      return Verdict(
        .notMirrored, because: ["The store has no tables of NSPersistentCloudKitContainer's mirroring."])
    }
    return try VerdictReader(mirror: mirror, counts: try counts()).verdict()
  }

  private func verdict() throws -> Verdict {
    let noise = noise
    if let reasons = layoutReasons { return Verdict(.unknown, because: reasons, noise: noise) }
    if let reasons = try neverSetUp() { return Verdict(.neverSetUp, because: reasons, noise: noise) }
    if let reasons = evidenceReasons { return Verdict(.unknown, because: reasons + waiting, noise: noise) }
    let blockers = tokenBlockers + identityBlockers + EventBlockers(mirror.events, counts).sentences
    if !blockers.isEmpty { return Verdict(.blocked, because: blockers + waiting + remarks, noise: noise) }
    if counts.total > 0 {
      let passing = EventBlockers(mirror.events, counts).passing
      return Verdict(.waiting, because: waiting + passing + remarks, noise: noise)
    }
    return Verdict(.idle, because: ["Nothing waits to be sent."] + remarks, noise: noise)
  }

  private var layoutReasons: [String]? {
    if mirror.layout == .unknown {
      return ["The mirror's tables are of no layout known here."]
        + mirror.tables.unknownTables.map { "The table \($0) is not known." }
    }
    guard !mirror.layout.hasUploadFlags else { return nil }
    return ["The mirror's tables are of the layout \(mirror.layout.name), which has no flags for what waits."]
  }

  private func neverSetUp() throws -> [String]? {
    let hasZone = mirror.zones.contains { $0.flags.contains(.hasRecordZone) || $0.changeToken.isPresent }
    guard !mirror.events.hasAnySuccess, mirror.token.state == .missing, !hasZone else { return nil }
    guard try mirror.recordCount() == 0 else { return nil }
    var reasons = [
      "No setup of mirroring is known to have succeeded: there is no zone, no record and no token."
    ]
    if let failure = mirror.events[.setup].failure {
      reasons.append(EventBlockers.sentence(failure, "setup"))
    }
    return reasons
  }

  private var evidenceReasons: [String]? {
    var reasons = [FrameworkTable.records, .metadataEntries].filter { !mirror.tables.has($0) }.map {
      "The table \($0.rawValue) is missing, so what waits can't be told."
    }
    if mirror.tables.has(.records), !mirror.tables.has(.records, "ZNEEDSUPLOAD") {
      reasons.append("The records have no column ZNEEDSUPLOAD, so what waits can't be told.")
    }
    if let problem = mirror.token.problem {
      reasons.append("The last-history token can't be read: \(problem).")
    }
    return reasons.isEmpty ? nil : reasons
  }

  private var tokenBlockers: [String] {
    let number = mirror.token.transaction.map(String.init) ?? "?"
    return switch mirror.token.state {
    case .foreign:
      [
        "The last-history token is of another store, so every export fails with NSCocoaErrorDomain 134501 until the token is gone."
      ]
    case .expired:
      [
        "Transaction \(number), which the last-history token names, is gone from history: the next launch ends with NSCocoaErrorDomain 134301, deletes the local objects that have records, and fetches everything again."
      ]
    case .ahead:
      [
        "The last-history token names transaction \(number), and history ends before it: to the framework it is expired, and the next launch deletes the local objects that have records and fetches everything again."
      ]
    case .current, .behind, .missing, .unreadable: []
    }
  }

  private var identityBlockers: [String] {
    // Without an account a public database is mirrored all the same, and leaves the same entries.
    guard mirror.identity == .halfRecorded, mirror.scope != .public else { return [] }
    return [
      "The iCloud identity was checked, but the user's record name isn't kept: the next launch takes the account for another one and deletes the local data (NSCocoaErrorDomain 134405)."
    ]
  }

  private var waiting: [String] {
    let parts = [
      (counts.uploads, "upload", "uploads"), (counts.cloudDeletes, "deletion", "deletions"),
      (counts.links, "link", "links"), (counts.linkDeletes, "removed link", "removed links"),
      (counts.shares, "share", "shares"), (counts.moveReceipts, "move", "moves"),
      (counts.unanalyzed, "object saved and not yet analysed", "objects saved and not yet analysed"),
      (counts.unregistered, "row without a record", "rows without a record"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
    return parts.isEmpty ? [] : ["Waiting to be sent: \(parts.joined(separator: ", "))."]
  }

  private var remarks: [String] {
    var remarks: [String] = []
    if let success = mirror.events[.export].lastSuccess, let moment = success.moment?.iso8601 {
      remarks.append("The last export that succeeded began at \(moment).")
    }
    if mirror.token.state == .missing, counts.unanalyzed > 0 {
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
    let importing = mirror.zones.filter { $0.flags.contains(.needsImport) }.compactMap(\.name)
    if !importing.isEmpty {
      remarks.append("More is to be fetched for \(importing.map { "'\($0)'" }.joined(separator: ", ")).")
    }
    if let open = mirror.events[.export].open {
      let moment = open.started?.iso8601.map { " at \($0)" } ?? ""
      remarks.append("An export that began\(moment) has no end: it was running, or its process died.")
    }
    for table in [FrameworkTable.zones, .links, .moveReceipts, .events] where !mirror.tables.has(table) {
      guard mirror.layout.isComplete else { continue }
      remarks.append("The table \(table.rawValue) is missing, so what it would say isn't in this verdict.")
    }
    if !mirror.tables.hasHistory {
      remarks.append("The store keeps no history, so what was saved and not yet analysed can't be told.")
    }
    return remarks
  }

  private var noise: [String] {
    MirrorEvent.Kind.allCases.compactMap { kind in
      let standing = mirror.events[kind]
      guard standing.noise > 0 else { return nil }
      let isOne = standing.noise == 1
      let last = standing.lastNoise?.errorText.map { ", the newest \($0)" } ?? ""
      return
        "\(Sentence.count(standing.noise, "failure")) of \(kind.name) \(isOne ? "means" : "mean") nothing as long as later ones succeed\(last)."
    }
  }
}
