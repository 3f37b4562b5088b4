import Lens
import SQLite
import StoreModel
import Values

extension Rule {
  /// Only on request: it reads every row of every entity.
  static let valueInvalid = Rule(about) { examination, findings in
    let store = examination.store
    var omissions = Omissions("All values were checked")
    let views = ViewNames.views(for: store.schema.entities.map(\.name))
    let links = ViewNames.links(of: store)
    for entity in store.schema.entities where store.tables.holdsObjects(entity.table) {
      guard let view = views[entity.name] else { continue }
      let check = EntityCheck(store, entity, view)
      for attribute in entity.attributes where !attribute.isInherited {
        if attribute.description.hasOtherPredicates {
          omissions.add(
            "\(entity.name).\(attribute.name)", "has a rule that isn't a comparison with a number")
        }
        if attribute.description.type == .composite, !attribute.description.isOptional {
          omissions.add("\(entity.name).\(attribute.name)", "is a composite")
        }
        try check.run(attribute, &findings)
      }
      for link in links where link.entity.number == entity.number && !link.relationship.isInherited {
        try check.run(link, &findings)
      }
      for relationship in entity.relationships where !relationship.isInherited {
        try check.runToOne(relationship, &findings)
      }
    }
    findings.omission = omissions.sentence
  }
}

/// The rows of one entity and those below it.
private struct EntityCheck {
  private let store: CoreDataStore
  private let entity: SchemaEntity
  private let view: String
  private let columns: [String: String]

  init(_ store: CoreDataStore, _ entity: SchemaEntity, _ view: String) {
    self.store = store
    self.entity = entity
    self.view = quotedIdentifier(view)
    columns = View.entityColumns(of: entity)
  }

  /// https://developer.apple.com/documentation/coredata/core-data-constants has the codes.
  func run(_ attribute: SchemaAttribute, _ findings: inout FindingCollector) throws {
    let description = attribute.description
    guard !description.isTransient, !description.isDerived, let name = columns[attribute.path] else { return }
    let column = quotedIdentifier(name)
    if !description.isOptional {
      try add("\(column) IS NULL", attribute.name, "a value is required", code: 1570, &findings)
    }
    for limit in description.limits {
      switch (limit.subject, description.type) {
      case (.length, .string): try runLength(limit, column, attribute.name, &findings)
      case (.value, .date):
        try runValue(
          limit, "core_data_date(\(column))", description, attribute.name, (1630, 1640), &findings)
      case (.value, let type) where type.isNumber || type == .boolean:
        try runValue(limit, column, description, attribute.name, (1610, 1620), &findings)
      default: break
      }
    }
  }

  private func runValue(
    _ limit: ValueLimit, _ value: String, _ description: AttributeDescription, _ property: String,
    _ codes: (above: Int, below: Int), _ findings: inout FindingCollector
  ) throws {
    let code =
      switch limit.comparison {
      case .less, .atMost: codes.above
      case .more, .atLeast: codes.below
      case .equal, .unequal: 1550
      }
    let bound =
      description.type == .date
      ? CoreDataDate(seconds: limit.number).iso8601 ?? Self.text(limit.number) : Self.text(limit.number)
    let rule = "it must be \(limit.comparison.sign) \(bound)"
    try add(
      "NOT (\(value) \(limit.comparison.sign) ?1)", property, rule, code: code, &findings,
      [.real(limit.number)])
  }

  /// SQLite counts characters, Core Data UTF-16 units: one more for each character of four bytes.
  private func runLength(
    _ limit: ValueLimit, _ column: String, _ property: String, _ findings: inout FindingCollector
  ) throws {
    let code: Int
    let condition: String
    switch limit.comparison {
    case .less, .atMost:
      code = 1660
      condition = "NOT (LENGTH(\(column)) \(limit.comparison.sign) ?1)"
    case .more, .atLeast:
      code = 1670
      condition = """
        NOT (LENGTH(\(column)) \(limit.comparison.sign) ?1)
        AND (LENGTH(CAST(\(column) AS BLOB)) = LENGTH(\(column)) OR NOT (LENGTH(\(column)) * 2 \(limit.comparison.sign) ?1))
        """
    case .equal, .unequal: return
    }
    let rule = "its length must be \(limit.comparison.sign) \(Self.text(limit.number))"
    try add(condition, property, rule, code: code, &findings, [.real(limit.number)])
  }

