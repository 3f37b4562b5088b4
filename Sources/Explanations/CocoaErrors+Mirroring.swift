extension CocoaErrors {
  /// The CloudKit mirror's own codes. None of them has a public name, and Apple shows only 134406, 134410 and 134417,
  /// as examples in its technotes.
  static let mirroring = errors(
    """
    Code: 134400
    Meaning: Mirroring could not be set up: the iCloud account, the container or the app's permissions don't allow it
      now. This error deletes nothing, and the code alone doesn't show the cause.
    Cause: Nobody is signed in to iCloud on the device or simulator
    Cause: The account is restricted, or temporarily unavailable
    Cause: The account's state could not be determined
    Cause: The container identifier or the entitlement is wrong, or the build is unsigned
    Cause: The record zone or the subscription is missing on the server
    Advice: Keep the data, look for the cause in the log, and let setup run again after signing in.
    May pass: Setup is retried when the account becomes available; a wrong container or entitlement has to be fixed.
    Concern: account
    Basis: observed, reports of app authors

    Code: 134402
    Meaning: Reading, writing or migrating the mirror's metadata failed with an exception.
    Cause: A stored token or archive can't be decoded
    Cause: The mirror's tables don't have the columns that this system expects
    Advice: Back up the store, then check it with 'storescope doctor STORE' and 'storescope mirror STORE'; 'storescope
      resync STORE --pull' clears the change tokens.
    Stays: Damaged metadata remains damaged.

    Code: 134403
    Meaning: The folder for large values to upload, NAME_ckAssets next to the store, could not be created.
    Cause: The folder of the store can't be written
    Cause: The disk is full
    Advice: Check permissions and free space of the folder that holds the store.
    May pass: It passes when the folder becomes writable.

    Code: 134404
    Meaning: An import ended because it collided with another import or was canceled.
    Cause: Another import was already active
    Cause: The import was canceled
    Advice: Check whether a later import succeeded; it matters only if it keeps happening.
    Passes: The next import does the work.

    Code: 134405
    Meaning: The iCloud account differs from the account that this store was mirrored with, or the store doesn't
      record that account. The mirror then deletes all local rows and starts over with the current account.
    Cause: The user signed out of iCloud or signed in with another account
    Cause: The store records that the account was checked, but not which account it was (finding
      identity-half-recorded)
    Cause: Mirror metadata was removed by hand, but not all of it
    Advice: Back up the store before the next launch; signing in to the previous account again downloads its data from
      the server.
    May pass: Sync continues with the current account; local changes that were not uploaded are lost.
    Concern: account

    Code: 134406
    Meaning: A request was aborted because mirroring was never set up successfully. The cause is an earlier error,
      which the message in the log quotes.
    Cause: Setup failed, for example because a record type or field is missing in the CloudKit schema
    Cause: The production schema was not deployed
    Cause: A share was created, or a zone was requested, before setup had finished
    Advice: Find the first failed setup event with 'storescope events STORE' and resolve its error; deploy the schema
      if only the App Store or TestFlight build is affected.
    May pass: It passes when setup succeeds.
    Basis: documented, technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Code: 134407
    Meaning: A request was canceled because its store was removed from the coordinator.
    Cause: The app was quitting, or replaced its container
    Cause: The app switched sync off and on by loading the store again
    Cause: A message about a conflict with another active import can also come with this code
    Advice: Ignore occasional ones; many in a row mean that the app keeps loading and unloading the store.
    Passes: The work is done once the store is loaded again.
    Noise: yes
    Basis: observed, reports of app authors

    Code: 134409
    Meaning: A request failed with an error from which the mirror can recover; it will be retried.
    Cause: A temporary error of the server or the network
    Cause: A change token or zone has to be renewed first
    Advice: Look at the underlying error in the log, and check whether a later event of the same type succeeded.
    Passes: The request is repeated.

    Code: 134410
    Meaning: The mirror can't recover from this error in this run. Apple's technote shows the code for a second
      container on the same store.
    Cause: Two NSPersistentCloudKitContainer instances have the same store loaded, in one process or in the app and an
      extension (newer systems report 134422 instead)
    Cause: A temporary object ID got into the mirror's metadata
    Cause: An export was started while one was running
    Cause: Another underlying error, shown in the log
    Advice: Let exactly one container, the app's, sync the store; check the findings about temporary object IDs; look
      for the cause in the log.
    May pass: The next launch tries again; a second container or a bad ID has to be removed first.
    Basis: documented, technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Code: 134411
    Meaning: The mirror could not split its changes into pieces small enough for CloudKit's limits.
    Cause: A single object is too large
    Cause: Very large values are kept as text or small binary data
    Advice: Find the largest objects with the finding record-near-limit, and move large values to attributes with
      external storage.
    Stays: The object remains too large.
    Basis: inferred, technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Code: 134412
    Meaning: One end of a many-to-many link from the server is missing here. The mirror marks the link as done and
      continues.
    Cause: The record at one end hasn't arrived or was deleted
    Advice: Watch 'link-broken' and 'link-stuck' in 'storescope doctor STORE'; 'storescope resync STORE --pull'
      fetches missing records.
    May pass: The link is complete if the record arrives later with a change.

    Code: 134413
    Meaning: The object at one end of a many-to-many link could not be found. The mirror marks the link as done and
      continues.
    Cause: The object was deleted locally
    Cause: Record metadata refers to a row that is gone
    Advice: Watch 'link-broken' and 'record-orphaned' in 'storescope doctor STORE'.
    May pass: The link is complete if the object comes back.

    Code: 134415
    Meaning: The iCloud account changed; this is a notification, not a failure.
    Cause: The user signed in, signed out or changed accounts
    Advice: Check the setup events that follow; data is at risk only if 134405 appears.
    Passes: Setup runs again.
    Noise: yes

    Code: 134416
    Meaning: The user's iCloud identity was updated; this is a notification, not a failure.
    Cause: The system notified the app of a change of identity
    Advice: Check the setup events that follow; data is at risk only if 134405 appears.
    Passes: Setup runs again.
    Noise: yes

    Code: 134417
    Meaning: A request was canceled because another request of the same type was already queued.
    Cause: Several saves, or coming to the foreground, requested an export while one was queued
    Advice: Ignore it as long as later events of the same type succeed.
    Passes: The queued request does the work.
    Noise: yes
    Basis: documented, technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer

    Code: 134418
    Meaning: Some of the requested records could not be fetched.
    Cause: Some records are missing on the server or can't be read
    Advice: Look for the errors of the individual records in the log.
    May pass: It depends on the errors of the individual records.

    Code: 134419
    Meaning: The system deferred the work, so the mirror stopped before or during it. These events usually last no
      time at all.
    Cause: The system defers background work because of the battery, heat, load or the app's recent activity
    Advice: Ignore it unless no event of that type has succeeded for days.
    Passes: The system starts the work again later.
    Noise: yes
    Basis: observed, technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer, reports of
      app authors

    Code: 134420
    Meaning: An exception stopped the mirror from applying a record from the server to an object.
    Cause: A record's content doesn't fit the model
    Cause: Custom code in the managed object class, its validation or its transformers throws
    Advice: Find the record's name in the log, then 'storescope trace STORE NAME'.
    Stays: The same record fails again.

    Code: 134421
    Meaning: An unhandled exception ended a setup, an import, an export or the reading of history. At least six
      different messages share this code.
    Cause: In an export or import: the mirror can't handle the content of an object or record
    Cause: While reading history: a change of an entity that the model doesn't have
    Cause: In setup: damaged metadata
    Cause: Custom code in the app's model classes throws
    Advice: Note the type of the event and the exception in the log; run 'storescope doctor STORE', and narrow it down
      to one object with 'storescope pending STORE'.
    Stays: It recurs with the same data.

    Code: 134422
    Meaning: Another container in this process already syncs this store.
    Cause: The app created a second NSPersistentCloudKitContainer for the same file
    Cause: The previous container wasn't released
    Advice: Keep one container per store, and release every object of the old container before creating a new one.
    May pass: It passes when the other container is gone; until then only that one syncs.
    Concern: secondInstance
    Basis: inferred, technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer

    Code: 134501
    Meaning: The history token is for another store, or two tokens can't be compared. Every export then fails.
    Cause: The store's UUID was changed, for example by copying the store under a new identity
    Cause: The mirror's metadata came from another store
    Advice: Restore the old UUID, or remove the token with 'storescope resync STORE --rescan'.
    Stays: The token isn't renewed; exports fail until it is removed.

    Code: 134502
    Meaning: A connection for query generations, stable views of the database, failed.
    Cause: The store doesn't use WAL journaling
    Cause: The database was busy or being replaced
    Advice: Ignore occasional ones; keep the store in WAL mode if it happens all the time.
    May pass: It passes unless the store's journal mode isn't WAL.
    Noise: yes
    Basis: inferred, coredata/accessing-data-when-the-store-changes
    """)
}
