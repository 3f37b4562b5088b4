extension Terms {
  /// What `preflight` and `entities --diff` say of the next launch and of models.
  static let launch = Explanation.terms(
    """
    Term: launch verdict
    Also: safe, fails, losesData, deletes data, preflight, next launch, likely, sure
    Meaning: What the app's next launch does to the store: nothing goes wrong (safe), a step fails, or it deletes
      objects or values (losesData). Likely means that the server, the account or the app's code also matters.
    Advice: Read the reasons in 'storescope preflight STORE', and follow its fix before the app is launched.
    Basis: inferred, storescope's manual page

    Term: launch step
    Also: open, migrate, setUpMirror, checkAccount, checkToken, account check, token check
    Meaning: One of the steps of a launch, in the framework's order: open the store, migrate it, set up the mirror,
      check the account, check the history token, import, export. After a step that fails, the later ones aren't
      reached.
    Advice: 'storescope preflight STORE' shows what each step will do.
    Basis: inferred, storescope's manual page,
      technotes/tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer

    Term: step outcome
    Also: succeeds, downloads, nothing, not reached
    Meaning: What a step of the next launch does: it succeeds, fails, deletes data, uploads, downloads, does nothing,
      or the store doesn't show what it will do (unknown).
    Advice: See the sentence next to it in 'storescope preflight STORE'; the JSON has the same code words.
    Basis: documented, storescope's manual page

    Term: lightweight migration
    Also: lightweight, inferred, inferred mapping, infer, automatic migration, migrated
    Meaning: Core Data opens a store of an older model by inferring a mapping from the differences between both
      models. What it can't infer needs a mapping model or several steps.
    Detail: Renamed entities and properties need a renaming ID
    Detail: A property that is new and required needs a default value if there are rows
    Detail: Entities and properties that are removed lose their values
    Advice: 'storescope entities STORE --diff MODEL' shows what each difference needs; 'storescope preflight STORE
      --model MODEL' also looks at the rows.
    Basis: documented, coredata/migrating-your-data-model-automatically

    Term: migration condition
    Also: failsWithRows, failsWithNulls, failsWithDuplicates, refused, undocumented, fails if rows exist, fails if any
      is NULL, fails with duplicates, can't be inferred, not documented, none needed
    Meaning: What the migration across one difference of two models depends on. It fails if the entity has rows, if a
      row has no value, if rows have the same values, or always (refused). Apple doesn't document some differences.
    Advice: 'storescope preflight STORE --model MODEL' checks the conditions against the store's rows.
    Basis: inferred, coredata/migrating-your-data-model-automatically, reports of app authors

    Term: model difference
    Also: model change, entityAdded, entityRemoved, entityRenamed, parentChanged, hierarchiesMerged, abstractChanged,
      constraintAdded, constraintRemoved, attributeAdded, attributeRemoved, attributeRenamed, typeChanged,
      elementsChanged, relationshipAdded, relationshipRemoved, relationshipRenamed, becameToMany, becameToOne,
      becameOrdered, becameUnordered, destinationChanged, inverseChanged, becameOptional, becameRequired,
      becameTransient, becamePersistent, defaultChanged, limitsChanged, deleteRuleChanged, countChanged,
      hashModifierChanged, encryptionChanged, externalStorageChanged, preservationChanged, transformerChanged,
      renamingIDChanged
    Meaning: A point in which another model differs from the store's. In JSON it has a code word in 'change', the
      older value in 'before', the newer one in 'after', and what the migration needs in 'remedy'.
    Advice: 'storescope entities STORE --diff MODEL' lists all with the migration that each needs.
    Basis: documented, storescope's manual page

    Term: renaming ID
    Also: renaming identifier, renamingIdentifier, elementID, renamed, rename
    Meaning: The name that an entity or property had in the older model. Without it Core Data takes a renaming for a
      removal and an addition, and the values are lost.
    Advice: Set it in Xcode's data model inspector, or with @Attribute(originalName:) in SwiftData.
    Basis: documented, coredata/nsentitydescription/renamingidentifier,
      coredata/migrating-your-data-model-automatically

    Term: mapping model
    Also: NSMappingModel, cdm, staged migration, NSStagedMigrationManager, heavyweight migration
    Meaning: A description by the app of how objects of one model become objects of another, for what Core Data can't
      infer. A staged migration goes through several models instead.
    Advice: An app's mapping models are listed but not read: try the migration on a copy of the store.
    Basis: documented, coredata/nsmappingmodel, coredata/nsstagedmigrationmanager

    Term: version hash
    Also: hash modifier, versionHashModifier, version hashes, model hash
    Meaning: A hash of everything in an entity or property that affects storage. A store opens without a migration if
      all its entities have the hashes of the app's model. A hash modifier changes it on purpose.
    Advice: 'storescope preflight STORE --model MODEL' compares them with those of the app's model.
    Basis: documented, coredata/nsentitydescription/versionhash, coredata/nspropertydescription/versionhashmodifier

    Term: key
    Also: gone, keysGone, gone keys, Z_PK, primary key, keysGoneRanges
    Meaning: The number of a row in its table, as in Person/p12. Core Data counts keys up and assigns none twice, so a
      key that no row has belonged to an object that was deleted, or that was never saved.
    Advice: 'storescope entities STORE NAME' lists the ranges of keys that are gone; 'storescope history STORE
      --change delete' shows deletions that history still has.
    Basis: observed, reports of app authors
    """)

  /// The words that storescope uses for its own results and operations.
  static let tool = Explanation.terms(
    """
    Term: object
    Also: objects, row, entity, managed object
    Meaning: One instance of an entity of the model, such as a Person; an entity's objects are the rows of a table.
      People and commands refer to it as Person/p12, the entity and the row's key, or by its URI or title.
    Advice: See 'storescope show STORE OBJECT', and 'storescope entities STORE' for the model.
    Basis: documented, storescope's manual page

    Term: verdict
    Also: verdicts, state
    Meaning: The conclusion about a store or one object: plain words in text, a code word in JSON. 'storescope pending
      STORE' shows the store's, 'storescope trace STORE' an object's.
    Advice: Read the reasons that follow it, then the fix. It rests only on what the store records.
    Basis: documented, storescope's manual page

    Term: finding
    Also: findings, rule, severity, evidence, fix, remedy
    Meaning: A problem that one of the doctor's rules found, with its severity, the evidence and the fix. In JSON the
      severity of a note is info, and the fix is called remedy.
    Advice: See 'storescope doctor STORE --verbose' for why it matters, and 'storescope rules' for all rules.
    Basis: documented, storescope's manual page

    Term: baseline
    Also: baselines, accepted finding
    Meaning: A file with accepted findings. With it, 'storescope doctor STORE' counts only new ones.
    Advice: Write it with '--write-baseline FILE', and use it with '--baseline FILE', for example in CI.
    Basis: documented, storescope's manual page

    Term: repair
    Also: operation, plan, repairs
    Meaning: An operation that fixes one problem in a store. As with resync and reset, its plan is shown first, and
      nothing changes without --apply and confirmation.
    Advice: 'storescope repair STORE' lists the repairs that apply; --rehearse tries one in memory.
    Basis: documented, storescope's manual page

    Term: backup
    Also: restore, backups
    Meaning: The copy of a store with all its files that an operation makes before it changes anything: a folder next
      to the store, with a manifest and a log.
    Advice: 'storescope restore BACKUP' checks it and restores it, byte for byte.
    Basis: documented, storescope's manual page

    Term: redacted copy
    Also: redact, redaction, placeholder, salt
    Meaning: A copy of a store in which placeholders replace the values; equal values get equal placeholders.
      Structure, history and the mirror's state are kept, so the doctor's findings are the same.
    Advice: Make one with 'storescope redact STORE', and check it before you share it.
    Basis: documented, storescope's manual page
    """)

  /// What to know first, in the order of reading.
  package static let essential = [
    "object", "persistent history", "transaction", "transaction author", "history token", "unanalyzed",
    "mirroring delegate", "record", "record name", "record zone", "share", "event", "pending upload",
    "pending cloud delete", "uploaded", "unregistered", "orphaned record", "verdict", "finding", "resync",
    "repair", "purge", "backup", "redacted copy",
  ]
}
