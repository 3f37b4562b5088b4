package import Base
import Diagnostics
import Lens
import Reports

/// The report for machines.
extension FleetReport {
  package static let fields: [Field<Self>] = Field.list(
    [
      Field("report", .object(aboutFields.keys()), "about the report itself") { aboutFields.object(of: $0) },
      Field("stores", .object(storeFields.keys()), "how many there are") { storeFields.object(of: $0.facts) },
      Field("versions", .list(.object(versionFields.keys())), "versions of apps") {
        $0.versions.map(versionFields.object)
      },
      Field(
        "findings", .list(.object(ruleFields.keys())),
        "what the doctor finds, errors first, then the most common"
      ) { $0.rules.map(ruleFields.object) },
      Field("pending", .object(pendingFields.keys()), "pending changes") { pendingFields.object(of: $0) },
      Field("events", .object(eventFields.keys()), "runs of the mirror") { eventFields.object(of: $0) },
      Field("history", .object(historyFields.keys()), "persistent history") {
        historyFields.object(of: $0.facts)
      },
    ],
    [
      Field("models", .list(.object(modelFields.keys())), "models") {
        $0.facts.models.sorted.map(modelFields.object)
      },
      Field("frameworks", .list(.object(frameworkFields.keys())), "frameworks that wrote the stores") {
        $0.facts.frameworks.sorted.map(frameworkFields.object)
      },
      Field("failures", .list(.object(failureFields.keys())), "why addresses couldn't be examined") {
        $0.facts.failures.sorted.map(failureFields.object)
      },
      Field("worst", .list(.object(worstFields.keys())), "the stores that are worst off") { report in
        report.facts.worst.map { worstFields.object(of: ($0, report.pages[$0.storeID])) }
      },
      Field(
        "unreadable", .list(.object(unreadFields.keys())),
        "the first of the addresses that couldn't be examined"
      ) { $0.facts.unread.map(unreadFields.object) },
    ])

  private static let aboutFields: [Field<Self>] = Report.Origin.fields(
    { $0.origin }, contains: { $0.notice })

  private static let storeFields: [Field<FleetFacts>] = [
    Field("found", "addresses") { $0.found }, Field("examined", "stores that were examined") { $0.stores },
    Field("failed", "addresses that couldn't be examined") { $0.failed },
    Field("outcomes", .object(outcomeFields.keys()), "how the stores are doing") {
      outcomeFields.object(of: $0.health)
    },
    Field("launchWipes", "stores whose data the app's next launch deletes") { $0.wiped },
    Field("launchLosesData", "stores that lose data at the app's next launch") { $0.losing },
  ]

  private static let outcomeFields = Health.allCases.map { health in
    Field<[Health: Int]>(health.rawValue, "stores with this outcome") { $0[health] ?? 0 }
  }

  /// In how many stores something is.
  private static func stores<Row>(_ count: @escaping @Sendable (Row) -> Int) -> Field<Row> {
    Field("stores", "in how many stores", count)
  }

  private static let appFields: [Field<FleetFacts.Version>] = [
    Field("app", "the app; null if the place doesn't show it") { $0.app },
    Field("appVersion", "its version; null if it isn't known") { $0.version },
  ]

  private typealias Version = (version: FleetFacts.Version, health: [Health: Int], stores: Int)
  private static let versionFields: [Field<Version>] = Field.list(
    appFields.of { $0.version },
    [
      stores { $0.stores },
      Field("outcomes", .object(outcomeFields.keys()), "how they are doing") {
        outcomeFields.object(of: $0.health)
      },
    ])

  private typealias Rule = (id: String, rule: FleetFacts.RuleFacts)
  private static let ruleFields: [Field<Rule>] = [
    Field("rule", "the rule's id") { $0.id }, Field("severity", "how bad it is") { $0.rule.severity },
    Field("title", "what the rule finds, in a few words") { $0.rule.title }, stores { $0.rule.stores },
    Field("occurrences", "how many times in all of them") { $0.rule.occurrences },
    Field("versions", .list(.object(ruleVersionFields.keys())), "the versions of apps that have it") {
      $0.rule.versions.sorted.map(ruleVersionFields.object)
    },
  ]

