import Base
import StoreModel

extension MirrorTruth {
  /// What can be pending.
  package enum Kind: String, Sendable, CaseIterable {
    case upload, cloudDelete, link, linkDelete, share, moveReceipt, unanalyzed, unregistered
  }
}

extension MirrorForge {
  /// How the mirror stands now.
  package var truth: MirrorTruth {
    let states = states
    let waiting = waiting(states)
    return MirrorTruth(
      records: ledger.records.sorted { $0.key < $1.key }.map { record($0.value, states) }, waiting: waiting,
      token: tokenState, tokenTransaction: tokenTransaction, zones: zones,
      events: ledger.events.sorted { $0.key < $1.key }.map { event($0.value) },
      verdict: verdict(isWaiting: waiting.contains { isSent($0.kind) }))
  }

  /// The mirrored entities, as far as the store shows them: without any record it doesn't show which configuration it
  /// was opened with.
  private var countedEntities: Set<Int64> {
    ledger.records.isEmpty ? Set(forge.schema.entities.filter { !$0.isAbstract }.map(\.number)) : mirrored
  }

  private typealias States = [ForgedObject: MirrorLedger.AnalyzerState]

  /// What is still to be processed. Where no number shows how far history was, a record that is left shows that the
  /// server hasn't received its object's delete, even if the framework adds it up with the insert.
  private var states: States {
    let analysis = analysis(of: countedEntities)
    guard tokenTransaction == nil else { return analysis.states }
    return analysis.states.merging(
      analysis.dropped.map { object, transaction in
        (
          object,
          MirrorLedger.AnalyzerState(
            object: object, original: .delete, final: .delete, originalTransaction: transaction,
            finalTransaction: transaction, author: nil)
        )
      }, uniquingKeysWith: { known, _ in known })
  }

  // MARK: Records

  private func record(_ record: MirrorLedger.Record, _ states: States) -> MirrorTruth.Record {
    // What names no entity or no key names no object.
    let exists = record.lost == nil && forge.truth[record.object] != nil
    let isExpected = exists || (record.lost == nil && states[record.object]?.final == .delete)
    let state: MirrorTruth.RecordState =
      switch (record.needsCloudDelete, record.needsUpload) {
      case (true, true): .pendingCloudDelete
      case (true, false): .deleteLeftover
      case (false, _) where !isExpected: .orphan
      case (false, true): .pendingUpload
      case (false, false): record.isAcknowledged ? .uploaded : .neverAcknowledged
      }
    return MirrorTruth.Record(
      object: named(record), name: record.name, zone: zoneName(record.zone) ?? "",
      type: record.lost == .entity && !record.isAcknowledged ? "?" : recordType(of: record.object),
      state: state, needsUpload: record.needsUpload, needsCloudDelete: record.needsCloudDelete,
      isAcknowledged: record.isAcknowledged, lastExported: record.lastExported,
      pendingExport: record.pendingExport, objectExists: exists)
  }

  private func named(_ record: MirrorLedger.Record) -> ForgedObject {
    var object = record.object
    switch record.lost {
    case .entity: (object.entity, object.entityNumber) = ("?", -1)
    case .key: object.primaryKey = -1
    case nil: break
    }
    return object
  }

  private func zoneName(_ key: Int64) -> String? { ledger.zones[key]?.name }

  // MARK: What is pending

  private func waiting(_ states: States) -> [MirrorTruth.Waiting] {
    flagged + links + shares + receipts + unanalyzed(states) + unregistered(states)
  }

  private var flagged: [MirrorTruth.Waiting] {
    ledger.records.values.filter(\.needsUpload).map { record in
      MirrorTruth.Waiting(
        kind: record.needsCloudDelete ? .cloudDelete : .upload,
        object: record.lost == .key ? nil : named(record), recordName: record.name,
        zone: zoneName(record.zone), transaction: record.lost == nil ? cause(of: record) : nil)
    }
  }

  /// Since when a flagged record waits.
  private func cause(of record: MirrorLedger.Record) -> Int64? {
    let byApp = Set(forge.truth.transactions.filter { HistoryAnalysis.author(of: $0) == nil }.map(\.number))
    let changes = forge.truth.changes.filter {
      $0.object == record.object && $0.transaction > record.lastExported ?? 0
        && byApp.contains($0.transaction)
    }
    let deletion = changes.last { $0.kind == .delete && $0.transaction <= record.pendingExport ?? 0 }
    return (deletion ?? changes.first)?.transaction
  }

  private var links: [MirrorTruth.Waiting] {
    ledger.links.values.filter { !$0.isUploaded }.map { link in
      MirrorTruth.Waiting(
        kind: link.needsDelete ? .linkDelete : .link, object: ledger.object(named: link.one.record),
        recordName: link.name, zone: zoneName(link.zone))
    }
  }

  private var shares: [MirrorTruth.Waiting] {
    ledger.zones.values.filter { !$0.flags.isDisjoint(with: ["needsShareUpdate", "needsShareDelete"]) }.map {
      MirrorTruth.Waiting(kind: .share, zone: $0.name)
    }
  }

