import Base
import Lens
import SQLite
import StoreModel

extension Rule {
  /// Only on request: it reads every row of every entity.
  static let valueInvalid = Rule(
    "value-invalid"
  ) { examination, findings in
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
        try check.runType(attribute, &findings)
        try check.run(attribute, &findings)
      }
      try check.runConstraints(&findings)
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

  /// What Core Data can't have written. The entity's view decodes values: the table has them as they are stored.
  func runType(_ attribute: SchemaAttribute, _ findings: inout FindingCollector) throws {
    for leaf in attribute.leaves where !leaf.description.isTransient {
      guard let column = leaf.column.map(quotedIdentifier), let form = StoredForm(leaf.description)
      else { continue }
      let condition = form.condition.replacing("{}", with: column)
      try add(
        stored(column, "\(column) IS NOT NULL AND NOT (\(condition))"), [], leaf.path,
        "it must be \(form.rule)", code: nil, &findings)
    }
  }

  private var family: String {
    store.schema.descendants(of: entity).map { "\($0.number)" }.joined(separator: ", ")
  }

  /// A query over the table, which has values as they are stored: the view has none for a date that no calendar has.
  private func stored(_ shown: String, _ condition: String) -> String {
    """
    SELECT object_uri(Z_ENT, Z_PK), entity_name(Z_ENT), Z_PK, \(Self.shown(shown)) FROM main.\(quotedIdentifier(entity.table))
    WHERE Z_ENT IN (\(family)) AND \(condition) ORDER BY Z_PK
    """
  }

  /// https://developer.apple.com/documentation/coredata/core-data-constants has the codes.
  func run(_ attribute: SchemaAttribute, _ findings: inout FindingCollector) throws {
    let description = attribute.description
    guard !description.isTransient, !description.isDerived, let name = columns[attribute.path] else { return }
    let column = quotedIdentifier(name)
    let date = description.type == .date ? attribute.column.map(quotedIdentifier) : nil
    if !description.isOptional {
      let rule = "a value is required"
      if let date {
        try add(stored("NULL", "\(date) IS NULL"), [], attribute.name, rule, code: 1570, &findings)
      } else {
        try add("\(column) IS NULL", attribute.name, rule, code: 1570, &findings)
      }
    }
    for limit in description.limits {
      switch (limit.subject, description.type) {
      case (.length, .string): try runLength(limit, column, attribute.name, &findings)
      case (.value, .date):
        guard let date else { continue }
        let number = "CASE WHEN typeof(\(date)) IN ('integer', 'real') THEN \(date) END"
        try runValue(limit, number, stored, description, attribute.name, (1630, 1640), &findings)
      case (.value, let type) where type.isNumber || type == .boolean:
        try runValue(limit, column, viewed, description, attribute.name, (1610, 1620), &findings)
      default: break
      }
    }
  }

  /// - Parameter query: makes one of what is shown and of a condition.
  private func runValue(
    _ limit: ValueLimit, _ value: String, _ query: (String, String) -> String,
    _ description: AttributeDescription, _ property: String,
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
      ? CoreDataDate(seconds: limit.number).iso8601 ?? limit.numberText : limit.numberText
    let rule = "it must be \(limit.comparison.sign) \(bound)"
    try add(
      query(value, "NOT (\(value) \(limit.comparison.sign) ?1)"), [.real(limit.number)], property, rule,
      code: code, &findings)
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
    let rule = "its length must be \(limit.comparison.sign) \(limit.numberText)"
    try add(condition, property, rule, code: code, &findings, [.real(limit.number)])
  }

  /// NULL is equal to nothing: https://developer.apple.com/documentation/coredata/nsentitydescription/uniquenessconstraints
  func runConstraints(_ findings: inout FindingCollector) throws {
    let inherited = entity.parent.flatMap { store.schema[$0]?.description?.uniquenessConstraints } ?? []
    for constraint in entity.description?.uniquenessConstraints ?? [] where !inherited.contains(constraint) {
      let names = constraint.compactMap(column)
      guard !names.isEmpty, names.count == constraint.count else { continue }
      let list = names.map(quotedIdentifier).joined(separator: ", ")
      let present = names.map { "\(quotedIdentifier($0)) IS NOT NULL" }.joined(separator: " AND ")
      let condition = """
        (\(list)) IN (SELECT \(list) FROM main.\(quotedIdentifier(entity.table))
        WHERE Z_ENT IN (\(family)) AND \(present) GROUP BY \(list) HAVING COUNT(*) > 1)
        """
      try add(
        stored(quotedIdentifier(names[0]), condition), [], constraint.joined(separator: ", "),
        "it must be unique",
        code: 133_021, &findings)
    }
  }

  /// Of an attribute, or of a to-one relationship.
  private func column(of property: String) -> String? {
    if let attribute = entity.attributes.flatMap(\.leaves).first(where: { $0.path == property }) {
      return attribute.column
    }
    guard case .toOne(let column, _, _)? = entity.relationships.first(where: { $0.name == property })?.storage
    else { return nil }
    return column
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

  /// The value as it is stored, cut.
  private static func shown(_ column: String) -> String {
    """
    CASE typeof(\(column)) WHEN 'blob' THEN LENGTH(\(column)) || ' bytes' ELSE SUBSTR(CAST(\(column) AS TEXT), 1, 40) END
    """
  }

  /// A query over the view.
  private func viewed(_ shown: String, _ condition: String) -> String {
    "SELECT uri, entity, pk, \(Self.shown(shown)) FROM \(view) WHERE \(condition) ORDER BY pk"
  }

  private func add(
    _ condition: String, _ property: String, _ rule: String, code: Int, _ findings: inout FindingCollector,
    _ values: [SQLiteValue] = []
  ) throws {
    try add(viewed("NULL", condition), values, property, rule, code: code, &findings)
  }

  private func add(
    _ query: String, _ values: [SQLiteValue], _ property: String, _ rule: String, code: Int?,
    _ findings: inout FindingCollector
  ) throws {
    try store.connection.forEachRow(query, values) { row in
      let (uri, name, key) = (row.text(0), row.text(1), row.integer(2))
      findings.add(
        object: uri, subject: "\(property) \(code.map(String.init) ?? "type")",
        [
          "entity": .text(name), "pk": .integer(key), "property": .text(property),
          "value": .optional(row.optionalText(3)), "rule": .text(rule), "code": .optional(code),
          "how": .text(code.map { " (error \($0))" } ?? ""),
        ])
    }
  }
}
