import Base
import Diagnostics
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// What is read of a mirror is what the forge knows of it, over many lives at random. A failure names its seed:
/// `check(seed)` alone then shows it.
@Suite struct RandomMirrorLifeTests {
  @Test(arguments: 1...60 as ClosedRange<UInt64>)
  func readsWhatTheForgeKnows(_ seed: UInt64) throws { try check(seed) }

  /// The lives come past everything there is to tell apart.
  @Test func livesAreVaried() throws {
    let truths = try (1...60).map { try live($0, in: TemporaryFolder("life")).truth }
    #expect(Set(truths.map(\.verdict)) == Set(MirrorTruth.Verdict.allCases))
    #expect(Set(truths.map(\.token)) == Set(MirrorTruth.TokenState.allCases))
    #expect(Set(truths.flatMap(\.waiting).map(\.kind)) == Set(MirrorTruth.Kind.allCases))
    #expect(truths.contains { $0.records.contains { $0.object.entity == "?" } }, "a record without entity")
    #expect(truths.contains { $0.records.contains { $0.object.primaryKey == -1 } }, "a record without key")
    #expect(Set(truths.flatMap(\.records).map(\.state)) == Set(MirrorTruth.RecordState.allCases))
  }

  private func live(_ seed: UInt64, in folder: TemporaryFolder) throws -> MirrorForge {
    try RandomMirrorLife.live(
      seed: seed, steps: 10 + Int(seed % 50), layout: seed % 2 == 0 ? .v16 : .v17,
      path: folder.path("App.store"), scope: [.private, .private, .private, .shared, .public][Int(seed % 5)])
  }

