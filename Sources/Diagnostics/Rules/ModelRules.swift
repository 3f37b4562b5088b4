import Archives
import Lens
import StoreModel
import Values

extension Rule {
  static let modelCacheMissing = Rule(
    """
    Rule: model-cache-missing
    Severity: info
    Title: No cached model
    Shows: A store whose Z_MODELCACHE is missing or empty, unless --model gives another model.
    Why: A lightweight migration reads the old model from the cache if the app doesn't ship that version. Without it,
      storescope can only guess properties' names, types and relationships.
    Next launch: Nothing if the app's model still fits the store; the framework rewrites the cache. Otherwise the app
      must ship the old model, or opening fails with 134130 or 134140.
    Remedy: None needed, unless the app's next version changes the model: then ship this version's model with it. With
      '--model PATH' (.mom, .momd or .xcdatamodeld), storescope checks the rules that need a model.
    False positives: Some apps delete it on purpose, and systems before iOS 11 and macOS 10.13 write none.
    Evidence: Measured on real stores.
    Message: The store's cached model is {cache}.
    """
  ) { examination, findings in
    guard case .tables(let because) = examination.store.modelSource, because != "damaged" else { return }
    findings.add(
      subject: "model",
      [
        "cache": .text(because), "frameworkVersion": .optional(examination.store.metadata.frameworkVersion),
      ])
    if let version = examination.store.metadata.frameworkVersion, version < firstWithCache {
      findings.remedy = "Nothing to do: systems before iOS 11 and macOS 10.13 don't write one."
    }
  }
}

/// Of iOS 11 and macOS 10.13; see `FrameworkRelease`.
private let firstWithCache: Int64 = 851

extension Rule {
  static let modelCacheDamaged = Rule(
    """
    Rule: model-cache-damaged
    Severity: warning
    Title: Unreadable cached model
    Shows: A store whose Z_MODELCACHE contains data that isn't a model, unless --model gives another model.
    Why: A migration that needs the old model from the cache fails. Without it, storescope can only guess properties'
      names, types and relationships.
    Next launch: Nothing if the app's model still fits the store. A migration that finds no other source of the old
      model fails with 134130 or 134140.
    Remedy: Pass the app's model with '--model PATH' (.mom, .momd or .xcdatamodeld). Check whether other rules find
      damage: the cache is rarely the only damaged part.
    False positives: A cache in an unknown format looks the same.
    Evidence: Measured on real stores.
    Message: The store's cached model can't be read: {reason}.
    """
  ) { examination, findings in
    guard examination.store.modelSource == .tables(because: "damaged"),
      case .damaged(let reason) = try ModelCache.read(from: examination.store.connection)
    else { return }
    findings.add(subject: "model", ["reason": .text(reason)])
  }

  static let modelDiffersFromTable = Rule(
    """
    Rule: model-differs-from-table
    Severity: error
    Title: Tables that differ from the model
    Shows: Tables and columns that the model needs but the store lacks, tables and columns that the store has but the
      model doesn't need, and entities that have different numbers in the model and in Z_PRIMARYKEY.
    Why: Fetches request every column of an entity. A missing column makes all fetches fail; an additional column is
      data that no app reads anymore.
    Next launch: With a missing column or table, the app gets NSCocoaErrorDomain 256 with NSSQLiteErrorDomain 1 ("no
      such column" or "no such table") as soon as it reads the entity, because the model's hashes match and no
      migration runs.
    Remedy: Check with '--model PATH' that the right model is compared. Then find out what altered the tables outside
      Core Data, or restore a backup; unexpected columns are harmless.
    Needs: model
    False positives: A model given with --model that belongs to another store. The app's own tables whose names begin
      with Z look like Core Data's.
    Evidence: Measured on real stores: tables and columns of 132 of 133 match their models exactly, and the last has
      only a stale name.
    Message: {count} {difference|differences} between the model and the tables: {difference}.
    """
  ) { examination, findings in
    let uncounted = Set(examination.store.uncountedEntities.map(\.name))
    let found = examination.store.discrepancies.filter { found in
      found.kind != .staleEntityName
        && !(found.kind == .entityWithoutNumber && found.entity.map(uncounted.contains) ?? false)
    }
    let worst = found.filter(\.kind.breaksFetches)
    if worst.isEmpty { findings.severity = .warning }
    if let creation = SchemaDiscrepancy.creation(worst.flatMap(examination.store.creation), atMost: 5) {
      findings.remedy = "\(findings.header.remedy) \(creation)"
    }
    for discrepancy in worst + found.filter({ !$0.kind.breaksFetches }) {
      let text = discrepancy.description
      findings.add(
        subject: text,
        [
          "kind": .text(discrepancy.kind.rawValue), "table": .optional(discrepancy.table),
          "column": .optional(discrepancy.column), "entity": .optional(discrepancy.entity),
          "property": .optional(discrepancy.property), "difference": .text(text),
        ])
    }
  }

