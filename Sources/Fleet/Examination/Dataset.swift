package import Base
import Diagnostics
import Discovery
import Evidence
import Lens
import StoreModel

/// One of the tables that a run over many stores comes to, a row per line of its files.
package struct Dataset: Sendable {
  package enum ColumnType: String, Sendable {
    case text, integer, boolean
    /// Texts in UTC with six digits of a fraction.
    case date
    /// A list of texts.
    case texts

    fileprivate init(_ shape: Shape) {
      self =
        switch shape.present {
        case .integer: .integer
        case .bool: .boolean
        case .date: .date
        case .list: .texts
        default: .text
        }
    }
  }

  package struct Column: Sendable {
    package let name: String
    package let type: ColumnType
    package let meaning: String

    fileprivate init(_ key: Shape.Key) {
      name = key.name
      type = ColumnType(key.shape)
      meaning = key.meaning
    }
  }

  package let name: String
  package let meaning: String
  package let columns: [Column]

  init(_ name: String, _ meaning: String, _ keys: [Shape.Key]) {
    self.name = name
    self.meaning = meaning
    columns = keys.map(Column.init)
  }

  private static let fileEnding = ".ndjson"

  /// `stores.ndjson`; what is more than one file may have goes on in `stores-2.ndjson`.
  package func fileName(part: Int = 1) -> String {
    name + (part > 1 ? "-\(part)" : "") + Self.fileEnding
  }

  /// All its files, as other programs take a pattern.
  package var filePattern: String { "\(name)*\(Self.fileEnding)" }

  /// Which of its files has that name; nil if none has.
  func part(ofFile file: String) -> Int? {
    guard file.hasPrefix(name), file.hasSuffix(Self.fileEnding) else { return nil }
    let middle = file.dropFirst(name.count).dropLast(Self.fileEnding.count)
    guard !middle.isEmpty else { return 1 }
    return middle.hasPrefix("-") ? Int(middle.dropFirst()) : nil
  }

  /// A line of its file: all columns in their order.
  package func line(_ members: [DataValue.Member]) -> String {
    precondition(members.count == columns.count)
    return JSONText.compact(
      .object(
        members.map { member in
          // Beyond the years that dates can be written in, nothing is left of it: no column has another's name.
          if case .date(let date) = member.value, date.iso8601 == nil { return .init(member.name, .null) }
          return member
        })) + "\n"
  }
}

extension Dataset {
  /// All of them, in the order in which the manifest lists them. Files, load.sql, Spark's schemas and the manifest follow
  /// from this list.
  package static let all = [
    stores, findings, entities, events, authors, pending, days, failures,
  ]

  package static let stores = Dataset(
    "stores", "a row per store that was read", key.keys() + storesFields.keys())
  package static let findings = Dataset(
    "findings", "a row per finding of 'doctor'", key.keys() + findingsFields.keys())
  package static let entities = Dataset(
    "entities", "a row per entity of a store", key.keys() + entitiesFields.keys())
  package static let events = Dataset(
    "events", "a row per event that the mirror logged, oldest first", key.keys() + eventsFields.keys())
  package static let authors = Dataset(
    "authors", "a row per author in a store's history", key.keys() + authorsFields.keys())
  package static let pending = Dataset(
    "pending", "a row per kind, entity, author and reason of what isn't in CloudKit yet",
    key.keys() + pendingFields.keys())
  package static let days = Dataset(
    "days", "a row per day of a store's history, in UTC", key.keys() + daysFields.keys())
  package static let failures = Dataset(
    "failures", "a row per store that couldn't be read", failuresFields.keys())

  /// What each row of a store has first.
  static let key: [Field<(id: String, address: String)>] = [
    Field("storeId", "SHA-256 of the main file's bytes, followed by the WAL's") { $0.id },
    Field("address", addressMeaning) { $0.address },
  ]
  private static let addressMeaning = "the store's path, or its address in a container"

