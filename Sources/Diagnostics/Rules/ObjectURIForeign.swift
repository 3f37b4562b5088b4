import StoreModel
import Values

extension Rule {
  static let objectURIForeign = Rule(
    about,
    .values { examination in
      let uuid = examination.store.uuid
      guard !uuid.isEmpty else {
        throw StoreScopeError(.lacking, "The store has no UUID to recognize its own URIs by")
      }
      return ReferenceRule { reference in
        let other = reference.uri.storeUUID
        guard reference.keeper != .tombstone, reference.isPermanent, !other.isEmpty, !reference.isOf(uuid)
        else {
          return nil
        }
        return [.init("store", .text(other))]
      }
    })
}

private let about = RuleHeader(
  """
  Rule: object-uri-foreign
  Severity: warning
  Title: Stored object URIs of another store
  Shows: A permanent object URI with another store's UUID, in a value of an object, of the mirror or of the
    metadata. Values that are compressed or encrypted can't be searched.
  Why: The UUID is created with the store's file: after a migration to a new file, after a re-import, or on another
    device it is different, and the URIs lead nowhere.
  Next launch: 'managedObjectID(forURIRepresentation:)' gives nil, unless the app opens that other store too.
  Remedy: If the app has no such store, clear the values, and use a relationship or your own identifier.
  False positives: An app with several stores may keep one store's URIs in another store on purpose.
  Evidence: App authors report it.
  Message: {count} {value contains|values contain} the URI of an object of another store, such as {place}.
  """)