  private static let ruleVersionFields: [Field<(key: FleetFacts.Version, value: Int)>] = Field.list(
    appFields.of { $0.key }, [stores { $0.value }])

  private static let pendingFields: [Field<Self>] = [
    Field("changes", "how many") { $0.facts.pending }, stores { $0.facts.pendingStores },
    Field("oldest", "since when the oldest") { $0.facts.oldestPending },
    Field(
      "hours50",
      "half of the stores with pending changes have had them for at most this many hours; null if there are none"
    ) { $0.facts.hours(0.5) },
    Field("hours90", "the same for 90% of them") { $0.facts.hours(0.9) },
    Field("hours99", "the same for 99% of them") { $0.facts.hours(0.99) },
    Field("reasons", .list(.object(reasonFields.keys())), "by kind and reason") {
      $0.reasons.map(reasonFields.object)
    },
  ]

  private typealias Reason = (key: FleetFacts.Reason, value: FleetFacts.ReasonFacts)
  private static let reasonFields: [Field<Reason>] = [
    Field("kind", .words(PendingItem.Kind.self), "the kind") { $0.key.kind },
    Field("reason", "why they are pending") { $0.key.text }, stores { $0.value.stores },
    Field("changes", "how many") { $0.value.changes },
    Field("oldest", "since when the oldest") { $0.value.oldest },
  ]

  private static let eventFields: [Field<Self>] = [
    Field("runs", "setups, imports and exports") { $0.facts.runs },
    Field("failures", .list(.object(errorFields.keys())), "failures by type and error") {
      $0.errors.map(errorFields.object)
    },
  ]

  private typealias Failure = (key: FleetFacts.ErrorKey, value: FleetFacts.ErrorFacts)
  private static let errorFields: [Field<Failure>] = [
    Field("type", MirrorEvent.type, "the type of run") { $0.key.type },
    Field("error", "the error") { $0.key.error }, Field("count", "how many times") { $0.value.count },
    stores { $0.value.stores }, Field("first", "the first time") { $0.value.first },
    Field("last", "the last time") { $0.value.last },
    Field("isNoise", "it is harmless if later runs succeed") { $0.value.isNoise },
    Field("meaning", "what the error means") { $0.value.meaning },
  ]

  private static let historyFields: [Field<FleetFacts>] = [
    Field("transactions", "saves") { $0.transactions }, Field("changes", "changes of objects") { $0.changes },
  ]

  private static let modelFields: [Field<(key: [String], value: Int)>] = [
    Field("modelVersions", "version identifiers") { $0.key }, stores { $0.value },
  ]

  private static let frameworkFields: [Field<(key: String, value: Int)>] = [
    Field("framework", "the framework's release") { $0.key }, stores { $0.value },
  ]

  private static let failureFields: [Field<(key: String, value: Int)>] = [
    Field("failure", .words(StoreFailure.Kind.self), "why") { $0.key },
    Field("stores", "addresses") { $0.value },
  ]

  private static let worstFields: [Field<(store: FleetFacts.Listed, page: String?)>] = Field.list(
    [
      Field("storeId", "what identifies the store in the tables") { $0.store.storeID },
      Field("address", "its address") { $0.store.address },
    ], appFields.of { $0.store.version },
    [
      Field("outcome", .words(Health.self), "how it is doing") { $0.store.health.rawValue },
      Field("launchWipes", "whether the app's next launch deletes its data") { $0.store.isWiped },
      Field("errors", "errors found") { $0.store.errors },
      Field("warnings", "warnings found") { $0.store.warnings },
      Field("pending", "pending changes") { $0.store.pending },
      Field("lastChange", "its newest change") { $0.store.lastChange },
      Field("cause", "its worst finding in a few words; null if it has none") { $0.store.cause },
      Field("report", "the page about it next to this one; null if there is none") { $0.page },
    ])

  private static let unreadFields: [Field<FleetFacts.Unread>] = [
    Field("address", "its address") { $0.address },
    Field("failure", .words(StoreFailure.Kind.self), "why") { $0.failure },
    Field("message", "what happened; null unless values are included") { $0.message },
  ]
}