  private func check(_ seed: UInt64) throws {
    let folder = TemporaryFolder("life")
    let forged = try live(seed, in: folder)
    let (layout, scope) = (forged.layout, forged.scope)
    let truth = forged.truth
    let leftovers: [StoreForge.Leftovers] = [.nothing, .wal, .walWithoutIndex, .emptyWAL]
    try forged.forge.close(leaving: leftovers[Int(seed / 2 % 4)])
    let connection = try Connection(path: forged.forge.path, options: .overlay())
    let open = try OpenStore(connection, path: forged.forge.path)
    let mirror = try #require(try open.mirror())
    let pending = try PendingReader(mirror)
    let comment = Comment(rawValue: "seed \(seed), \(layout.rawValue), \(scope)")
    #expect(mirror.layout.name == layout.rawValue && mirror.differences.isEmpty, comment)
    #expect(try mirror.token.state.rawValue == truth.token.rawValue, comment)
    #expect(try mirror.token.transaction == truth.tokenTransaction, comment)
    func same(_ read: [String], _ known: [String]) {
      #expect(
        read == known,
        "\(comment), read only: \(read.filter { !known.contains($0) }), known only: \(known.filter { !read.contains($0) })"
      )
    }
    same(try records(mirror), records(truth))
    same(try waiting(pending), waiting(truth))
    same(try zones(mirror), zones(truth))
    same(try events(mirror), events(truth))
    #expect(counts(pending.counts) == counts(truth), comment)
    _ = try open.lens()
    same(
      try statesInSQL(connection), truth.records.map { "\($0.name) \($0.state.rawValue) \($0.objectExists)" })
    same(try waitingInSQL(connection), waiting(truth))
    let verdict = try VerdictReader.verdict(mirror, counts: pending.counts)
    let identity = try mirror.identity
    #expect(
      verdict.state.rawValue == truth.verdict.rawValue, "\(comment) \(verdict.because) \(identity)")
  }

  // MARK: Both sides in the same words

  private func statesInSQL(_ connection: Connection) throws -> [String] {
    try connection.rows("SELECT recordName, state, objectExists FROM records ORDER BY records.row") {
      "\($0.text(0)) \($0.text(1)) \($0.integer(2) == 1)"
    }
  }

  private func waitingInSQL(_ connection: Connection) throws -> [String] {
    try connection.rows("SELECT kind, entity, pk, recordName, zone, \"transaction\" FROM pending") { row in
      let transaction = row.optionalText(5) ?? "-"
      let object = row.optionalInteger(2).map { "\(row.optionalText(1) ?? "?") \($0)" } ?? "-"
      return
        "\(row.text(0)) \(object) \(row.optionalText(3) ?? "-") \(row.optionalText(4) ?? "-") \(transaction)"
    }.sorted()
  }

  private func records(_ mirror: Mirror) throws -> [String] {
    var lines: [String] = []
    try RecordReader(mirror, decodesArchives: true).forEach { record in
      lines.append(
        "\(record.entity ?? "?") \(record.objectKey ?? -1) \(record.recordName ?? "?") \(record.zone ?? "?") "
          + "\(record.state.rawValue) \(record.needsUpload) \(record.needsCloudDelete) "
          + "\(record.isAcknowledged) \(record.lastExported ?? -1) \(record.pendingExport ?? -1) "
          + "\(record.objectExists) \(record.recordType ?? "?")\(record.problem ?? "")")
      return true
    }
    return lines
  }

  private func records(_ truth: MirrorTruth) -> [String] {
    truth.records.map { record in
      "\(record.object.entity) \(record.object.primaryKey) \(record.name) \(record.zone) "
        + "\(record.state.rawValue) \(record.needsUpload) \(record.needsCloudDelete) "
        + "\(record.isAcknowledged) \(record.lastExported ?? -1) \(record.pendingExport ?? -1) "
        + "\(record.objectExists) \(record.type)"
    }
  }

  private func counts(_ counts: [PendingItem.Kind: Int]) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: PendingItem.Kind.allCases.map { ($0.rawValue, counts[$0, default: 0]) })
  }

  private func counts(_ truth: MirrorTruth) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: MirrorTruth.Kind.allCases.map { ($0.rawValue, truth.count($0)) })
  }

  private func waiting(_ pending: PendingReader) throws -> [String] {
    var lines: [String] = []
    try pending.forEach { item in
      let transaction = item.transaction.map(String.init) ?? "-"
      let object = item.primaryKey.map { "\(item.entity ?? "?") \($0)" } ?? "-"
      lines.append(
        "\(item.kind.rawValue) \(object) \(item.recordName ?? "-") \(item.zone ?? "-") \(transaction)")
      return true
    }
    return lines.sorted()
  }

  private func waiting(_ truth: MirrorTruth) -> [String] {
    truth.waiting.map { item in
      let transaction = item.transaction.map(String.init) ?? "-"
      let object = item.object.map { "\($0.entity) \($0.primaryKey)" } ?? "-"
      return "\(item.kind.rawValue) \(object) \(item.recordName ?? "-") \(item.zone ?? "-") \(transaction)"
    }.sorted()
  }

  private func zones(_ mirror: Mirror) throws -> [String] {
    try mirror.zones.map { zone in
      let flags = zone.flags.map(\.rawValue).sorted()
      return "\(zone.name ?? "?") \(zone.owner ?? "?") \(zone.scope?.rawValue ?? 0) \(zone.records) \(flags) "
        + "\(zone.changeToken.isPresent) \(zone.shareBytes != nil) \(zone.lastFetch?.seconds ?? 0)"
    }
  }

  private func zones(_ truth: MirrorTruth) -> [String] {
    truth.zones.map { zone in
      "\(zone.name) \(zone.owner) \(zone.scope.rawValue) \(zone.records) \(zone.flags.sorted()) "
        + "\(zone.hasToken) \(zone.hasShare) \(zone.lastFetch?.seconds ?? 0)"
    }
  }

  private func events(_ mirror: Mirror) throws -> [String] {
    var lines: [String] = []
    try EventReader(mirror).forEach { event in
      lines.append(
        "\(event.id ?? "?") \(event.rawKind ?? -1) \(event.started?.seconds ?? 0) \(event.ended?.seconds ?? 0) "
          + "\(event.succeeded) \(event.errorDomain ?? "-") \(event.errorCode ?? 0) \(event.affected ?? -1) "
          + "\(event.finished ?? -1) \(event.isNoise)")
      return true
    }
    return lines
  }

  private func events(_ truth: MirrorTruth) -> [String] {
    truth.events.map { event in
      "\(event.identifier) \(event.kind.rawValue) \(event.started.seconds) \(event.ended?.seconds ?? 0) "
        + "\(event.succeeded) \(event.failure?.domain ?? "-") \(event.failure?.code ?? 0) \(event.affected) "
        + "\(event.finished) \(event.failure?.effect == .noise)"
    }
  }
}
