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
  """
  Rule: object-uri-persisted
  Severity: info
  Title: Object URIs synced to other devices
  Shows: A permanent object URI in a value of an object whose entity is mirrored to CloudKit. Values that are
    compressed or encrypted can't be searched.
  Why: Store UUIDs and keys differ on each device: on other devices the URI refers to a different object, or to
    none.
  Next launch: The value is uploaded as it is, and is meaningless on other devices.
  Remedy: Use a relationship, which the mirror translates, or your own identifier, such as a UUID attribute.
  Needs: mirror
  False positives: An app that reads these values only on the device that wrote them. Entities that aren't known to
    be mirrored are left out.
  Evidence: Inferred from the parts of a URI:
    https://developer.apple.com/documentation/coredata/nsmanagedobjectid/urirepresentation()
  Message: {count} {value contains|values contain} a URI of this device in a mirrored entity, such as {place}.
  """)