  private var receipts: [MirrorTruth.Waiting] {
    ledger.receipts.values.filter(\.needsCloudDelete).map { receipt in
      MirrorTruth.Waiting(
        kind: .moveReceipt,
        object: ledger.records[receipt.record].flatMap { $0.lost == nil ? $0.object : nil },
        recordName: receipt.recordName, zone: receipt.zone)
    }
  }

  private func unanalyzed(_ states: States) -> [MirrorTruth.Waiting] {
    states.values.compactMap { state in
      let record = ledger.record(of: state.object)
      if record?.needsUpload == true || (state.final == .delete && record == nil) { return nil }
      return MirrorTruth.Waiting(
        kind: .unanalyzed, object: state.object, recordName: record?.name,
        transaction: forge.truth.transactions.first { $0.number == since(state, record) }?.number)
    }
  }

  /// If an export starts over, an object that the server answered for is pending since the first of its changes that no
  /// export has processed: none of the numbers that records keep reaches it.
  private func since(_ state: MirrorLedger.AnalyzerState, _ record: MirrorLedger.Record?) -> Int64 {
    guard tokenTransaction == nil, record?.isAcknowledged == true else { return state.originalTransaction }
    let newest = forge.truth.transactions.last?.number ?? 0
    let exported = ledger.records.values.flatMap { [$0.lastExported, $0.pendingExport] }.compactMap(\.self)
    let processed = exported.filter { $0 <= newest }.max() ?? 0
    let counted = Set(
      forge.truth.transactions.filter { transaction in
        let author = HistoryAnalysis.author(of: transaction)
        return author == nil || bypassesHistory && [.import, .reset].contains(author)
      }.map(\.number))
    let news = forge.truth.changes.first {
      $0.object == state.object && $0.transaction > processed && $0.transaction >= state.originalTransaction
        && counted.contains($0.transaction)
    }
    return news?.transaction ?? state.originalTransaction
  }

  private func unregistered(_ states: States) -> [MirrorTruth.Waiting] {
    let entities = countedEntities
    return forge.truth.objects.keys.filter {
      entities.contains($0.entityNumber) && states[$0] == nil && ledger.recordKey(of: $0) == nil
    }.map { MirrorTruth.Waiting(kind: .unregistered, object: $0) }
  }

  // MARK: Token, zones, events

  private var tokenTransaction: Int64? {
    if case .transaction(let number) = token { return number }
    return nil
  }

  private var tokenState: MirrorTruth.TokenState {
    switch token {
    case .missing: return .missing
    case .foreign: return .foreign
    case .unreadable: return .unreadable
    case .transaction(let number):
      guard tokenIsValid else {
        return forge.truth.transactions.last.map { number > $0.number } == true ? .ahead : .expired
      }
      let isBehind = forge.truth.transactions.contains {
        $0.number > number && HistoryAnalysis.author(of: $0) == nil
      }
      return isBehind ? .behind : .current
    }
  }

  private var zones: [MirrorTruth.Zone] {
    ledger.zones.sorted { $0.key < $1.key }.map { key, zone in
      MirrorTruth.Zone(
        name: zone.name, owner: zone.owner, scope: scope,
        records: ledger.records.values.count { $0.zone == key }, flags: zone.flags,
        hasToken: zone.changeToken != nil, hasShare: zone.share != nil, lastFetch: zone.lastFetch)
    }
  }

  private func event(_ event: MirrorLedger.Event) -> MirrorTruth.Event {
    MirrorTruth.Event(
      kind: event.kind, identifier: event.identifier.withUnsafeBytes { Hexadecimal.uuid($0) } ?? "",
      started: event.started, ended: event.ended, succeeded: event.succeeded, failure: event.failure,
      affected: event.affected, finished: event.finished)
  }
}

extension MirrorForge {
  /// What the framework will make of the mirror at its next launch, as far as the file can tell.
  package func verdict(isWaiting: Bool) -> MirrorTruth.Verdict {
    let events = ledger.events.sorted { $0.key < $1.key }.map(\.value)
    let wasSetUp =
      events.contains(where: \.succeeded) || token != .missing || !ledger.records.isEmpty
      || ledger.zones.values.contains { $0.flags.contains("hasRecordZone") || $0.changeToken != nil }
    guard wasSetUp else { return .neverSetUp }
    if token == .unreadable { return .unknown }
    return isBlocked(isWaiting: isWaiting) ? .blocked : isWaiting ? .waiting : .idle
  }

  /// Whether the next launch fails, or what is sent is refused.
  package func isBlocked(isWaiting: Bool) -> Bool {
    let events = ledger.events.sorted { $0.key < $1.key }.map(\.value)
    return !tokenIsValid || losesDataAtLaunch || blocks(.import, events)
      || (isWaiting && blocks(.export, events)) || setupBlocks(events)
  }

  /// Whether the next export sends a thing of that kind. Only a scan finds rows without a record, and only an export
  /// that starts without a token, or over, or was asked to, scans; one to a shared database never does.
  package func isSent(_ kind: MirrorTruth.Kind) -> Bool {
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
