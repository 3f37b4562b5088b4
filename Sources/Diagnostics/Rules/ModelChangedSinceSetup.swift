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
        .lacking, "The store's metadata has no version hashes of the model to compare with")
    }
    for name in Set(before.keys).union(now.keys).sorted() where before[name] != now[name] {
      let change = before[name] == nil ? "added" : now[name] == nil ? "removed" : "changed"
      findings.add(subject: name, [.init("entity", .text(name)), .init("change", .text(change))])
    }
  }
}

private let about = RuleHeader(
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
  """)
