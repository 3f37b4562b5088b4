/// The codes of CKErrorDomain, in order.
///
/// What a code means is Apple's; what the mirror does about it is reported by app authors or concluded.
enum CloudKitErrors {
  static let domain = "CKErrorDomain"

  static let all = operations + zones + unnamed

  /// Seen in logs, and in no header.
  private static let unnamed: [Explanation] = [
    .error(
      domain, 111, Explanation.unnamed, "Setup could not be completed and is taken up again later.",
      causes: ["Not known"], advice: "Look whether a later setup event succeeded.",
      heals: .yes("A push notification from CloudKit makes the mirror try again."), certainty: .inferred,
      sources: [ExplanationSource.none]),
    .error(
      domain, 112, Explanation.unnamed,
      "The keys for the zone's encrypted data are missing, so the mirror marks the zone and sends it again.",
      causes: [
        "The user reset the end-to-end encrypted data of the account",
        "The keys have not reached this device yet",
      ],
      advice: "Back up the store, and see zone-needs-recovery in `storescope doctor`.",
      heals: .sometimes("The zone is uploaded again from this device; what only the server had is lost."),
      certainty: .inferred, sources: [ExplanationSource.none]),
  ]
}
