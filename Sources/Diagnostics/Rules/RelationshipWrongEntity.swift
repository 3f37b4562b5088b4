extension Rule {
  static let relationshipWrongEntity = Rule(about) { examination, findings in
    var search = LinkSearch(examination.store, .wrongEntity)
    try search.run(&findings)
  }
}

private let about = RuleHeader(
  "relationship-wrong-entity", .error,
  title: "Relationships to objects of another entity",
  looksFor: """
    A relationship whose target exists, but is no object of the destination entity or of one below it, or of \
    another entity than the number beside the key says.
    """,
  why: """
    Core Data makes the object by the entity that the relationship promises, so that the app gets an object whose \
    class doesn't have the properties it asks for.
    """,
  nextLaunch: """
    Nothing by itself. Reading through the relationship may find nothing, or an object of the wrong class, which \
    crashes on the first property that it lacks.
    """,
  remedy: """
    Set the relationship anew in the app, to an object of the right entity, and save. Find out what writes \
    keys outside Core Data: a script, a restored row, or a migration with mappings of its own.
    """,
  needs: [.model],
  falsePositives: "None known: in all real stores at hand every target is of the right entity.",
  evidence: "Measured on real stores, which have none. What the framework does with one is inferred.",
  message: "{count} {relationship leads|relationships lead} to {an object|objects} of the wrong entity.")
