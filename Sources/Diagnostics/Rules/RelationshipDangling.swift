extension Rule {
  static let relationshipDangling = Rule(about) { examination, findings in
    var search = LinkSearch(examination.store, .dangling)
    try search.run(&findings)
  }
}

private let about = RuleHeader(
  """
  Rule: relationship-dangling
  Severity: error
  Title: Relationships to objects that don't exist
  Shows: A to-one relationship, or a link of a many-to-many relationship, whose key leads to no row of the
    destination's table.
  Why: The app assumes the object exists until it reads one of its values; then Core Data finds no row and throws,
    or returns an object whose values are all nil, depending on the context's setting.
  Next launch: No immediate effect. Reading through the relationship ends in "Core Data could not fulfill a fault"
    or in empty values.
  Next launch mirrored: Exports to CloudKit leave the link out.
  Remedy: In the app, fetch the objects listed here. Set a to-one relationship to nil, remove the missing object
    from a many-to-many one, or delete the owner; then save. Find out what deletes rows outside Core Data: batch
    deletes and raw SQL don't apply delete rules.
  Needs: model
  False positives: None known: real stores have no such keys. For a relationship that is its own inverse, only one
    of a link's two rows is checked, because Core Data leaves the other behind when an object is deleted.
  Evidence: Measured on real stores, which have none; the fault is documented by Apple:
    https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext/shoulddeleteinaccessiblefaults
  Message: {count} {relationship leads|relationships lead} to {an object|objects} that {doesn't|don't} exist, such
    as {relationship} to {destination}/p{key}.
  """)
