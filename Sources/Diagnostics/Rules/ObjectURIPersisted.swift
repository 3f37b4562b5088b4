import Lens
import StoreModel
import Values

extension Rule {
  static let objectURIPersisted = Rule(
    about,
    .values { examination in
      guard let mirrored = try examination.mirror?.mirroredEntities() else {
        throw StoreScopeError(.lacking, "The store is not mirrored to CloudKit")
      }
      return ReferenceRule { reference in
        guard reference.keeper == .object, reference.isPermanent, let entity = reference.entity,
          mirrored.countsRows(of: entity)
        else { return nil }
        return []
      }
    })
}

private let about = RuleHeader(
  "object-uri-persisted", .info,
  title: "Object URIs that travel to other devices",
  looksFor: """
    A permanent object URI kept in a value of an object of an entity that is mirrored to CloudKit. Values that are \
    compressed or encrypted can't be searched.
    """,
  why: """
    Store UUIDs and keys are made anew on each device: what the URI names here is another object elsewhere, or \
    none.
    """,
  nextLaunch: "The value is uploaded as it is, and means nothing on the other devices.",
  remedy: """
    Use a relationship, which the mirror translates, or your own identifier, such as a UUID attribute.
    """,
  needs: [.mirror],
  falsePositives: """
    An app that knows, and reads such values only on the device that wrote them. Entities of which it isn't known \
    whether they are mirrored are left out.
    """,
  evidence: """
    Inferred from what URIs are made of: \
    https://developer.apple.com/documentation/coredata/nsmanagedobjectid/urirepresentation()
    """,
  message: "{count} {value keeps|values keep} a URI of this device in a mirrored entity, such as {place}.")
