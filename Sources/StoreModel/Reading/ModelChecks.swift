import Base

/// Makes a model that was read from bytes fit for use: what follows may rely on unique names, and on superentities
/// that exist and form no cycle.
enum ModelChecks {
  /// Numbers from 16000 on belong to the framework's own entities, so that no app can have more.
  static let entityLimit = 15_999

  static func checked(_ model: ManagedObjectModel, problems: ProblemList) -> DecodedModel {
    var model = model
    var problems = problems
    dropOverlong(in: &model, &problems)
    dropDuplicates(in: &model, &problems)
    cutSuperentities(in: &model, &problems)
    let names = Set(model.entities.map(\.name))
    for entity in model.entities {
      for relationship in entity.relationships where !names.contains(relationship.destination) {
        problems.report(
          "\(entity.name).\(relationship.name) leads to \(relationship.destination), which isn't an entity of the model"
        )
      }
    }
    return DecodedModel(model: model, problems: problems.clauses)
  }

  /// No table or column can go by such a name, and it would be repeated for each row.
  private static func dropOverlong(in model: inout ManagedObjectModel, _ problems: inout ProblemList) {
    func isOverlong(_ name: String, _ kind: String) -> Bool {
      guard LongName.isTooLong(name) else { return false }
      problems.report("\(kind) \(LongName.cut(name)) was left out: it isn't a valid name")
      return true
    }
    func hasOverlong(_ attribute: AttributeDescription) -> Bool {
      isOverlong(attribute.name, "the attribute") || attribute.elements.contains(where: hasOverlong)
    }
    model.entities.removeAll { isOverlong($0.name, "the entity") }
    for index in model.entities.indices {
      model.entities[index].attributes.removeAll(where: hasOverlong)
      model.entities[index].relationships.removeAll {
        isOverlong($0.name, "the relationship") || isOverlong($0.destination, "the destination")
      }
    }
    model.versionIdentifiers = model.versionIdentifiers.map(LongName.cut)
  }

  private static func dropDuplicates(in model: inout ManagedObjectModel, _ problems: inout ProblemList) {
    var names: Set<String> = []
    model.entities.removeAll { entity in
      guard !names.insert(entity.name).inserted else { return false }
      problems.report("there is more than one entity \(entity.name)")
      return true
    }
    for index in model.entities.indices {
      let entity = model.entities[index].name
      var names: Set<String> = []
      func isDuplicate(_ name: String) -> Bool {
        guard !names.insert(name).inserted else { return false }
        problems.report("there is more than one property \(entity).\(name)")
        return true
      }
      model.entities[index].attributes.removeAll { isDuplicate($0.name) }
      model.entities[index].relationships.removeAll { isDuplicate($0.name) }
    }
  }

  private static func cutSuperentities(in model: inout ManagedObjectModel, _ problems: inout ProblemList) {
    var parents: [String: String] = [:]
    for entity in model.entities { parents[entity.name] = entity.superentity }
    let names = Set(model.entities.map(\.name))
    // Entities from which the walk up is known to end.
    var sound: Set<String> = []
    for index in model.entities.indices {
      let entity = model.entities[index]
      guard let parent = entity.superentity else { continue }
      if !names.contains(parent) {
        problems.report("\(entity.name) has a superentity \(parent) that is not in the model")
        model.entities[index].superentity = nil
        parents[entity.name] = nil
      } else if isOnCycle(entity.name, parents: parents, sound: &sound) {
        problems.report("\(entity.name) is among its own superentities")
        model.entities[index].superentity = nil
        parents[entity.name] = nil
      }
    }
  }

  private static func isOnCycle(
    _ name: String, parents: [String: String], sound: inout Set<String>
  ) -> Bool {
    var walked: Set<String> = []
    var current = name
    while !sound.contains(current), walked.insert(current).inserted {
      guard let parent = parents[current] else {
        sound.formUnion(walked)
        return false
      }
      current = parent
    }
    if sound.contains(current) {
      sound.formUnion(walked)
      return false
    }
    // The walk met itself: at the entity itself, or at a cycle further up, which is cut there.
    return current == name
  }
}

/// What was wrong with a model, one clause each. Both the number of clauses and their length are limited, as a
/// made-up file can repeat a name of megabytes a million times.
struct ProblemList {
  private(set) var clauses: [String] = []
  private static let limit = 100
  private static let lengthLimit = 300

  mutating func report(_ clause: @autoclosure () -> String) {
    guard clauses.count < Self.limit else { return }
    let text = clause()
    clauses.append(text.utf8.count > Self.lengthLimit ? text.prefix(Self.lengthLimit) + "…" : text)
  }
}
