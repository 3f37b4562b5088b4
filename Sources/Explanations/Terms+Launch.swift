extension Terms {
  /// What `preflight` and `entities --diff` say of the next launch and of models.
  static let launch: [Explanation] = [
    .term(
      "launch verdict",
      synonyms: ["safe", "fails", "losesData", "deletes data", "preflight", "next launch", "likely", "sure"],
      """
      What the app's next launch does to the store: nothing goes wrong (safe), a step fails, or it deletes \
      objects or values (losesData). Likely means that the server, the account or the app's code also matters.
      """,
      advice:
        "Read the reasons in 'storescope preflight STORE', and follow its fix before the app is launched.",
      certainty: .inferred, sources: [ExplanationSource.manual]),
    .term(
      "launch step",
      synonyms: [
        "open", "migrate", "setUpMirror", "checkAccount", "checkToken", "account check", "token check",
      ],
      """
      One of the steps of a launch, in the framework's order: open the store, migrate it, set up the mirror, check \
      the account, check the history token, import, export. After a step that fails, the later ones aren't reached.
      """,
      advice: "'storescope preflight STORE' shows what each step will do.",
      certainty: .inferred, sources: [ExplanationSource.manual, ExplanationSource.tn3163]),
    .term(
      "step outcome",
      synonyms: ["succeeds", "downloads", "nothing", "not reached"],
      """
      What a step of the next launch does: it succeeds, fails, deletes data, uploads, downloads, does nothing, \
      or the store doesn't show what it will do (unknown).
      """,
      advice:
        "See the sentence next to it in 'storescope preflight STORE'; the JSON has the same code words.",
      certainty: .documented, sources: [ExplanationSource.manual]),
    .term(
      "lightweight migration",
      synonyms: ["lightweight", "inferred", "inferred mapping", "infer", "automatic migration", "migrated"],
      """
      Core Data opens a store of an older model by inferring a mapping from the differences between both \
      models. What it can't infer needs a mapping model or several steps.
      """,
      causes: [
        "Renamed entities and properties need a renaming ID",
        "A property that is new and required needs a default value if there are rows",
        "Entities and properties that are removed lose their values",
      ],
      advice: """
        'storescope entities STORE --diff MODEL' shows what each difference needs; 'storescope preflight STORE --model \
        MODEL' also looks at the rows.
        """,
      certainty: .documented, sources: [lightweight]),
    .term(
      "migration condition",
      synonyms: [
        "failsWithRows", "failsWithNulls", "failsWithDuplicates", "refused", "undocumented",
        "fails if rows exist", "fails if any is NULL", "fails with duplicates", "can't be inferred",
        "not documented", "none needed",
      ],
      """
      What the migration across one difference of two models depends on. It fails if the entity has rows, if \
      a row has no value, if rows have the same values, or always (refused). Apple doesn't document some \
      differences.
      """,
      advice: "'storescope preflight STORE --model MODEL' checks the conditions against the store's rows.",
      certainty: .inferred, sources: [lightweight, ExplanationSource.appAuthors]),
    .term(
      "model difference",
      synonyms: [
        "model change", "entityAdded", "entityRemoved", "entityRenamed", "parentChanged",
        "hierarchiesMerged", "abstractChanged", "constraintAdded", "constraintRemoved", "attributeAdded",
        "attributeRemoved", "attributeRenamed", "typeChanged", "elementsChanged", "relationshipAdded",
        "relationshipRemoved", "relationshipRenamed", "becameToMany", "becameToOne", "becameOrdered",
        "becameUnordered", "destinationChanged", "inverseChanged", "becameOptional", "becameRequired",
        "becameTransient", "becamePersistent", "defaultChanged", "limitsChanged", "deleteRuleChanged",
        "countChanged", "hashModifierChanged", "encryptionChanged", "externalStorageChanged",
        "preservationChanged", "transformerChanged", "renamingIDChanged",
      ],
      """
      A point in which another model differs from the store's. In JSON it has a code word in 'change', the \
      older value in 'before', the newer one in 'after', and what the migration needs in 'remedy'.
      """,
      advice: "'storescope entities STORE --diff MODEL' lists all with the migration that each needs.",
      certainty: .documented, sources: [ExplanationSource.manual]),
    .term(
      "renaming ID",
      synonyms: ["renaming identifier", "renamingIdentifier", "elementID", "renamed", "rename"],
      """
      The name that an entity or property had in the older model. Without it Core Data takes a renaming for a \
      removal and an addition, and the values are lost.
      """,
      advice: "Set it in Xcode's data model inspector, or with @Attribute(originalName:) in SwiftData.",
      certainty: .documented,
      sources: [ExplanationSource.coreData("nsentitydescription/renamingidentifier"), lightweight]),
    .term(
      "mapping model",
      synonyms: [
        "NSMappingModel", "cdm", "staged migration", "NSStagedMigrationManager", "heavyweight migration",
      ],
      """
      A description by the app of how objects of one model become objects of another, for what Core Data can't \
      infer. A staged migration goes through several models instead.
      """,
      advice:
        "An app's mapping models are listed but not read: try the migration on a copy of the store.",
      certainty: .documented,
      sources: [
        ExplanationSource.coreData("nsmappingmodel"),
        ExplanationSource.coreData("nsstagedmigrationmanager"),
      ]),
    .term(
      "version hash",
      synonyms: ["hash modifier", "versionHashModifier", "version hashes", "model hash"],
      """
      A hash of everything in an entity or property that affects storage. A store opens without a migration if all \
      its entities have the hashes of the app's model. A hash modifier changes it on purpose.
      """,
      advice: "'storescope preflight STORE --model MODEL' compares them with those of the app's model.",
      certainty: .documented,
      sources: [
        ExplanationSource.coreData("nsentitydescription/versionhash"),
        ExplanationSource.coreData("nspropertydescription/versionhashmodifier"),
      ]),
    .term(
      "key",
      synonyms: ["gone", "keysGone", "gone keys", "Z_PK", "primary key", "keysGoneRanges"],
      """
      The number of a row in its table, as in Person/p12. Core Data counts keys up and assigns none twice, so \
      a key that no row has belonged to an object that was deleted, or that was never saved.
      """,
      advice: """
        'storescope entities STORE NAME' lists the ranges of keys that are gone; 'storescope history STORE --change delete' \
        shows deletions that history still has.
        """,
      certainty: .observed, sources: [ExplanationSource.appAuthors]),
  ]

  private static let lightweight = ExplanationSource.coreData(
    "migrating-your-data-model-automatically")
}