  func runToOne(_ relationship: SchemaRelationship, _ findings: inout FindingCollector) throws {
    let description = relationship.description
    guard !description.isToMany, !description.isOptional, !description.isTransient,
      let column = columns[relationship.name]
    else { return }
    try add(
      "\(quotedIdentifier(column)) IS NULL", relationship.name, "an object is required", code: 1570, &findings
    )
  }

  func run(_ link: ViewNames.Link, _ findings: inout FindingCollector) throws {
    let description = link.relationship.description
    guard description.isToMany, !description.isTransient else { return }
    let counts = "(SELECT source, COUNT(*) AS number FROM \(quotedIdentifier(link.view)) GROUP BY source)"
    func add(_ condition: String, _ rule: String, _ code: Int) throws {
      try self.add(condition, description.name, rule, code: code, &findings)
    }
    // Without a least number none is enforced, whether or not it is optional: Apple's own stores have such objects.
    if !description.isOptional, description.minCount > 0 {
      try add(
        "pk NOT IN (SELECT source FROM \(counts) WHERE source IS NOT NULL)",
        "at least one object is required", 1580)
    }
    if description.minCount > 1 {
      try add(
        "pk IN (SELECT source FROM \(counts) WHERE number < \(description.minCount))",
        "it must have at least \(Sentence.count(description.minCount, "object"))", 1580)
    }
    if description.maxCount > 1 {
      try add(
        "pk IN (SELECT source FROM \(counts) WHERE number > \(description.maxCount))",
        "it must have at most \(Sentence.count(description.maxCount, "object"))", 1590)
    }
  }

  private func add(
    _ condition: String, _ property: String, _ rule: String, code: Int, _ findings: inout FindingCollector,
    _ values: [SQLiteValue] = []
  ) throws {
    try store.connection.forEachRow(
      "SELECT uri, entity, pk FROM \(view) WHERE \(condition) ORDER BY pk", values
    ) { row in
      let (uri, name, key) = (row.text(0), row.text(1), row.integer(2))
      findings.add(
        object: uri, subject: "\(property) \(code)",
        [
          .init("entity", .text(name)), .init("pk", .integer(key)), .init("property", .text(property)),
          .init("rule", .text(rule)), .init("code", .count(code)),
        ])
    }
  }

  private static func text(_ number: Double) -> String {
    number == number.rounded() && abs(number) < 1e15 ? "\(Int64(number))" : "\(number)"
  }
}

private let about = RuleHeader(
  "value-invalid", .warning,
  title: "Values that the model doesn't allow",
  looksFor: """
    Values that break the model's own rules: required attributes and relationships without a value, numbers, dates and lengths \
    out of their bounds, and too few or too many related objects. Checked only with 'doctor --validate'.
    """,
  why: """
    Core Data validates an object whenever it saves a change to it. An object that is already invalid can't be saved anymore, \
    whatever the change is, and it takes all other changes of that save with it.
    """,
  nextLaunch:
    "Nothing. The first save that includes such an object fails with the code in 'code' (1550 to 1680).",
  remedy: """
    In the app, fetch the objects and give them valid values; or relax the model, which needs a migration if a property \
    becomes optional.
    """,
  needs: [.model],
  falsePositives: """
    Patterns and other predicates aren't checked, and neither is code in validate methods. An app that saves with batch \
    requests only never meets the rules.
    """,
  evidence: """
    Documented by Apple: https://developer.apple.com/documentation/coredata/nsmanagedobject/validateforupdate()
    """,
  message:
    "{count} {value breaks|values break} the model's rules, such as {entity}/p{pk}.{property}: {rule} (error {code})."
)