  static let entityNameStale = Rule(
    """
    Rule: entity-name-stale
    Severity: info
    Title: Entities listed under an old name
    Shows: A number in Z_PRIMARYKEY whose name differs from the name of the model's entity with that number.
    Why: A lightweight migration that renames an entity can leave its old name there. Tools that read names from
      Z_PRIMARYKEY show the wrong name; the framework uses the number.
    Next launch: Nothing.
    Remedy: In queries on the store, use the model's names, as storescope's views do.
    Needs: model
    False positives: With '--model PATH', a model of another store.
    Evidence: Measured on real stores.
    Message: {count} {entity is|entities are} listed under an old name: {entity} as {oldName}.
    """
  ) { examination, findings in
    let store = examination.store
    guard !store.discrepancies.contains(where: { $0.kind == .foreignModel }) else { return }
    for entity in store.schema.entities {
      guard let oldName = entity.staleName else { continue }
      findings.add(
        subject: entity.name,
        [
          "entity": .text(entity.name), "number": .integer(entity.number), "oldName": .text(oldName),
        ])
    }
  }

  static let modelChangedSinceSetup = Rule(
    """
    Rule: model-changed-since-setup
    Severity: info
    Title: The app's model changed since the mirror was last set up
    Shows: An entity whose version hash differs from the hash at the mirror's last setup.
    Why: The store was migrated, but the mirror hasn't seen the new model yet. Its next setup cleans up after the
      migration, which can look like a problem for a while.
    Next launch: Setup removes the records of removed entities and the links of removed relationships, and requests a
      complete fetch of every zone; objects are matched by record name, so nothing is duplicated.
    Remedy: Nothing to do if the migration was intended. Deploy the new schema to CloudKit's production environment
      before the release, or exports of new fields fail.
    Needs: ANSCKMETADATAENTRY
    False positives: Every migrated store is reported until the app has been launched once with mirroring on, and
      permanently if mirroring was turned off.
    Evidence: App authors report it; the setup's behavior is inferred from their reports.
    Message: {count} {entity|entities} changed since the mirror's last setup; the first is {entity} ({change}).
    """
  ) { examination, findings in
    guard let entry = try examination.mirror?.entries[MetadataKey.clientHashes], let archive = entry.archive
    else {
      throw StoreScopeError(
        .lacking, "The mirror keeps no version hashes of the app's model, so there is nothing to compare")
    }
    let before: [String: [UInt8]]
    do throws(ArchiveError) {
      before = try VersionHashes(archive: archive).byEntity
    } catch {
      throw StoreScopeError(
        .damaged, "The mirror's version hashes of the app's model can't be read: \(error.description)")
    }
    let now = examination.store.metadata.versionHashes
    guard !now.isEmpty else {
      throw StoreScopeError(
        .lacking, "The store's metadata has no version hashes of the model to compare with")
    }
    for name in Set(before.keys).union(now.keys).sorted() where before[name] != now[name] {
      let change = before[name] == nil ? "added" : now[name] == nil ? "removed" : "changed"
      findings.add(subject: name, ["entity": .text(name), "change": .text(change)])
    }
  }

  package static let cloudKitModelIncompatible = Rule(
    """
    Rule: cloudkit-model-incompatible
    Severity: warning
    Title: Model incompatible with CloudKit
    Shows: A property or constraint of a mirrored entity that Core Data doesn't mirror: uniqueness constraints,
      required attributes without a default, relationships that are required, ordered, without an inverse, with the
      delete rule Deny or to an entity of another configuration, and types that CloudKit has no field for. 'doctor
      --assume-cloudkit' checks all entities, even in a store that isn't mirrored yet.
    Why: Core Data checks the model when it sets up the mirror, and rejects the whole model for a single incompatible
      property: nothing is uploaded or fetched at all.
    Next launch: With this model, setup fails with NSCocoaErrorDomain 134060, and the error lists the property; with
      an older or newer version of the app it may succeed.
    Remedy: Change the model: make the attribute optional or give it a default, make the relationship optional and
      unordered with an inverse, remove the constraint. Or leave the entity out of the mirrored configuration.
    Needs: cloudkit, model
    False positives: No table lists the mirrored entities: they are inferred from records, configurations and history.
      Entities for which that isn't possible are left out. Properties that the app excludes from mirroring with a
      private key are listed anyway.
    Evidence: Documented by Apple:
      https://developer.apple.com/documentation/coredata/creating-a-core-data-model-for-cloudkit
    Message: CloudKit's rules for models are broken {count} {time|times}, such as {entity}.{property}: {rule}.
    """
  ) { examination, findings in
    let store = examination.store
    guard let model = store.model else { return }
    let mirrored = try examination.assumesCloudKit ? nil : examination.mirror?.mirroredEntities()
    let entities = store.schema.entities.filter { entity in
      guard let mirrored else { return true }
      // Sub-entities inherit what an entity declares.
      return store.schema.descendants(of: entity).contains { mirrored.countsRows(of: $0.number) }
    }
    for (entity, breach) in CloudKitModelCheck(model).breaches(entities.compactMap(\.description)) {
      findings.add(
        subject: "\(entity).\(breach.property): \(breach.rule)",
        [
          "entity": .text(entity), "property": .text(breach.property), "rule": .text(breach.rule),
        ])
    }
  }
}
