/// Terms that people come across when a store syncs.
package enum Terms {
  static let all = history + records + syncing + launch + tool + states

  /// The words that results use for states, kinds, flags and layouts.
  static let states = Explanation.terms(
    """
    Term: current
    Also: token current, current token
    Meaning: The history token is at the app's last transaction: nothing is left to process.
    Advice: Nothing to do. Processed changes may still be pending: see 'storescope pending STORE'.
    Basis: inferred, coredata/persistent-history, https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Term: behind
    Also: token behind, behind token
    Meaning: The app saved transactions after the history token's transaction: the next export will process them.
    Cause: The app saved after the last export, which is normal
    Cause: Exports don't run
    Advice: 'storescope pending STORE' lists the objects under unanalyzed; investigate if they get old.
    Passes: The next export moves the token.
    Basis: inferred, coredata/persistent-history, https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Term: ahead
    Also: token ahead, ahead token
    Meaning: The history token refers to a transaction newer than any in the store. The mirror treats it as expired.
    Cause: The store was replaced by an older copy
    Cause: The store was copied without its -wal file
    Cause: History was deleted completely and its numbering restarted
    Advice: Before the app is launched, back up the store and see 'storescope resync STORE --rescan'.
    Stays: The next launch deletes the local rows and downloads everything.
    Basis: inferred, coredata/persistent-history, https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Term: expired
    Also: token expired, expired token
    Meaning: The exact transaction that the history token refers to is gone from the store. The mirror then can't
      determine what changed since (NSCocoaErrorDomain 134301).
    Cause: The app deleted history that the mirror still needed
    Cause: History was edited with raw SQL
    Advice: Before the app is launched, back up the store and see 'storescope resync STORE --rescan'.
    Stays: The next launch deletes the local rows and downloads everything.
    Basis: inferred, coredata/persistent-history, https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Term: foreign
    Also: token foreign, foreign token
    Meaning: The history token contains only the UUIDs of other stores, not this store's, so exports stop (134501).
    Cause: The store's UUID was changed
    Cause: The mirror's tables were copied from another store
    Advice: Back up the store, then see 'storescope resync STORE --rescan'.
    Stays: It stays until the token is removed.
    Basis: inferred, coredata/persistent-history, https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Term: missing
    Also: token missing, missing token
    Meaning: There is no history token: the mirror has processed nothing, or is starting over.
    Cause: No export has run yet
    Cause: The token was removed so that all history is processed again
    Advice: Nothing to do if the store is new to the mirror; otherwise check 'storescope events STORE' for failed
      setups.
    Passes: The next export writes a token.
    Basis: inferred, coredata/persistent-history, https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Term: unreadable
    Also: token unreadable, unreadable token
    Meaning: The bytes stored as the history token aren't an archive of a token.
    Cause: The entry was damaged or edited
    Cause: A newer system writes it in a format that storescope doesn't support
    Advice: 'storescope mirror STORE --json' shows why; back up the store before the app is launched.
    May pass: A newer system may be able to read it.
    Basis: inferred, coredata/persistent-history, https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7

    Term: uploaded
    Also: record uploaded
    Meaning: A record that the server has, with nothing flagged for upload. Its object may have changed since, without
      the mirror having processed the change.
    Advice: 'storescope pending STORE' shows such changes as unanalyzed.
    Basis: observed, reports of app authors

    Term: delete leftover
    Also: deleteLeftover, record-delete-leftover
    Meaning: A record that was deleted on the server, but whose row in the mirror is still there.
    Cause: An export ended between the two steps
    Advice: Nothing to do: the row is harmless.
    Passes: The next export removes the row.
    Basis: inferred, reports of app authors

    Term: link delete
    Also: linkDelete
    Meaning: A link of a many-to-many relationship that was removed here; the deletion of its record on the server is
      pending.
    Cause: The link was removed after the last export, which is normal
    Advice: 'storescope pending STORE' lists it with both ends.
    May pass: The next successful export deletes it.
    Basis: observed, reports of app authors

    Term: idle
    Meaning: Nothing is pending.
    Advice: Nothing to do. If another device is missing something, check that device's imports.
    Basis: inferred, reports of app authors

    Term: waiting
    Meaning: Changes are pending, and nothing seems to block them.
    Cause: The app saved seconds to minutes ago, which is normal
    Cause: The system defers exports
    Advice: 'storescope pending STORE' shows since when; relaunching the app again and again doesn't help.
    Passes: The next successful export sends it.
    Basis: inferred, reports of app authors

    Term: blocked
    Meaning: Pending changes aren't uploaded until something else happens; see the verdict's reasons.
    Cause: Setup or exports end with the same error again and again
    Cause: The account changed, or its storage is full
    Cause: The history token can't be used
    Advice: Resolve the first reason in 'storescope pending STORE'; look its code up with 'storescope explain'.
    May pass: It depends on the reason.
    Basis: inferred, reports of app authors

    Term: neverSetUp
    Meaning: The store has the mirror's tables, but setup has never succeeded: nothing was ever uploaded.
    Cause: No iCloud account
    Cause: A wrong container or entitlement
    Cause: A model that isn't compatible with CloudKit
    Advice: 'storescope events STORE' shows the error of the first setup.
    May pass: Setup is retried at each launch.
    Basis: inferred, reports of app authors

    Term: notMirrored
    Meaning: The store has none of the mirror's tables: NSPersistentCloudKitContainer never loaded it.
    Cause: A plain container loads it
    Cause: It was never given cloudKitContainerOptions, or the mirrored store is a different file
    Advice: Check that it is the right file; an app may keep a local and a mirrored store.
    Basis: inferred, reports of app authors

    Term: unknown
    Meaning: The store doesn't record it. As a verdict: the tables are too old or too damaged to determine pending
      changes; as a layout: no known system creates these tables; after a number in brackets: no known system writes
      that number.
    Cause: A system newer than this program
    Cause: An old beta
    Cause: Damage
    Advice: 'storescope mirror STORE' lists anything unusual; 'storescope mirror STORE --table NAME' shows any table
      as it is.
    Basis: inferred, reports of app authors

    Term: V17
    Also: layout V17
    Meaning: The mirror's tables as iOS 26 and newer systems create them: encoded records, system fields and shares
      are in separate tables.
    Advice: Nothing to do: the system that opens the store brings its tables up to date.
    Basis: observed, reports of app authors

    Term: V16
    Also: layout V16
    Meaning: The mirror's tables as iOS 16 to 18 and the other systems of those years create them: encoded records are
      in the rows of the records.
    Advice: Nothing to do: the system that opens the store brings its tables up to date.
    Basis: observed, reports of app authors

    Term: layout
    Also: table layout, layouts, V4, layout V4, V5, layout V5, V6, layout V6, V7, layout V7, V8, layout V8, V9, layout
      V9, V10, layout V10, V11, layout V11, V12, layout V12, V13, layout V13, V14, layout V14, V15, layout V15
    Meaning: The generation of the mirror's tables, recognized by their columns. V4 to V15 are from systems before iOS
      16; below V8 no flag marks pending changes, and events aren't recorded.
    Detail: An old layout means that no newer system has opened the store since
    Advice: If you need more information, open a copy of the store with the app on a current system.
    Basis: inferred, reports of app authors

    Term: change
    Also: insert, update, delete, history change, changes
    Meaning: One object's part in a transaction of persistent history: it was inserted, updated (with the names of the
      properties) or deleted (with its tombstone).
    Advice: 'storescope history STORE' lists them; 'storescope trace STORE OBJECT' shows them in one timeline with the
      mirror's events.
    Basis: documented, coredata/nspersistenthistorychange

    Term: zone flags
    Also: hasRecordZone, hasSubscription, needsImport, needsShareUpdate, needsShareDelete, needsNewShareInvitation,
      needsRecoveryFromIdentityLoss, needsRecoveryFromZoneDelete, needsRecoveryFromUserPurge, supportsFetchChanges,
      supportsAtomicChanges, supportsRecordSharing, supportsZoneSharing, zone flag, zone-needs-recovery
    Meaning: The mirror's notes about a zone: has… flags list what exists on the server, supports… flags list what the
      zone can do, needs… flags list what is still pending: an import, a share's update or deletion, a new invitation,
      a recovery.
    Detail: A flag that begins with needs stays until the next import or export has done that work
    Advice: Even healthy zones have no subscription, because the database has it; check 'storescope events STORE' if a
      recovery flag is old.
    Basis: observed, reports of app authors

    Term: control entry
    Also: NSCloudKitMirroringDelegateBypassHistoryOnExportKey,
      NSCloudKitMirroringDelegateScanForRowsMissingFromHistoryKey, PFCloudKitMetadataNeedsMetadataMigrationKey,
      metadata-control-left
    Meaning: A metadata entry with an instruction for the mirror's next launch or export: treat all history as the
      app's, look for rows missing from history, or migrate the mirror's tables.
    Advice: Nothing to do, unless it is still there after several successful exports.
    Passes: The mirror clears it when the work is done.
    Basis: inferred, reports of app authors

    Term: certainty
    Also: documented, observed, inferred, how sure, confidence
    Meaning: How an explanation is known: documented by Apple or SQLite, observed by app authors, or inferred from how
      stores and apps behave.
    Advice: Verify inferred explanations on a copy of the store before relying on them.
    Basis: documented, CKError.h (CloudKit)
    """)
}
