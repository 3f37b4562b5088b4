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
  """
  Rule: object-not-registered
  Severity: warning
  Title: Objects unknown to the mirror
  Shows: An object of a mirrored entity that has no record, and that isn't in unprocessed history either.
  Why: The exporter detects objects through history. An object that was written outside Core Data, or while history
    was off, exists only on this device until the mirror scans for rows without a record. It does that without a
    history token, after a reset, and on request, but not with an ordinary export.
  Next launch: Nothing, unless the exporter is asked to scan for these rows or has no history token; then it
    registers and uploads them.
  Remedy: 'storescope repair STORE register-missing' asks the framework to scan for these rows at the next export
    and upload them. Not if they had records that were deleted, which 'storescope pending STORE' shows: they would
    appear twice on all devices. Restore a backup instead.
  Needs: layout, ANSCKRECORDMETADATA
  False positives: No table lists the mirrored entities: they are inferred from records, configurations and history.
    Entities for which that isn't possible are left out. A shared database's exporter doesn't scan for these rows.
  Evidence: App authors report rows inserted with SQL that arrived on other devices only after such a scan; Apple
    documents that changes are found through history:
    https://developer.apple.com/documentation/coredata/mirroring-a-core-data-store-with-cloudkit
  Message: {count} mirrored {object has|objects have} no CloudKit record.
  """)
