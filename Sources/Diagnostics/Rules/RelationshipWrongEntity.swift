extension Rule {
  static let relationshipWrongEntity = Rule(about) { examination, findings in
    var search = LinkSearch(examination.store, .wrongEntity)
    try search.run(&findings)
  }
}

private let about = RuleHeader(
  """
  Rule: relationship-wrong-entity
  Severity: error
  Title: Relationships to objects of another entity
  Shows: A relationship whose target exists, but isn't an object of the destination entity or its sub-entities, or
    doesn't have the entity number stored with the key.
  Why: Core Data creates the object with the relationship's destination entity, so the app gets an object whose
    class doesn't have the expected properties.
  Next launch: No immediate effect. Reading through the relationship may find nothing, or an object of the wrong
    class, which crashes on the first missing property.
  Remedy: In the app, replace the related object with one of the right entity, and save. Find out what writes keys
    outside Core Data: a script, a restored row, or a migration with custom mappings.
  Needs: model
  False positives: None known: in all real stores measured, every target has the right entity.
  Evidence: Measured on real stores, which have none. The framework's behavior is inferred.
  Message: {count} {relationship leads|relationships lead} to {an object|objects} of the wrong entity.
  """)