  static let storesFields: [Field<ExaminedRow>] = [
    Field("container", "folder, simulator, xcappdata, backup, zip or tar") { $0.place.container },
    Field("app", "bundle identifier of the app, if its container or backup has it") { $0.place.owner.app },
    Field("group", "identifier of the app group, if its container or backup has it") { $0.place.owner.group },
    Field("domain", "the backup's domain") { $0.place.domain },
    Field("devicePath", "path on the device, if it is known") { $0.place.devicePath },
    Field("appVersion", "version of the app, if its container has it") { $0.place.appVersion },
    Field("path", "path of the file; null inside a container") {
      $0.isContained ? Optional.none : $0.place.address
    },
    Field("uuid", "the store's identifier") { $0.data.metadata.uuid },
    Field("frameworkVersion", "version of Core Data that wrote the metadata last") {
      $0.data.metadata.frameworkVersion
    },
    Field("framework", "the systems that have that version") {
      $0.data.metadata.frameworkVersion.map(FrameworkRelease.text)
    },
    Field("kind", "Core Data or SwiftData") { $0.data.framework },
    Field("modelVersions", "identifiers of the model's version") { $0.data.versionIdentifiers },
    Field("modelHash", "SHA-256 of the entities' names and version hashes") { $0.modelHash },
    Field("bytes", "size of the main file") { $0.opened.files.main.size },
    Field("walBytes", "size of the WAL; 0 without one") { $0.opened.files.wal?.size ?? 0 },
    Field("walMissing", "whether the store uses a WAL and has none next to it") {
      $0.opened.files.isWALMissing
    },
    Field("entities", "entities of the model") { $0.data.schema.entities.count },
    Field("objects", "objects of all entities; null if they can't be counted") {
      $0.store.rows?.values.reduce(0, +)
    },
    Field("mirror", "layout of the mirror's tables; null if the store isn't mirrored") {
      $0.store.mirror?.layout
    },
    Field("scope", "private, shared or public") { $0.store.summary?.scope },
    Field("records", "CloudKit records in the mirror's tables") { $0.store.summary?.records },
    Field("zones", "zones of these records") { $0.store.summary?.zones },
    Field("pending", "changes that aren't in CloudKit yet; null if they can't be counted") {
      $0.store.summary?.pending
    },
    Field("pendingOldest", "since when the oldest of them is pending, if history has it") { $0.oldest },
    Field("verdict", "state of sync: idle, waiting, blocked, neverSetUp, notMirrored or unknown") {
      $0.store.verdict.state
    },
    Field("verdictBecause", "why, in sentences") { $0.because },
    Field("outcome", "healthy, needsAttention, blocked or atRisk") { $0.store.conclusion.health.rawValue },
    Field("errors", "findings that are errors") { $0.store.diagnosis.count(.error) },
    Field("warnings", "findings that are warnings") { $0.store.diagnosis.count(.warning) },
    Field("infos", "findings that are notes") { $0.store.diagnosis.count(.info) },
    Field("launch", "the next launch, with the same model: safe, fails, losesData or unknown") {
      $0.store.forecast?.verdict
    },
    Field("launchWipes", "whether it deletes data") { $0.launchWipes },
    Field("transactions", "transactions in history; null without history") { $0.store.history?.transactions },
    Field("changes", "changes in history; null without history") { $0.store.history?.changes },
    Field("historyFirst", "the oldest transaction") { $0.store.history?.first },
    Field("historyLast", "the newest transaction") { $0.store.history?.last },
    Field("historyBytes", "bytes of the file that history uses") { $0.store.size?.bytes(of: .history) },
    Field("lastChange", "the newest transaction, or without history the date of the files") { $0.lastChange },
  ]

  static let findingsFields: [Field<Finding>] = [
    Field("rule", "the rule's id") { $0.rule.id },
    Field("severity", "error, warning or info") { $0.rule.severity },
    Field("title", "the rule in a few words") { $0.rule.title },
    Field("message", "what was found; values are replaced unless --include-values is given") { $0.message },
    Field("count", "how often") { $0.count },
    Field("objects", "URIs of objects it is about, 100 at most") { $0.objects },
  ]

  static let entitiesFields: [Field<(name: String, parent: String?, rows: Int?, bytes: Int64?)>] = [
    Field("entity", "the entity's name") { $0.name },
    Field("parent", "the entity it inherits from") { $0.parent },
    Field("rows", "objects of exactly this entity; null if they can't be counted") { $0.rows },
    Field("bytes", "bytes of its table and indexes; null for a sub-entity, which shares its parent's") {
      $0.bytes
    },
  ]

  static let eventsFields: [Field<MirrorEvent>] = [
    Field("type", "setup, import or export") { $0.typeName },
    Field("started", "when it began") { $0.started },
    Field("ended", "when it ended; null if it never did") { $0.ended },
    Field("succeeded", "null if it never ended") { $0.ended == nil ? Optional.none : $0.succeeded },
    Field("errorDomain", "domain of its error") { $0.errorDomain },
    Field("errorCode", "code of its error") { $0.errorCode },
    Field("errorName", "the error's public name") { $0.errorName },
    Field("affected", "objects that it was about") { $0.affected },
  ]

  static let authorsFields: [Field<(group: HistoryGroup, author: String?)>] = [
    Field("author", "the transactions' author; null for none, a placeholder if it may name a person") {
      $0.author
    },
    Field("bundles", "bundle identifiers of programs that wrote as this author") {
      $0.group.bundles.sorted()
    },
    Field("processes", "names of their processes") { $0.group.processes.sorted() },
    Field("transactions", "how many there are") { $0.group.transactions },
    Field("inserts", "changes that insert") { $0.group.changes.inserts },
    Field("updates", "changes that update") { $0.group.changes.updates },
    Field("deletes", "changes that delete") { $0.group.changes.deletes },
    Field("first", "the oldest of these transactions") { $0.group.first },
    Field("last", "the newest") { $0.group.last },
  ]

  static let pendingFields: [Field<PendingGroup>] = [
    Field("kind", "upload, cloudDelete, link, linkDelete, share, moveReceipt, unanalyzed or unregistered") {
      $0.key.kind
    },
    Field("entity", "the entity's name") { $0.key.entity },
    Field("author", "who saved it, as in authors; null if that isn't known") { $0.key.author },
    Field("reason", "why it is pending") { $0.key.reason },
    Field("count", "how many such changes") { $0.count },
    Field("oldest", "since when the oldest is pending, if history has it") { $0.oldest },
    Field("newest", "since when the newest is") { $0.newest },
  ]

  static let daysFields: [Field<HistoryGroup>] = [
    Field("day", "YYYY-MM-DD") { $0.key },
    Field("transactions", "transactions of that day") { $0.transactions },
    Field("changes", "changes of that day") { $0.changes.total },
  ]

  static let failuresFields: [Field<(address: String, failure: StoreFailure)>] = [
    Field("address", addressMeaning) { $0.address },
    Field(
      "failure",
      "notAStore, damaged, encrypted, unreadable, timedOut, crashed, outOfMemory, refused or failed"
    ) { $0.failure.kind.rawValue },
    Field("message", "what happened, in words") { $0.failure.message },
    Field("signal", "signal that ended its process") { $0.failure.signal.map(Int.init) },
    Field("exitCode", "exit code of its process, if it ended before its time") {
      $0.failure.exitCode.map(Int.init)
    },
  ]
}
