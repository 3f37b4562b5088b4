extension Rule {
  static let relationshipDangling = Rule(about) { examination, findings in
    var search = LinkSearch(examination.store, .dangling)
    try search.run(&findings)
  }
}

private let about = RuleHeader(
  "relationship-dangling", .error,
  title: "Relationships to objects that don't exist",
  looksFor: """
    A to-one relationship, or a link of a many-to-many relationship, whose key leads to no row of the \
    destination's table.
    """,
  why: """
    The app takes the object for there until it asks for one of its values; then Core Data finds no row and \
    throws, or hands out an object whose values are all nil, by the context's setting.
    """,
  nextLaunch: """
    Nothing by itself. Reading through the relationship ends in "Core Data could not fulfill a fault" or in empty \
    values, and CloudKit exports leave the link out.
    """,
  remedy: """
    Set the relationship to nil, or delete the owner, in the app: fetch the objects named here, and save. \
    Find out what deletes rows outside Core Data: batch deletes and raw SQL don't apply deletion rules.
    """,
  needs: [.model],
  falsePositives: """
    None known: real stores keep no such key. Links of a relationship that is its own inverse are judged by one of \
    their two rows, as Core Data leaves the other behind when an object is deleted.
    """,
  evidence: """
    Measured on real stores, which have none; the fault is documented by Apple: \
    https://developer.apple.com/documentation/coredata/nsmanagedobjectcontext/shoulddeleteinaccessiblefaults
    """,
  message: """
    {count} {relationship leads|relationships lead} to {an object|objects} that {doesn't|don't} exist, such as \
    {relationship} to {destination}/p{key}.
    """)
