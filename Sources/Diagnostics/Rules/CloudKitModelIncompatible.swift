import Lens
import StoreModel
import Values

extension Rule {
  package static let cloudKitModelIncompatible = Rule(about) { examination, findings in
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
          .init("entity", .text(entity)), .init("property", .text(breach.property)),
          .init("rule", .text(breach.rule)),
        ])
    }
  }
}

private let about = RuleHeader(
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
  """)
