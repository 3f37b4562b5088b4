import Base
import Lens

/// What else there is to say with a verdict, whatever it is.
struct VerdictRemarks {
  /// Why the store is empty, if the mirror emptied it.
  let wipe: String?
  /// When an export got through.
  let success: String?
  /// The rest, a sentence each.
  let sentences: [String]

  /// - Parameter counts: nil where what is pending can't be counted.
  init(_ mirror: Mirror, _ counts: [PendingItem.Kind: Int]?) throws {
    wipe = try MirrorWipe.thatEmptied(mirror)?.sentence
    success = try mirror.events[.export].lastSuccess?.moment?.iso8601.map {
      "The last successful export began at \($0)."
    }
    sentences = try Self.sentences(mirror, counts)
  }

  private static func sentences(_ mirror: Mirror, _ counts: [PendingItem.Kind: Int]?) throws -> [String] {
    var remarks: [String] = []
    if try mirror.token.state == .missing, let counts, counts[.unanalyzed, default: 0] > 0 {
      remarks.append("There is no history token, so the next export processes all of history.")
    }
    if try mirror.isSet(MetadataKey.bypassHistory) {
      remarks.append("The next export also processes transactions of imports and resets.")
    }
    if try mirror.isSet(MetadataKey.scanForMissingRows) {
      remarks.append("The next export looks for rows without a record.")
    }
    if try mirror.isSet(MetadataKey.needsMigration) {
      remarks.append("The next setup migrates the mirror's tables first.")
    }
    if counts != nil, let lost = try mirror.lostRecords().sentence { remarks.append(lost) }
    remarks += try MirrorZone.remarks(mirror.zones)
    if let open = try mirror.events[.export].open {
      let moment = open.started?.iso8601.map { " at \($0)" } ?? ""
      remarks.append(
        "The export that started\(moment) never finished: it was still running, or the app was killed.")
    }
    for table in [FrameworkTable.zones, .links, .moveReceipts, .events] where mirror.layout.isComplete {
      guard let absence = mirror.tables.absence(of: table) else { continue }
      remarks.append("\(absence), so this verdict doesn't consider it.")
    }
    if !mirror.tables.hasHistory {
      remarks.append("The store keeps no history, so saves that aren't processed yet can't be determined.")
    }
    return remarks
  }
}

extension MirrorZone {
  /// What the zones' flags ask for, a sentence for each flag that is set in any of them. The flags of shares aren't
  /// among them: a share that must be sent is a pending change.
  static func remarks(_ zones: [MirrorZone]) -> [String] {
    let meanings: [(flag: Flag, sentence: (String) -> String)] = [
      (.needsImport, { "An import is pending for \($0)." }),
      (
        .needsNewShareInvitation,
        { "A new invitation to the share must be accepted before anything is fetched for \($0)." }
      ),
      (
        .needsRecoveryFromIdentityLoss,
        {
          """
          The keys of the encrypted data were lost (CKErrorDomain 112); everything is uploaded again for \
          \($0).
          """
        }
      ),
      (
        .needsRecoveryFromZoneDelete,
        { "The zone was deleted on the server and must be recovered, according to a flag of \($0)." }
      ),
      (
        .needsRecoveryFromUserPurge,
        { "The user deleted the zone, and it must be recovered, according to a flag of \($0)." }
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

extension Mirror {
  /// What looks like trouble and means nothing, a sentence each.
  func noise() throws -> [String] {
    var sentences = try MirrorEvent.Kind.allCases.compactMap { kind -> String? in
      let standing = try events[kind]
      guard standing.noise > 0 else { return nil }
      let failed = Sentence.count(standing.noise, "failed \(kind.name)")
      let last = standing.lastNoise?.errorText.map { ": \($0)" } ?? ""
      return "\(failed) \(Sentence.form(standing.noise, "was", "were")) harmless\(last)."
    }
    let links = try sentLinkDeletes()
    if links > 0 {
      sentences.append(
        links == 1
          ? "1 removed link was already deleted on the server; the next export removes its row."
          : "\(links) removed links were already deleted on the server; the next export removes their rows.")
    }
    return sentences
  }
}

extension LostRecords {
  /// What an upload of them leads to; nil if there are none.
  var sentence: String? {
    guard !isEmpty else { return nil }
    return count == 1
      ? "1 object had a record that is gone: the server probably has the object, and an upload under a new name makes it appear twice on all devices."
      : "\(Sentence.count(count, "object")) had records that are gone: the server probably has the objects, and an upload under new names makes them appear twice on all devices."
  }

  /// What has rows uploaded that never had a record.
  static let registration =
    "'storescope repair STORE register-missing' asks the framework to upload such rows."

  static let fix =
    "Don't launch the app. Restore a backup of the store that has the records; never delete rows of the mirror's tables."
}
