import StoreModel

extension Rule {
  static let temporaryObjectID = Rule(about, .values { _ in ReferenceRule { $0.isPermanent ? nil : [] } })
}

private let about = RuleHeader(
  """
  Rule: temporary-object-id
  Severity: error
  Title: Temporary object IDs stored as values
  Shows: The URI of an object that wasn't saved yet ('x-coredata:///Entity/t…'), in a text, a URI, JSON, a property
    list or a keyed archive: of an object, of history's tombstones, of the mirror, or of the metadata. Values that
    are compressed or encrypted can't be searched.
  Why: A temporary ID is valid only in the context that created it, and the first save replaces it. Later launches
    can't find its object: the reference is lost.
  Next launch: The object isn't found, and 'managedObjectID(forURIRepresentation:)' returns nil or an object without
    values.
  Remedy: In the app, call 'obtainPermanentIDs(for:)' before storing a URI, or better, use your own identifier, such
    as a UUID attribute. Replace the values found here.
  False positives: Strings that only mention such a URI, such as log entries. A tombstone is of a deleted object,
    but the code that wrote the value may still be there.
  Evidence: App authors report it; documented by Apple:
    https://developer.apple.com/documentation/coredata/nsmanagedobjectid/istemporaryid
  Message: {count} {value contains|values contain} a temporary object ID, such as {place}.
  """)
