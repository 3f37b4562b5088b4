import Base
import Forge
import SQLite
import TestSupport

extension RuleExamples {
  static let events: [RuleExample] =
    setups + exports + imports + throttling + quotas + accounts + zones + endless + stale

  /// The mirrored store, after some runs more; nil stands for a success.
  private static func runs(
    _ rule: String, _ name: String, _ verdict: RuleExample.Verdict, alsoErrors: Set<String> = [],
    layout: MirrorSchema.Layout = .v17, scope: MirrorForge.Scope = .private,
    _ runs: [(MirrorForge.EventKind, MirrorFailure?)]
  ) -> RuleExample {
    .mirrored(rule, name, verdict, layout: layout, scope: scope, alsoErrors: alsoErrors) { mirror in
      for (kind, failure) in runs {
        if let failure {
          try mirror.run(kind, failing: failure)
        } else {
          try mirror.succeed(kind)
        }
      }
    }
  }

  private static let setups: [RuleExample] = [
    runs("event-setup-failing", "setups succeed", .healthy, layout: .v16, [(.setup, nil)]),
    runs(
      "event-setup-failing", "a later success", .healthy,
      Array(repeating: (.setup, .incompatibleModel), count: 4) + [(.setup, nil)]),
    runs(
      "event-setup-failing", "a later import", .healthy,
      Array(repeating: (.setup, .incompatibleModel), count: 4) + [(.import, nil)]),
    runs(
      "event-setup-failing", "noise and what passes", .healthy,
      Array(repeating: (.setup, .cancelled), count: 4) + Array(repeating: (.setup, .networkFailure), count: 4)
    ),
    runs(
      "event-setup-failing", "two codes, neither often", .healthy,
      [(.setup, .incompatibleModel), (.setup, .invalidArguments), (.setup, .incompatibleModel)]),
    runs(
      "event-setup-failing", "one code, with noise between", .broken(count: 1), layout: .v16,
      [
        (.setup, .incompatibleModel), (.setup, .cancelled), (.setup, .incompatibleModel),
        (.setup, .incompatibleModel),
      ]),
    runs(
      "event-setup-failing", "no account", .broken(count: 1), alsoErrors: ["event-account-problem"],
      Array(repeating: (.setup, .noAccount), count: 3)),
  ]

  private static let exports: [RuleExample] = [
    runs(
      "event-export-failing", "a later success", .healthy,
      [(.import, nil)] + Array(repeating: (.export, .partialFailure), count: 5) + [(.export, nil)]),
    runs(
      "event-export-failing", "two only", .healthy,
      [(.import, nil)] + Array(repeating: (.export, .partialFailure), count: 2)),
    runs(
      "event-export-failing", "throttled and deferred", .healthy,
      [(.import, nil)] + Array(repeating: (.export, .throttled), count: 3)
        + Array(repeating: (.export, .deferred), count: 3)),
    runs(
      "event-export-failing", "imports fail as well", .healthy, alsoErrors: ["event-import-failing"],
      [(.import, nil)] + Array(repeating: (.export, .invalidArguments), count: 3)
        + Array(repeating: (.import, .invalidArguments), count: 3)),
    // Two findings were about one error, with different fixes.
    runs(
      "event-export-failing", "storage is full", .healthy, alsoErrors: ["event-quota-exceeded"],
      Array(repeating: (.export, .quotaExceeded), count: 3) + [(.import, nil)]),
    runs(
      "event-export-failing", "the zone is gone", .healthy, alsoErrors: ["event-zone-deleted"],
      Array(repeating: (.export, .zoneNotFound), count: 3) + [(.import, nil)]),
    runs(
      "event-export-failing", "signed out", .healthy, alsoErrors: ["event-account-problem"],
      [(.import, nil)] + Array(repeating: (.export, MirrorFailure("CKErrorDomain", 9, .blocks)), count: 3)),
    runs(
      "event-export-failing", "signed in since", .broken(count: 1),
      Array(repeating: (.export, MirrorFailure("CKErrorDomain", 9, .blocks)), count: 3) + [(.import, nil)]),
    runs(
      "event-export-failing", "two errors", .broken(count: 2), layout: .v16,
      [(.export, .partialFailure), (.export, .invalidArguments), (.import, nil), (.export, .partialFailure)]),
  ]

  private static let imports: [RuleExample] = [
    runs(
      "event-import-failing", "a later success", .healthy,
      Array(repeating: (.import, .unhandledException), count: 5) + [(.import, nil)]),
    runs(
      "event-import-failing", "the zone is gone", .healthy, alsoErrors: ["event-zone-deleted"],
      Array(repeating: (.import, .zoneNotFound), count: 3)),
    runs(
      "event-import-failing", "again and again", .broken(count: 1), layout: .v16,
      [(.import, nil)] + Array(repeating: (.import, .unhandledException), count: 3) + [(.export, nil)]),
  ]

  private static let throttling: [RuleExample] = [
    runs(
      "event-throttled", "a later success", .broken(count: 1),
      Array(repeating: (.export, .throttled), count: 9) + [(.export, nil)]),
    runs(
      "event-throttled", "few, with successes", .healthy,
      [(.export, .throttled), (.export, .throttled), (.export, nil), (.export, .throttled), (.export, nil)]),
    runs("event-throttled", "one of each type", .healthy, [(.export, .throttled), (.import, .throttled)]),
    runs(
      "event-throttled", "a burst with both codes", .broken(count: 2), layout: .v16,
      [(.import, nil)] + Array(repeating: (.export, .throttled), count: 5) + [(.export, .serviceUnavailable)]),
  ]

