import Archives
import Lens
import StoreModel
import Values

extension Rule {
  static let modelChangedSinceSetup = Rule(about) { examination, findings in
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
        .lacking, "The store's metadata have no version hashes of the model to compare with")
    }
    for name in Set(before.keys).union(now.keys).sorted() where before[name] != now[name] {
      let change = before[name] == nil ? "added" : now[name] == nil ? "removed" : "changed"
      findings.add(subject: name, [.init("entity", .text(name)), .init("change", .text(change))])
    }
  }
}

private let about = RuleHeader(
  "model-changed-since-setup", .info,
  title: "The app's model changed since the mirror was last set up",
  looksFor: "One finding per entity whose version hash isn't the one of the mirror's last setup.",
  why: """
    The store was migrated, and the mirror hasn't seen the new model yet. Its next setup cleans up after the \
    migration, which for a while looks like trouble.
    """,
  nextLaunch: """
    Setup drops the records of entities that are gone and the links of relationships that are, and asks for a \
    complete fetch of every zone; objects are matched by record name and not doubled.
    """,
  remedy: """
    Nothing, if the migration was meant. See that the new model is deployed to CloudKit's production environment \
    before it is released, or exports of new fields fail.
    """,
  needs: [.table(.metadataEntries)],
  falsePositives: """
    True for every migrated store until the app has been launched once with mirroring on, and for good where \
    mirroring was switched off.
    """,
  evidence: "App authors report it; what setup does about it is inferred from their reports.",
  message: """
    {count} {entity isn't|entities aren't} as the mirror's last setup knew {it|them}, the first: {entity} \
    ({change}).
    """)
