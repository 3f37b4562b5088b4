import Values

/// What NSKeyedArchiver wrote, open for random access without the classes that were archived.
/// https://developer.apple.com/documentation/foundation/nskeyedarchiver
///
/// A keyed archive is a property list: `$objects` holds all objects in a row, their fields refer to others by
/// place in it, and `$top` names where to begin. The graph may have cycles; it is the caller's to cut them, for
/// example by `ArchivedObject.index`.
package struct KeyedArchive: Sendable {
  let storage: KeyedArchiveStorage

  /// Reads a keyed archive in binary form. Throws where the property list is damaged or is no keyed archive.
  package init(bytes: [UInt8]) throws(ArchiveError) {
    storage = try KeyedArchiveStorage(BinaryPropertyListFile(bytes))
  }

  /// Reads a keyed archive that came in another form, such as XML.
  package init(propertyList: PropertyList) throws(ArchiveError) {
    try self.init(bytes: BinaryPropertyList.write(propertyList))
  }

  /// The `$top` dictionary, as an object without a class. Usually it has the one key `root`; archives that were
  /// encoded field by field, such as the system fields of a CKRecord, have all their fields here.
  package var top: ArchivedObject { ArchivedObject(storage: storage, number: storage.top) }

  /// What hangs on `$top`, by key.
  package var roots: [(key: String, value: ArchivedValue)] { top.fields }

  /// The one root of a usual archive, where it is an object with fields.
  package var root: ArchivedObject? { rootValue?.object }

  /// The one root of a usual archive, which may be a plain string or number too.
  package var rootValue: ArchivedValue? { top["root"] }

  /// Whether these bytes are a binary property list with an archiver's name at the top. Looks at the outermost
  /// dictionary only.
  package static func isKeyedArchive(_ bytes: [UInt8]) -> Bool {
    guard let parser = try? BinaryPropertyListParser(bytes) else { return false }
    return parser.topHas(key: "$archiver")
  }
}
