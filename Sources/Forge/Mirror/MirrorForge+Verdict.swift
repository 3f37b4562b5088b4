extension MirrorForge {
  /// What the framework will make of the mirror at its next launch, as far as the file can tell.
  func verdict(isWaiting: Bool) -> MirrorTruth.Verdict {
    let events = ledger.events.sorted { $0.key < $1.key }.map(\.value)
    let wasSetUp =
      events.contains(where: \.succeeded) || token != .missing || !ledger.records.isEmpty
      || ledger.zones.values.contains { $0.flags.contains("hasRecordZone") || $0.changeToken != nil }
    guard wasSetUp else { return .neverSetUp }
    if token == .unreadable { return .unknown }
    if !tokenIsValid || losesDataAtLaunch { return .blocked }
    if blocks(.import, events) || (isWaiting && blocks(.export, events)) || setupBlocks(events) {
      return .blocked
    }
    return isWaiting ? .waiting : .idle
  }

  /// Whether the next export sends a thing of that kind. Only a scan finds rows without a record, and only an export
  /// that starts without a token, or over, or was asked to, scans; one to a shared database never does.
  func isSent(_ kind: MirrorTruth.Kind) -> Bool {
    guard kind == .unregistered else { return true }
    let asks = ledger.entry(Key.scan) != nil
    return scope != .shared && (asks || bypassesHistory || token == .missing)
  }

  /// The framework compares the account that it finds with one that it no longer knows.
  private var losesDataAtLaunch: Bool {
    scope != .public && ledger.entry(Key.checkedIdentity) != nil && identityName == nil
  }

  /// Whether the newest run of the kind that says anything failed for a lasting reason.
  private func blocks(_ kind: EventKind, _ events: [MirrorLedger.Event]) -> Bool {
    lastWord(kind, events)?.failure?.effect == .blocks
  }

  private func lastWord(_ kind: EventKind, _ events: [MirrorLedger.Event]) -> MirrorLedger.Event? {
    events.last { $0.kind == kind && $0.ended != nil && $0.failure?.effect != .noise }
  }

  /// A failing setup stops everything, so that an import or export that succeeds shows that one got through.
  private func setupBlocks(_ events: [MirrorLedger.Event]) -> Bool {
    guard blocks(.setup, events),
      let failure = events.lastIndex(where: { $0.kind == .setup && $0.failure?.effect == .blocks })
    else { return false }
    return !events[failure...].contains { $0.kind != .setup && $0.succeeded }
  }
}
