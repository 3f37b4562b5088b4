import StoreModel

extension Rule {
  static let temporaryObjectID = Rule(about, .values { _ in ReferenceRule { $0.isPermanent ? nil : [] } })
}

private let about = RuleHeader(
  "temporary-object-id", .error,
  title: "Temporary object IDs kept as values",
  looksFor: """
    The URI of an object that wasn't saved yet ('x-coredata:///Entity/t…'), kept in a text, a URI, JSON, a \
    property list or a keyed archive: of an object, of history's tombstones, of the mirror, or of the metadata. \
    Values that are compressed or encrypted can't be searched.
    """,
  why: """
    Such an ID lives as long as the context that made it, and is replaced by the first save. No later launch can \
    find the object it meant: the reference is lost.
    """,
  nextLaunch: """
    Nothing is found under it, and 'managedObjectID(forURIRepresentation:)' gives nil or an object without values.
    """,
  remedy: """
    In the app, call 'obtainPermanentIDs(for:)' before taking a URI, or better keep your own identifier, \
    such as a UUID attribute. Replace the values found here.
    """,
  falsePositives: """
    Texts that only show such a URI, as log entries do. A tombstone tells of an object that is gone; the code that \
    wrote the value may still be there.
    """,
  evidence: """
    App authors report it; documented by Apple: \
    https://developer.apple.com/documentation/coredata/nsmanagedobjectid/istemporaryid
    """,
  message: "{count} {value keeps|values keep} a temporary object ID, such as {place}.")
