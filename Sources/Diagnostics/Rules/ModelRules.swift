import Archives
import Base
import Lens
import StoreModel

extension Rule {
  static let modelCacheMissing = Rule(
    "model-cache-missing"
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
    "model-cache-damaged"
  ) { examination, findings in
    guard examination.store.modelSource == .tables(because: "damaged"),
      case .damaged(let reason) = try ModelCache.read(from: examination.store.connection)
    else { return }
    findings.add(subject: "model", ["reason": .text(reason)])
  }

  static let modelDiffersFromTable = Rule(
    "model-differs-from-table"
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
    "entity-name-stale"
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
    "model-changed-since-setup"
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
    "cloudkit-model-incompatible"
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
