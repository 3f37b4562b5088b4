extension Terms {
  /// Records, zones and the mirror's notes about them.
  static let records = Explanation.terms(
    """
    Term: record
    Also: CKRecord, record type
    Meaning: What CloudKit stores for an object: a name, a type (CD_ and the root entity's name), fields (CD_ and the
      property's name) and a change tag.
    Advice: 'storescope records STORE' lists them with their objects.
    Basis: documented, coredata/reading-cloudkit-records-for-core-data

    Term: record name
    Also: CKRecordName, ckRecordName
    Meaning: A record's identifier within its zone. For an object created here, the mirror picks a random UUID at the
      first export, so a lost name leads to a second record for the same object.
    Advice: 'storescope show STORE NAME' and 'storescope trace STORE NAME' also accept record names.
    Basis: observed, reports of app authors

    Term: record metadata
    Also: ANSCKRECORDMETADATA, NSCKRecordMetadata, metadata row
    Meaning: The mirror's row for one object and its record: the identifiers of both, the zone, the upload and
      deletion flags, and the record as the server last had it.
    Detail: An object without record metadata isn't known to the mirror
    Detail: Record metadata without its object is an orphaned record
    Advice: 'storescope records STORE' decodes it; editing it by hand can delete records on the server.
    Basis: observed, reports of app authors

    Term: encoded record
    Also: ANSCKRECORDMETADATAENCODEDRECORDASSET
    Meaning: The mirror's copy of a record as the server last had it: a keyed archive, compressed with LZFSE. Since
      iOS 26 and macOS 26 it has its own table.
    Advice: If it exists, or if system fields do, the server has acknowledged the object; 'storescope records STORE'
      shows that.
    Basis: observed, reports of app authors

    Term: system fields
    Also: encodeSystemFields, ckRecordSystemFields, change tag
    Meaning: The part of a record that CloudKit itself manages: name, zone, dates, and the change tag that the server
      uses to detect conflicts.
    Detail: Without them an already uploaded object is sent as new, and the server may reject it
    Advice: Don't edit them; after its first successful export, a record has either system fields or an encoded
      record.
    Basis: documented, cloudkit/ckrecord/encodesystemfields(with:)

    Term: record zone
    Also: zone, CKRecordZone, com.apple.coredata.cloudkit.zone
    Meaning: A part of a CloudKit database that is fetched and changed as a unit. The mirror uses
      com.apple.coredata.cloudkit.zone for the user's own data, and another zone per share.
    Advice: 'storescope mirror STORE' lists the zones with their tokens and flags.
    Basis: documented, cloudkit/ckrecordzone,
      technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Term: database scope
    Also: scope, private database, public database, shared database, private, public, shared
    Meaning: The container's database that a store is mirrored to: the user's private database, the shared database
      with other people's shares, or the public database. A store has exactly one scope.
    Advice: 'storescope mirror STORE' shows it. Public databases are polled and don't sync deletions.
    Basis: documented, technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Term: change token
    Also: server change token, CKServerChangeToken, token
    Meaning: The server's bookmark for what a device has fetched, one per database and one per zone. Without it the
      next import fetches everything, which is safe.
    Advice: 'storescope resync STORE --pull' clears the tokens; objects are matched by record name, so there are no
      duplicates.
    Basis: documented, cloudkit/ckserverchangetoken

    Term: mirrored relationship
    Also: link, many-to-many link, CDMR, ANSCKMIRROREDRELATIONSHIP
    Meaning: A separate record (type CDMR) per link of a many-to-many relationship. To-one and one-to-many
      relationships are fields of the objects' records instead.
    Detail: A link is pending while the object at one end hasn't arrived
    Detail: A link breaks when the object at one end is deleted
    Advice: The findings link-broken and link-stuck list broken and stuck links.
    Basis: documented, coredata/reading-cloudkit-records-for-core-data

    Term: pending upload
    Also: pending, needs upload, ZNEEDSUPLOAD, upload, pending change
    Meaning: An object that is flagged for upload with the next export. The flag stays until the server has accepted
      the record, which normally takes seconds to minutes after a save.
    Cause: The object was saved a moment ago, which is normal
    Cause: Exports fail or are throttled
    Cause: The system defers exports
    Advice: 'storescope pending STORE' lists pending changes, since when and why; relaunching the app again and again
      doesn't help.
    May pass: The next successful export clears it.
    Basis: observed, reports of app authors,
      technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer

    Term: pending cloud delete
    Also: cloud delete, ZNEEDSCLOUDDELETE, needs cloud delete
    Meaning: A record that will be deleted on the server because its object was deleted here. If the store file is
      thrown away before that, the record stays on the server permanently.
    Advice: Look at 'storescope pending STORE' before deleting or replacing a store.
    May pass: The next successful export deletes it.
    Basis: observed, reports of app authors

    Term: mirrored entity
    Also: mirrored, mirrored entities, mirrored object
    Meaning: An entity whose objects are synced with CloudKit: those of the configuration that the store was opened
      with, or all entities if it has none. No table lists them; storescope infers them from records, configurations
      and history.
    Advice: 'storescope query STORE records-by-state' shows which entities have records.
    Basis: documented, coredata/setting-up-core-data-with-cloudkit

    Term: unregistered
    Also: unregistered object, not registered, object-not-registered
    Meaning: An object of a mirrored entity without record metadata: the mirror isn't aware of it, and regular exports
      won't upload it.
    Cause: It was saved just now
    Cause: It was written with raw SQL or while history was off
    Cause: Its record metadata was deleted
    Cause: Its entity isn't mirrored, although the store suggests that it is
    Advice: 'storescope repair STORE register-missing' asks the mirror to register such objects at the next launch.
    May pass: A rescan of history registers it; otherwise it stays unregistered.
    Basis: inferred, reports of app authors

    Term: orphaned record
    Also: orphan, orphaned, orphan record, record-orphaned
    Meaning: Record metadata whose object no longer exists here. It has no effect on its own, but if it is flagged for
      upload, the next export deletes the record on the server.
    Cause: The object was deleted with raw SQL
    Cause: The object was deleted while history was off, or the history of its deletion was purged
    Cause: Entity numbers changed in a migration
    Advice: Decide whether to keep the server's record, then run 'storescope repair STORE remove-orphan-records
      --cloud keep' or 'delete'.
    Stays: Only a repair removes it.
    Basis: inferred, reports of app authors

    Term: never acknowledged
    Also: acknowledged, record-never-acknowledged
    Meaning: A record that the mirror has named and perhaps uploaded, but of which the store has no copy from the
      server.
    Cause: The first export hasn't succeeded yet
    Cause: The server's copies were cleared after a zone was deleted
    Advice: Wait for a successful export; it stores the server's copy.
    May pass: The next successful export stores the copy.
    Basis: inferred, reports of app authors
    """)
}
