extension Terms {
  /// Records, zones and what the mirror notes about them.
  static let records: [Explanation] = [
    .term(
      "record",
      synonyms: ["CKRecord", "record type"],
      """
      What CloudKit stores for an object: a name, a type (CD_ and the root entity's name), fields (CD_ and \
      the property's name) and a change tag.
      """,
      advice: "`storescope records` lists them with their objects.",
      certainty: .documented, sources: [ExplanationSource.readingRecords]),
    .term(
      "record name",
      synonyms: ["CKRecordName", "ckRecordName"],
      """
      A record's identifier within its zone. For an object made here the mirror picks a random UUID at the \
      first export, so a lost name means a second record for the same object.
      """,
      advice: "`storescope show NAME` and `storescope trace NAME` take record names as well.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "record metadata",
      synonyms: ["ANSCKRECORDMETADATA", "NSCKRecordMetadata", "metadata row"],
      """
      The mirror's row for one object and its record: the names of both, the zone, what is to be sent, and \
      the record as the server last had it.
      """,
      causes: [
        "An object without such a row is not known to the mirror",
        "A row without its object is an orphan record",
      ],
      advice: "`storescope records` decodes them; editing them by hand can delete records on the server.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "encoded record",
      synonyms: ["ANSCKRECORDMETADATAENCODEDRECORDASSET"],
      """
      The mirror's copy of a record as the server last had it: a keyed archive, compressed with LZFSE. \
      From the 26 systems on it lies in a table of its own.
      """,
      advice: """
        With it, or with system fields, the server has acknowledged the object; `storescope records` says \
        so.
        """,
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "system fields",
      synonyms: ["encodeSystemFields", "ckRecordSystemFields", "change tag"],
      """
      The part of a record that CloudKit itself manages: name, zone, dates and the change tag by which the \
      server notices conflicts.
      """,
      causes: [
        "Without them an object that was uploaded before is sent as new, and the server may refuse it"
      ],
      advice: """
        Leave them alone; a record has either these or an encoded record after its first successful export.
        """,
      certainty: .documented, sources: [ExplanationSource.cloudKit("ckrecord/encodesystemfields(with:)")]),
    .term(
      "record zone",
      synonyms: ["zone", "CKRecordZone", "com.apple.coredata.cloudkit.zone"],
      """
      A part of a CloudKit database that is fetched and changed as a unit. The mirror uses \
      com.apple.coredata.cloudkit.zone for the user's own data, and one more zone for every share.
      """,
      advice: "`storescope mirror` lists the zones with their tokens and flags.",
      certainty: .documented, sources: [ExplanationSource.cloudKit("ckrecordzone"), ExplanationSource.tn3164]),
    .term(
      "database scope",
      synonyms: [
        "scope", "private database", "public database", "shared database", "private", "public", "shared",
      ],
      """
      Which of the container's databases a store is mirrored to: the user's private one, the one with what \
      others share, or the public one. A store has exactly one.
      """,
      advice: "`storescope mirror` shows it. Public databases are polled and don't sync deletions.",
      certainty: .documented, sources: [ExplanationSource.tn3164]),
    .term(
      "change token",
      synonyms: ["server change token", "CKServerChangeToken", "token"],
      """
      The server's bookmark for what a device has fetched, one for the database and one for each zone. \
      Without it the next import fetches everything, which is safe.
      """,
      advice: """
        `storescope resync --pull` clears them; objects are matched by record name, so there are no \
        duplicates.
        """,
      certainty: .documented, sources: [ExplanationSource.cloudKit("ckserverchangetoken")]),
    .term(
      "mirrored relationship",
      synonyms: ["link", "many-to-many link", "CDMR", "ANSCKMIRROREDRELATIONSHIP"],
      """
      A record of its own (type CDMR) for each link of a many-to-many relationship. To-one and one-to-many \
      relationships are fields of the objects' records instead.
      """,
      causes: [
        "A link waits when an object at one end has not arrived",
        "A link breaks when an end was deleted",
      ],
      advice: "The findings link-broken and link-stuck name those that don't move.",
      certainty: .documented, sources: [ExplanationSource.readingRecords]),
    .term(
      "pending upload",
      synonyms: ["pending", "needs upload", "ZNEEDSUPLOAD", "upload", "pending change"],
      """
      An object that is marked to be sent with the next export. The mark stays until the server has \
      accepted it, whatever happens in between.
      """,
      causes: [
        "A normal state for seconds to minutes after a save",
        "Exports fail or are held back",
        "The system defers exports",
      ],
      advice: """
        `storescope pending` lists what waits, since when and why; relaunching the app again and again \
        doesn't help.
        """,
      resolves: .sometimes("The next successful export clears it."),
      certainty: .observed, sources: [ExplanationSource.appAuthors, ExplanationSource.tn3163]),
    .term(
      "pending cloud delete",
      synonyms: ["cloud delete", "ZNEEDSCLOUDDELETE", "needs cloud delete"],
      """
      A record that is to be deleted on the server because its object was deleted here. If the store file \
      is thrown away before that, the record stays on the server for ever.
      """,
      advice: "Look at `storescope pending` before deleting or replacing a store.",
      resolves: .sometimes("The next successful export does it."),
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "unregistered",
      synonyms: ["unregistered object", "not registered", "object-not-registered"],
      """
      An object of a mirrored entity without record metadata: the mirror doesn't know it, and no ordinary \
      export will send it.
      """,
      causes: [
        "It was saved just now",
        "It was written with raw SQL or while history was off",
        "Its record metadata was deleted",
        "Its entity isn't mirrored at all",
      ],
      advice: """
        `storescope repair register-missing` asks the mirror to register such objects at the next launch.
        """,
      resolves: .sometimes("A new look at history registers it; otherwise it stays."),
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "orphan record",
      synonyms: ["orphan", "orphaned record", "record-orphaned"],
      """
      Record metadata whose object no longer exists here. It does nothing by itself, but marked for upload \
      it makes the next export delete the record on the server.
      """,
      causes: [
        "The object was deleted with raw SQL",
        "The object was deleted while history was off, or that history was purged",
        "Entity numbers changed in a migration",
      ],
      advice: """
        Decide whether the server's record shall stay, then `storescope repair remove-orphan-records --cloud \
        keep` or `delete`.
        """,
      resolves: .no("Nothing removes it except a repair."),
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "never acknowledged",
      synonyms: ["acknowledged", "record-never-acknowledged"],
      """
      A record that the mirror has named and perhaps sent, while the store holds no copy of it from the \
      server.
      """,
      causes: [
        "The first export has not succeeded yet",
        "The server's copies were cleared after a zone was deleted",
      ],
      advice: "Wait for an export that succeeds; then the server's copy is there.",
      resolves: .sometimes("The next successful export brings the copy."),
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
  ]
}