  private static let quotas: [RuleExample] = [
    runs("event-quota-exceeded", "freed", .healthy, [(.export, .quotaExceeded), (.export, nil)]),
    runs(
      "event-quota-exceeded", "partial failures of another reason", .healthy,
      alsoErrors: ["event-export-failing"],
      [(.import, nil)] + Array(repeating: (.export, .partialFailure), count: 4)),
    runs(
      "event-quota-exceeded", "full", .broken(count: 1), layout: .v16,
      [(.import, nil), (.export, .quotaExceeded), (.export, .deferred)]),
    runs(
      "event-quota-exceeded", "full again, in partial failures", .broken(count: 1),
      alsoErrors: ["event-export-failing"],
      [(.import, nil), (.export, .quotaExceeded), (.export, nil)]
        + Array(repeating: (.export, .partialFailure), count: 3)),
  ]

  private static let accounts: [RuleExample] = [
    runs("event-account-problem", "signed in since", .healthy, [(.import, .noAccount), (.setup, nil)]),
    runs("event-account-problem", "signed out", .broken(count: 1), layout: .v16, [(.setup, .noAccount)]),
    runs(
      "event-account-problem", "all codes", .broken(count: 4),
      [
        (.setup, .noAccount), (.setup, .accountChanged),
        (.setup, MirrorFailure("CKErrorDomain", 36, .blocks)),
        (.export, MirrorFailure("CKErrorDomain", 9, .blocks)),
      ]),
    runs(
      "event-account-problem", "a public database is read without one", .broken(count: 1), scope: .public,
      [(.export, MirrorFailure("CKErrorDomain", 9, .blocks)), (.import, nil)]),
  ]

  private static let zones: [RuleExample] = [
    runs("event-zone-deleted", "made again", .healthy, [(.export, .zoneNotFound), (.export, nil)]),
    runs("event-zone-deleted", "gone", .broken(count: 1), layout: .v16, [(.import, .userDeletedZone)]),
    .mirrored("event-zone-deleted", "purged by the user", .broken(count: 1)) { try $0.userPurgedZone() },
  ]

  private static let endless: [RuleExample] = [
    .mirrored("event-never-ended", "a run that may go on", .healthy, layout: .v16) { mirror in
      try mirror.run(.import, failing: nil)
      try mirror.save(author: "app") { _ = try $0.insert("Tag", ["label": "new"]) }
    },
    .mirrored("event-never-ended", "two processes that died", .broken(count: 2)) { mirror in
      try mirror.run(.import, failing: nil)
      try mirror.run(.export, failing: nil)
      try mirror.save(author: "app", at: mirror.later(hours: 2)) {
        _ = try $0.insert("Tag", ["label": "new"])
      }
    },
  ]

  private static let stale: [RuleExample] = [
    .mirrored("event-export-stale", "a change of today", .healthy, layout: .v16) { mirror in
      try mirror.save(author: "app") { _ = try $0.insert("Tag", ["label": "new"]) }
      try mirror.run(.export, failing: .networkUnavailable, at: mirror.later(hours: 12))
    },
    .mirrored("event-export-stale", "exported since", .healthy) { mirror in
      try mirror.save(author: "app") { _ = try $0.insert("Tag", ["label": "new"]) }
      try mirror.export()
      try mirror.run(.export, failing: .networkUnavailable, at: mirror.later(hours: 48))
    },
    .mirrored("event-export-stale", "inserted and deleted again", .healthy) { mirror in
      let tag = try mirror.save(author: "app") { try $0.insert("Tag", ["label": "new"]) }
      try mirror.save(author: "app") { try $0.delete(tag) }
      try mirror.run(.export, failing: .networkUnavailable, at: mirror.later(hours: 48))
    },
    .mirrored("event-export-stale", "a save two days ago", .broken(count: 1)) { mirror in
      try mirror.save(author: "app") { _ = try $0.insert("Tag", ["label": "new"]) }
      try mirror.run(.export, failing: .networkUnavailable, at: mirror.later(hours: 48))
    },
    .mirrored("event-export-stale", "flagged two days ago", .broken(count: 1), layout: .v16) { mirror in
      try mirror.save(author: "app") { _ = try $0.insert("Tag", ["label": "new"]) }
      try mirror.export(.failure(.networkUnavailable))
      try mirror.run(.export, failing: .networkUnavailable, at: mirror.later(hours: 48))
    },
    .mirrored("event-export-stale", "a damaged token", .skipped("can't be read")) {
      try $0.damageToken(.unreadable)
    },
    .mirrored(
      "event-export-stale", "another store's token", .skipped("of another store"),
      alsoErrors: ["token-foreign-store"]
    ) { try $0.damageToken(.foreign) },
    .mirrored("event-export-stale", "no log", .skipped("log is empty")) {
      try $0.forge.connection.execute("DELETE FROM ANSCKEVENT")
    },
  ]
}

extension MirrorForge {
  fileprivate func later(hours: Double) -> CoreDataDate {
    CoreDataDate(seconds: forge.clock.seconds + hours * 3_600)
  }

  func succeed(_ kind: EventKind) throws {
    switch kind {
    case .setup: try setUp()
    case .export: try export()
    case .import: try importChanges { _ in }
    }
  }
}
