import Lens
import StoreModel
import Values

extension Rule {
  static let objectNotRegistered = Rule(about) { examination, findings in
    guard let mirror = examination.mirror else { return }
    if try mirror.token.state == .missing, try mirror.recordCount() == 0 {
      throw StoreScopeError(
        .lacking,
        "The mirror has no records and no history token yet: the first export will register all objects")
    }
    try mirror.forEachUnregisteredObject { object in
      let entity = examination.store.entityName(ofNumber: object.entity)
      findings.add(
        object: ObjectURI.text(
          storeUUID: examination.store.uuid, entity: entity, primaryKey: object.primaryKey),
        [.init("entity", .text(entity)), .init("pk", .integer(object.primaryKey))])
    }
  }
}

private let about = RuleHeader(
  "object-not-registered", .warning,
  title: "Objects that the mirror doesn't know",
  looksFor: """
    An object of a mirrored entity that has no record, and that no history still to be analysed leads to.
    """,
  why: """
    The exporter learns of objects from history. An object that was written outside Core Data, or while \
    history was off, is never uploaded: it exists on this device only, and is lost with it.
    """,
  nextLaunch: """
    Nothing, unless the exporter is asked to look for such rows or has no history token; then it registers and \
    uploads them.
    """,
  remedy: """
    'storescope repair STORE register-missing' asks the framework to look for these rows at the next export, and \
    to upload them.
    """,
  needs: [.knownLayout, .table(.records)],
  falsePositives: """
    No table says which entities are mirrored: it is concluded from records, configurations and history. Entities \
    of which nothing tells are left out. A shared database's exporter doesn't look for such rows.
    """,
  evidence: """
    App authors report objects that never arrive after imports by SQL; Apple describes that changes are found in \
    history: https://developer.apple.com/documentation/coredata/mirroring-a-core-data-store-with-cloudkit
    """,
  message: "{count} mirrored {object has|objects have} no CloudKit record.")
