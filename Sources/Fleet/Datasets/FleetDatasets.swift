extension Dataset {
  /// All of them, in the order in which the manifest lists them. Files, load.sql, Spark's schemas and the manifest follow
  /// from this list.
  package static let all = [
    stores, findings, entities, events, authors, pending, days, failures,
  ]

  private static let address = Column("address", .text, "the store's path, or its address in a container")
  private static let key = [
    Column("storeId", .text, "SHA-256 of the main file's bytes, followed by the WAL's"), address,
  ]

  package static let stores = Dataset(
    "stores", "a row per store that was read",
    key + [
      Column("container", .text, "folder, simulator, xcappdata, backup, zip or tar"),
      Column("app", .text, "bundle identifier of the app, if its container or backup has it"),
      Column("group", .text, "identifier of the app group, if its container or backup has it"),
      Column("domain", .text, "the backup's domain"),
      Column("devicePath", .text, "path on the device, if it is known"),
      Column("appVersion", .text, "version of the app, if its container has it"),
      Column("path", .text, "path of the file; null inside a container"),
      Column("uuid", .text, "the store's identifier"),
      Column("frameworkVersion", .integer, "version of Core Data that wrote the metadata last"),
      Column("framework", .text, "the systems that have that version"),
      Column("kind", .text, "Core Data or SwiftData"),
      Column("modelVersions", .texts, "identifiers of the model's version"),
      Column("modelHash", .text, "SHA-256 of the entities' names and version hashes"),
      Column("bytes", .integer, "size of the main file"),
      Column("walBytes", .integer, "size of the WAL; 0 without one"),
      Column("walMissing", .boolean, "whether the store uses a WAL and has none next to it"),
      Column("entities", .integer, "entities of the model"),
      Column("objects", .integer, "objects of all entities; null if they can't be counted"),
      Column("mirror", .text, "layout of the mirror's tables; null if the store isn't mirrored"),
      Column("scope", .text, "private, shared or public"),
      Column("records", .integer, "CloudKit records in the mirror's tables"),
      Column("zones", .integer, "zones of these records"),
      Column("pending", .integer, "changes that aren't in CloudKit yet; null if they can't be counted"),
      Column("pendingOldest", .date, "since when the oldest of them is pending, if history has it"),
      Column(
        "verdict", .text, "state of sync: idle, waiting, blocked, neverSetUp, notMirrored or unknown"),
      Column("verdictBecause", .text, "why, in sentences"),
      Column("outcome", .text, "healthy, needsAttention, blocked or atRisk"),
      Column("errors", .integer, "findings that are errors"),
      Column("warnings", .integer, "findings that are warnings"),
      Column("infos", .integer, "findings that are notes"),
      Column("launch", .text, "the next launch, with the same model: safe, fails, losesData or unknown"),
      Column("launchWipes", .boolean, "whether it deletes data"),
      Column("transactions", .integer, "transactions in history; null without history"),
      Column("changes", .integer, "changes in history; null without history"),
      Column("historyFirst", .date, "the oldest transaction"),
      Column("historyLast", .date, "the newest transaction"),
      Column("historyBytes", .integer, "bytes of the file that history uses"),
      Column("lastChange", .date, "the newest transaction, or without history the date of the files"),
    ])

  package static let findings = Dataset(
    "findings", "a row per finding of 'doctor'",
    key + [
      Column("rule", .text, "the rule's id"),
      Column("severity", .text, "error, warning or info"),
      Column("title", .text, "the rule in a few words"),
      Column("message", .text, "what was found; values are replaced unless --include-values is given"),
      Column("count", .integer, "how often"),
      Column("objects", .texts, "URIs of objects it is about, 100 at most"),
    ])

  package static let entities = Dataset(
    "entities", "a row per entity of a store",
    key + [
      Column("entity", .text, "the entity's name"),
      Column("parent", .text, "the entity it inherits from"),
      Column("rows", .integer, "objects of exactly this entity; null if they can't be counted"),
      Column(
        "bytes", .integer, "bytes of its table and indexes; null for a sub-entity, which shares its parent's"),
    ])

  package static let events = Dataset(
    "events", "a row per event that the mirror logged, oldest first",
    key + [
      Column("type", .text, "setup, import or export"),
      Column("started", .date, "when it began"),
      Column("ended", .date, "when it ended; null if it never did"),
      Column("succeeded", .boolean, "null if it never ended"),
      Column("errorDomain", .text, "domain of its error"),
      Column("errorCode", .integer, "code of its error"),
      Column("errorName", .text, "the error's public name"),
      Column("affected", .integer, "objects that it was about"),
    ])

  package static let authors = Dataset(
    "authors", "a row per author in a store's history",
    key + [
      Column(
        "author", .text, "the transactions' author; null for none, a placeholder if it may name a person"),
      Column("bundles", .texts, "bundle identifiers of programs that wrote as this author"),
      Column("processes", .texts, "names of their processes"),
      Column("transactions", .integer, "how many there are"),
      Column("inserts", .integer, "changes that insert"),
      Column("updates", .integer, "changes that update"),
      Column("deletes", .integer, "changes that delete"),
      Column("first", .date, "the oldest of these transactions"),
      Column("last", .date, "the newest"),
    ])

  package static let pending = Dataset(
    "pending", "a row per kind, entity, author and reason of what isn't in CloudKit yet",
    key + [
      Column(
        "kind", .text,
        "upload, cloudDelete, link, linkDelete, share, moveReceipt, unanalyzed or unregistered"),
      Column("entity", .text, "the entity's name"),
      Column("author", .text, "who saved it, as in authors; null if that isn't known"),
      Column("reason", .text, "why it is pending"),
      Column("count", .integer, "how many such changes"),
      Column("oldest", .date, "since when the oldest is pending, if history has it"),
      Column("newest", .date, "since when the newest is"),
    ])

  package static let days = Dataset(
    "days", "a row per day of a store's history, in UTC",
    key + [
      Column("day", .text, "YYYY-MM-DD"),
      Column("transactions", .integer, "transactions of that day"),
      Column("changes", .integer, "changes of that day"),
    ])

  package static let failures = Dataset(
    "failures", "a row per store that couldn't be read",
    [
      address,
      Column(
        "failure", .text,
        "notAStore, damaged, encrypted, unreadable, timedOut, crashed, outOfMemory, refused or failed"),
      Column("message", .text, "what happened, in words"),
      Column("signal", .integer, "signal that ended its process"),
      Column("exitCode", .integer, "exit code of its process, if it ended before its time"),
    ])
}
