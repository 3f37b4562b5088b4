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
