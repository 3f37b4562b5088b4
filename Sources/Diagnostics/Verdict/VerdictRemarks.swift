import Lens
import Values

/// What else there is to say with a verdict, whatever it is.
struct VerdictRemarks {
  private let mirror: Mirror
  private let counts: [PendingItem.Kind: Int]

  init(_ mirror: Mirror, _ counts: [PendingItem.Kind: Int]) {
    self.mirror = mirror
    self.counts = counts
  }

  func sentences() throws -> [String] {
    var remarks: [String] = []
    if let success = try mirror.events[.export].lastSuccess, let moment = success.moment?.shortISO8601 {
      remarks.append("The last export that succeeded began at \(moment).")
    }
    if try mirror.token.state == .missing, counts[.unanalyzed, default: 0] > 0 {
      remarks.append("There is no last-history token, so the next export looks at all of history.")
    }
    if try mirror.isSet(MetadataKey.bypassHistory) {
      remarks.append("The next export also looks at what imports and resets wrote.")
    }
    if try mirror.isSet(MetadataKey.scanForMissingRows) {
      remarks.append("The next export looks for rows without a record.")
    }
    if try mirror.isSet(MetadataKey.needsMigration) {
      remarks.append("The next setup migrates the mirror's tables first.")
    }
    remarks += try MirrorZone.remarks(mirror.zones)
    if let open = try mirror.events[.export].open {
      let moment = open.started?.shortISO8601.map { " at \($0)" } ?? ""
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

extension MirrorZone {
  /// What the zones' flags ask for, a sentence for each flag that is set in any of them. The flags of shares aren't
  /// among them: a share that must be sent is something that waits.
  static func remarks(_ zones: [MirrorZone]) -> [String] {
    let meanings: [(flag: Flags, sentence: (String) -> String)] = [
      (.needsImport, { "More is to be fetched for \($0)." }),
      (
        .needsNewShareInvitation,
        { "A new invitation to the share must be accepted before anything is fetched for \($0)." }
      ),
      (
        .needsRecoveryFromIdentityLoss,
        {
          "The server lost the key of its encrypted data (CKErrorDomain 112); all of it is sent again for \($0)."
        }
      ),
      (
        .needsRecoveryFromZoneDelete,
        { "A mark says that the zone was deleted on the server and must be recovered, for \($0)." }
      ),
      (
        .needsRecoveryFromUserPurge,
        { "A mark says that the user deleted the zone and that it must be recovered, for \($0)." }
      ),
    ]
    return meanings.compactMap { flag, sentence in
      let named = zones.filter { $0.flags.contains(flag) }
      guard !named.isEmpty else { return nil }
      let shown = named.prefix(shownNames).map { $0.name.map { "'\($0)'" } ?? "a zone without a name" }
      let more = named.count > shownNames ? " and \(named.count - shownNames) more" : ""
      return sentence(shown.joined(separator: ", ") + more)
    }
  }

  private static var shownNames: Int { 10 }
}

/// What looks like trouble and means nothing, a sentence each.
struct VerdictNoise {
  let sentences: [String]

  init(_ mirror: Mirror) throws {
    var sentences = try MirrorEvent.Kind.allCases.compactMap { kind -> String? in
      let standing = try mirror.events[kind]
      guard standing.noise > 0 else { return nil }
      let failures = "\(Sentence.count(standing.noise, "failure")) of \(kind.name)"
      let mean = Sentence.form(standing.noise, "means", "mean")
      let last = standing.lastNoise?.errorText.map { ", the newest \($0)" } ?? ""
      return "\(failures) \(mean) nothing by \(Sentence.form(standing.noise, "itself", "themselves"))\(last)."
    }
    let links = try mirror.sentLinkDeletes()
    if links > 0 {
      sentences.append(
        links == 1
          ? "1 removed link was deleted on the server already; the next export drops its row."
          : "\(links) removed links were deleted on the server already; the next export drops their rows.")
    }
    self.sentences = sentences
  }
}
