extension Terms {
  /// Records, zones and the mirror's notes about them.
  static let records: [Explanation] = [
    .term(
      "record",
      synonyms: ["CKRecord", "record type"],
      """
      What CloudKit stores for an object: a name, a type (CD_ and the root entity's name), fields (CD_ and \
      the property's name) and a change tag.
      """,
      advice: "'storescope records STORE' lists them with their objects.",
      certainty: .documented, sources: [ExplanationSource.readingRecords]),
    .term(
      "record name",
      synonyms: ["CKRecordName", "ckRecordName"],
      """
      A record's identifier within its zone. For an object created here, the mirror picks a random UUID at \
      the first export, so a lost name leads to a second record for the same object.
      """,
      advice: "'storescope show STORE NAME' and 'storescope trace STORE NAME' also accept record names.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "record metadata",
      synonyms: ["ANSCKRECORDMETADATA", "NSCKRecordMetadata", "metadata row"],
      """
      The mirror's row for one object and its record: the identifiers of both, the zone, the upload and \
      deletion flags, and the record as the server last had it.
      """,
      causes: [
        "An object without record metadata isn't known to the mirror",
        "Record metadata without its object is an orphaned record",
      ],
      advice: "'storescope records STORE' decodes it; editing it by hand can delete records on the server.",
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "encoded record",
      synonyms: ["ANSCKRECORDMETADATAENCODEDRECORDASSET"],
      """
      The mirror's copy of a record as the server last had it: a keyed archive, compressed with LZFSE. Since \
      iOS 26 and macOS 26 it has its own table.
      """,
      advice: """
        If it exists, or if system fields do, the server has acknowledged the object; 'storescope records STORE' \
        shows that.
        """,
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "system fields",
      synonyms: ["encodeSystemFields", "ckRecordSystemFields", "change tag"],
      """
      The part of a record that CloudKit itself manages: name, zone, dates, and the change tag that the \
      server uses to detect conflicts.
      """,
      causes: [
        "Without them an already uploaded object is sent as new, and the server may reject it"
      ],
      advice: """
        Don't edit them; after its first successful export, a record has either system fields or an encoded \
        record.
        """,
      certainty: .documented, sources: [ExplanationSource.cloudKit("ckrecord/encodesystemfields(with:)")]),
    .term(
      "record zone",
      synonyms: ["zone", "CKRecordZone", "com.apple.coredata.cloudkit.zone"],
      """
      A part of a CloudKit database that is fetched and changed as a unit. The mirror uses \
      com.apple.coredata.cloudkit.zone for the user's own data, and another zone per share.
      """,
      advice: "'storescope mirror STORE' lists the zones with their tokens and flags.",
      certainty: .documented, sources: [ExplanationSource.cloudKit("ckrecordzone"), ExplanationSource.tn3164]),
    .term(
      "database scope",
      synonyms: [
        "scope", "private database", "public database", "shared database", "private", "public", "shared",
      ],
      """
      The container's database that a store is mirrored to: the user's private database, the shared database \
      with other people's shares, or the public database. A store has exactly one scope.
      """,
      advice: "'storescope mirror STORE' shows it. Public databases are polled and don't sync deletions.",
      certainty: .documented, sources: [ExplanationSource.tn3164]),
    .term(
      "change token",
      synonyms: ["server change token", "CKServerChangeToken", "token"],
      """
      The server's bookmark for what a device has fetched, one per database and one per zone. Without it the \
      next import fetches everything, which is safe.
      """,
      advice: """
        'storescope resync STORE --pull' clears the tokens; objects are matched by record name, so there are no \
        duplicates.
        """,
      certainty: .documented, sources: [ExplanationSource.cloudKit("ckserverchangetoken")]),
    .term(
      "mirrored relationship",
      synonyms: ["link", "many-to-many link", "CDMR", "ANSCKMIRROREDRELATIONSHIP"],
      """
      A separate record (type CDMR) per link of a many-to-many relationship. To-one and one-to-many \
      relationships are fields of the objects' records instead.
      """,
      causes: [
        "A link is pending while the object at one end hasn't arrived",
        "A link breaks when the object at one end is deleted",
      ],
      advice: "The findings link-broken and link-stuck list broken and stuck links.",
      certainty: .documented, sources: [ExplanationSource.readingRecords]),
    .term(
      "pending upload",
      synonyms: ["pending", "needs upload", "ZNEEDSUPLOAD", "upload", "pending change"],
      """
      An object that is flagged for upload with the next export. The flag stays until the server has \
      accepted the record, which normally takes seconds to minutes after a save.
      """,
      causes: [
        "The object was saved a moment ago, which is normal",
        "Exports fail or are throttled",
        "The system defers exports",
      ],
      advice: """
        'storescope pending STORE' lists pending changes, since when and why; relaunching the app again and again \
        doesn't help.
        """,
      resolves: .sometimes("The next successful export clears it."),
      certainty: .observed, sources: [ExplanationSource.appAuthors, ExplanationSource.tn3163]),
    .term(
      "pending cloud delete",
      synonyms: ["cloud delete", "ZNEEDSCLOUDDELETE", "needs cloud delete"],
      """
      A record that will be deleted on the server because its object was deleted here. If the store file is \
      thrown away before that, the record stays on the server permanently.
      """,
      advice: "Look at 'storescope pending STORE' before deleting or replacing a store.",
      resolves: .sometimes("The next successful export deletes it."),
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
    .term(
      "mirrored entity",
      synonyms: ["mirrored", "mirrored entities", "mirrored object"],
      """
      An entity whose objects are synced with CloudKit: those of the configuration that the store was opened with, or \
      all entities if it has none. No table lists them; storescope infers them from records, configurations and \
      history.
      """,
      advice: "'storescope query STORE records-by-state' shows which entities have records.",
      certainty: .documented, sources: [ExplanationSource.cloudKitSetup]),
    .term(
      "unregistered",
      synonyms: ["unregistered object", "not registered", "object-not-registered"],
      """
      An object of a mirrored entity without record metadata: the mirror isn't aware of it, and regular \
      exports won't upload it.
      """,
      causes: [
        "It was saved just now",
        "It was written with raw SQL or while history was off",
        "Its record metadata was deleted",
        "Its entity isn't mirrored, although the store suggests that it is",
      ],
      advice: """
        'storescope repair STORE register-missing' asks the mirror to register such objects at the next launch.
        """,
      resolves: .sometimes("A rescan of history registers it; otherwise it stays unregistered."),
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "orphaned record",
      synonyms: ["orphan", "orphaned", "orphan record", "record-orphaned"],
      """
      Record metadata whose object no longer exists here. It has no effect on its own, but if it is flagged \
      for upload, the next export deletes the record on the server.
      """,
      causes: [
        "The object was deleted with raw SQL",
        "The object was deleted while history was off, or the history of its deletion was purged",
        "Entity numbers changed in a migration",
      ],
      advice: """
        Decide whether to keep the server's record, then run 'storescope repair STORE remove-orphan-records \
        --cloud keep' or 'delete'.
        """,
      resolves: .no("Only a repair removes it."),
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
    .term(
      "never acknowledged",
      synonyms: ["acknowledged", "record-never-acknowledged"],
      """
      A record that the mirror has named and perhaps uploaded, but of which the store has no copy from the \
      server.
      """,
      causes: [
        "The first export hasn't succeeded yet",
        "The server's copies were cleared after a zone was deleted",
      ],
      advice: "Wait for a successful export; it stores the server's copy.",
      resolves: .sometimes("The next successful export stores the copy."),
      certainty: .inferred, sources: [ExplanationSource.appAuthors]),
  ]
}
