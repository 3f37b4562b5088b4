extension Terms {
  /// Syncing, and how it fails.
  static let syncing = Explanation.terms(
    """
    Term: event
    Also: events, ANSCKEVENT, eventChangedNotification, sync event
    Meaning: One setup, import or export as the mirror logs it: start, end, success, and the domain and code of the
      outermost error. If the end is missing, it was still running or the app was killed.
    Advice: 'storescope events STORE' explains each event. Successful events don't prove that everything is uploaded;
      check with 'storescope pending STORE'.
    Basis: observed, coredata/nspersistentcloudkitcontainer/event

    Term: setup event
    Also: setup
    Meaning: The mirror's preparation at each launch: account, container, zone, subscription, and repairs of the
      mirror's tables. Nothing is sent or fetched before it succeeds.
    Advice: If it fails at every launch, resolve the error of the first failed setup: often the account (134400), the
      model (134060) or a wrong container. After a store was replaced, setup may take minutes.
    May pass: It is retried at each launch and after account changes.
    Basis: observed, coredata/nspersistentcloudkitcontainer/event,
      technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer

    Term: import event
    Also: import
    Meaning: Fetching changes from the server into the store. One import can fetch very many rows in steps, so a long
      import isn't necessarily stuck.
    Detail: Started by a push notification, at launch, or by polling in the public database
    Advice: 'storescope history STORE --author NSCloudKitMirroringDelegate.import' shows imported changes.
    Basis: observed, coredata/nspersistentcloudkitcontainer/event,
      technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer

    Term: export event
    Also: export
    Meaning: Sending local changes to the server, in batches of at most 400 objects. The system decides when.
    Detail: Scheduled after a save, when the app becomes active, and when it goes to the background
    Advice: Compare failed exports in 'storescope events STORE' with what 'storescope pending STORE' still shows.
    Basis: observed, coredata/nspersistentcloudkitcontainer/event,
      technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer

    Term: import relationship
    Also: pending relationship, pending import relationship, ANSCKIMPORTPENDINGRELATIONSHIP
    Meaning: A relationship of an imported object to an object whose record hasn't arrived. Later imports retry it.
    Cause: A child arrived before its parent
    Cause: The other record was deleted on the server
    Advice: Code must handle relationships that are nil for a while; import-relationship-stuck reports old ones.
    May pass: It is filled in when the record arrives.
    Basis: observed, reports of app authors

    Term: throttling
    Also: throttle, throttled, rate limit, 429
    Meaning: The server or the system slows down an app that syncs too much: CKErrorDomain 6 and 7 in bursts, then
      silence for minutes or hours. There is no API to query or shorten it.
    Cause: Thousands of objects changed in a short time
    Cause: The app changes objects in response to imports, which causes new exports on every device
    Advice: Wait and don't relaunch; write large data sets in batches over time, and save only real changes.
    Passes: Sync resumes on its own when the throttle expires.
    Basis: documented, technotes/tn3162-understanding-cloudkit-throttles,
      technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Term: quota
    Also: iCloud storage, storage full
    Meaning: The storage of an account or a container. When it is full, uploads fail with CKErrorDomain 25 while
      downloads continue.
    Cause: The user's iCloud storage is full
    Cause: Large binary values in mirrored attributes
    Advice: \(StorageAdvice.free) Keep values that don't need to sync in another store or entity.
    Stays: Somebody has to free storage; uploads then resume.
    Basis: documented, cloudkit/ckerror/code/quotaexceeded

    Term: limits
    Also: limit, CloudKit limit, 1 MB, 256 fields
    Meaning: CloudKit's limits: 1 MB per record without assets, 256 fields per record type, 1000 zones per container,
      about 400 items per operation.
    Advice: 'storescope doctor STORE' reports record-near-limit; keep large attributes in external storage, and reuse
      shares.
    Basis: documented, technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Term: partial failure
    Also: partialErrors, CKPartialErrorsByItemIDKey
    Meaning: CKErrorDomain 2: some items of an operation failed, each with its own error, which only the app and its
      log see. The store keeps only the code 2.
    Advice: See 'storescope explain CKErrorDomain:2', and the changes that stay in 'storescope pending STORE'.
    Basis: observed, cloudkit/ckerror/code/partialfailure

    Term: identity
    Also: account identity, iCloud identity, user record, account change,
      NSCloudKitMirroringDelegateCheckedCKIdentityDefaultsKey,
      NSCloudKitMirroringDelegateCKIdentityRecordNameDefaultsKey
    Meaning: The iCloud account that a store was mirrored with; the mirror keeps the name of the user's record. If the
      account changes, the mirror deletes the local rows and starts over.
    Detail: An account that is recorded incompletely (checked, but without a name) counts as another account
    Advice: Never delete only one of the two identity entries; the finding identity-half-recorded warns before the
      launch that would wipe the data.
    Basis: inferred, reports of app authors

    Term: purge
    Also: reset, past wipe, wipe, NSCloudKitMirroringDelegate.reset
    Meaning: The mirror deletes local rows, or its metadata about them, and starts over, as author
      NSCloudKitMirroringDelegate.reset. These deletions aren't uploaded.
    Cause: The history token expired
    Cause: The iCloud account changed
    Cause: The user deleted the app's iCloud data
    Cause: A shared zone was deleted
    Advice: The finding past-wipe shows when it happened and how many rows were deleted; restore lost rows from a
      backup of the app or the device.
    Basis: inferred, reports of app authors

    Term: resync
    Also: reset sync, resync --pull, resync --push, resync --rescan
    Meaning: Makes the mirror redo its work: download everything again (--pull), upload everything again under the
      same names (--push), or process all history again (--rescan). Names are kept, so nothing is duplicated.
    Advice: Start with the least invasive option that helps. Deleting the mirror's rows by hand gives every object a
      new name, which creates duplicates on all devices.
    Basis: inferred, reports of app authors

    Term: duplicates
    Also: duplicate, duplicate objects, duplicate record
    Meaning: Two objects, and two records, for one thing.
    Cause: Each device created its own default data before the first import
    Cause: Mirror metadata was deleted, so objects were uploaded under new names
    Cause: The app and an extension both sync the same store
    Advice: Merge them in code by a natural key; CloudKit can't enforce uniqueness.
    Stays: Each device has to keep merging.
    Basis: documented, technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer,
      coredata/creating-a-core-data-model-for-cloudkit

    Term: move receipt
    Also: record zone move receipt, ANSCKRECORDZONEMOVERECEIPT
    Meaning: A note that an object moved to another zone, for example because it was shared, and that the record in
      the old zone must still be deleted.
    Cause: An object was shared with share(_:to:completion:)
    Advice: 'storescope pending STORE' lists the pending ones.
    May pass: The next successful export deletes the old record.
    Basis: inferred, reports of app authors

    Term: share
    Also: CKShare, sharing, shared zone
    Meaning: CloudKit's permission for other people to see or change records. The mirror creates a zone per share and
      moves the shared objects into it.
    Detail: Many shares use up zones; a container has at most 1000
    Detail: When the owner ends a share, the participants' local rows are deleted
    Advice: Reuse existing shares, and purge empty ones with purgeObjectsAndRecordsInZone.
    Basis: documented, cloudkit/ckshare,
      technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Term: production schema
    Also: development schema, schema, deploy schema, development environment, production environment
    Meaning: CloudKit keeps two environments: builds from Xcode use development, which adds new types automatically;
      TestFlight and the App Store use production, which doesn't. A store doesn't record which environment it was used
      with.
    Detail: Sync works in debug builds and fails silently after release: the schema wasn't deployed
    Detail: The device was used with both, so the mirror treats records as uploaded that production never got
    Advice: Deploy Schema Changes in the CloudKit Console before every release that changes the model; deployed types
      and fields can't be removed.
    Basis: observed, cloudkit/deploying-an-icloud-container-s-schema,
      technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Term: sync switch
    Also: toggle sync, toggle, turn off sync, disable sync, cloudKitContainerOptions, switch sync off, optionsRemoved,
      plainContainer, twoContainers
    Meaning: Apps turn sync off by loading the store without cloudKitContainerOptions (SwiftData: cloudKitDatabase
      none), or by keeping a local and a mirrored store; the user can turn iCloud off for the app.
    Detail: The mirror's tables stay in the file; objects deleted in the meantime are deleted on the server once sync
      is on again with the same account
    Detail: Data written while nobody is signed in is uploaded to whichever account signs in next
    Detail: Copying objects between two stores gives them new names, which creates duplicates
    Advice: Keep persistent history on in both states, load the store with one container at a time, and compare
      'storescope records STORE' before and after.
    Basis: observed, reports of app authors

    Term: mirroring delegate
    Also: NSCloudKitMirroringDelegate, mirror, mirroring
    Meaning: The part of NSPersistentCloudKitContainer, and of SwiftData, that copies a store to CloudKit and back.
      Its metadata is in the ANSCK… tables of the same file.
    Advice: 'storescope mirror STORE' shows its state; 'storescope mirror STORE --table NAME' shows any of its tables.
    Basis: observed, technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer

    Term: export tables
    Also: ANSCKEXPORTOPERATION, ANSCKEXPORTEDOBJECT, ANSCKEXPORTMETADATA, dead table
    Meaning: Three tables of the mirror that current systems create but neither fill nor read. Their row counts have
      nothing to do with pending changes.
    Advice: Use 'storescope pending STORE' instead.
    Basis: inferred, reports of app authors

    Term: raw SQL
    Also: raw sql edit, sql edit
    Meaning: Changing rows with SQLite directly. Core Data records no history for it, so the mirror never uploads the
      change, and an import may overwrite it.
    Advice: Change data through Core Data; storescope writes only with its planned operations.
    Basis: observed, reports of app authors
    """)
}
