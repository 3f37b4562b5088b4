package import Base
import SQLite
package import StoreModel

/// The objects of an entity as rows: `pk`, `uri`, `entity`, then one column per property, under the model's names.
///
/// Cells go straight from SQLite to the sink. A store keeps all entities of a hierarchy in one table, so a plan for
/// each entity says which of the table's columns a row of that entity has, and how to decode it.
package final class ObjectRows {
  /// What an object is in JSON.
  package static let shape = Shape.open(
    [
      .init("uri", .uri, "the object's URI"), .init("pk", .integer, "its primary key"),
      .init("entity", .text, "its entity"),
    ],
    "an object with its properties under the model's names: attributes, to-one relationships as URI or null, to-many ones as lists of URIs; a property called uri, pk or entity is 'property.NAME'"
  )

  package struct Options: Sendable {
    /// False for rows of exactly this entity.
    package var includesSubentities = true
    /// False to leave out what only sub-entities have: tables for people stay narrow.
    package var includesSubentityProperties = true
    /// Which to-many relationships there are, as lists of URIs.
    package var toMany = ToMany.none
    /// Parts of composites and of decoded values that have columns of their own, behind all others, and what to-one
    /// relationships lead to: `weather.condition`, `mapStyle.scheme`, `trip.title`. What is no such part has none.
    package var parts: [String] = []
    /// Properties that the question is about, in lower case: those that it sorts by or compares.
    package var asked: Set<String> = []
    /// SQL over the columns of the entity's view.
    package var condition: String?
    package var predicate: ObjectPredicate?
    package var isReversed = false
    /// What the rows are sorted by before their keys.
    package var order: [Order] = []
    package var primaryKey: Int64?
    /// Only rows whose keys are among these.
    package var primaryKeys: ClosedRange<Int64>?
    /// Only that part of all rows.
    var range: KeyRange?
    /// One column `object` instead of `uri`, `pk` and `entity`: people know an object by `Person/p12`. Its title comes
    /// next.
    package var hasShortIdentity = false
    /// Whether each to-one relationship is followed by a column with the target's key: other programs join by numbers.
    package var hasReferenceKeys = false

    package init() {}
  }

  package enum ToMany: Sendable {
    case none
    /// Those that no to-one relationship of the other side shows: kept in join tables, ordered, or without an
    /// inverse. Of one object that half the store belongs to, the other lists would not fit memory.
    case untold
    case named(Set<String>)
    case all

    func includes(_ relationship: SchemaRelationship) -> Bool {
      switch (self, relationship.storage) {
      case (.none, _), (_, .none), (_, .toOne): false
      case (.named(let names), _): Suggestion.spelled(relationship.name, in: names) != nil
      case (.all, _), (.untold, .join): true
      case (.untold, .toMany(_, _, _, let orderColumn, let isVirtual)): orderColumn != nil || isVirtual
      }
    }
  }

  /// Boxed, as it is looked at for each cell and copying its payload would cost more than reading the cell.
  private indirect enum Step {
    /// The row's entity has no such property.
    case skip
    case attribute(CellDecoder, column: Int)
    case composite([(leaf: SchemaAttribute, decoder: CellDecoder, column: Int)], SchemaAttribute)
    case toOne(RelationshipTarget, column: Int, entityColumn: Int?)
    case key(column: Int)
    case toMany(ToManyReader)
    case decoded(DecodedPath, CellDecoder, column: Int)
  }

  package let columns: [Column]
  let store: CoreDataStore
  let entity: SchemaEntity
  let options: Options
  /// In SQL.
  private let selected: [String]
  /// One entity after the other, as `indexByNumber` counts them.
  private let plans: [[Step]]
  private let names: [EntityNames.Names]
  private let indexByNumber: [Int64: Int]
  private let order: [RowOrder]
  /// The statement behind its first step, and whether that found a row.
  private var begun: (statement: Statement, hasRow: Bool)?

  package init(_ entity: SchemaEntity, in store: CoreDataStore, options: Options = Options()) throws {
    self.store = store
    self.entity = entity
    self.options = options
    let members = options.includesSubentities ? store.schema.descendants(of: entity) : [entity]
    let sources = options.includesSubentityProperties ? members : [entity]
    let names = Self.columns(of: sources, entity, options, in: store)
    // Each thread has a connection of its own.
    if options.predicate != nil { try PredicateFunctions.install(in: store.connection) }
    order = try options.order.map { try RowOrder($0, entity, among: members, in: store) }
    var selected = ["Z_PK", "Z_ENT"].map(quotedIdentifier)
    func place(_ sql: String) -> Int {
      if let index = selected.firstIndex(of: sql) { return index }
      selected.append(sql)
      return selected.count - 1
    }
    func index(of column: String) -> Int { place(quotedIdentifier(column)) }
    let entityNames = EntityNames(store)
    // One for each destination: with many sub-entities each holds as many numbers.
    var targets: [Int64: RelationshipTarget] = [:]
    func target(_ relationship: SchemaRelationship) -> RelationshipTarget {
      if let known = targets[relationship.destination] { return known }
      let target = RelationshipTarget(entity: relationship.destination, entityNames, in: store)
      targets[relationship.destination] = target
      return target
    }
    var plans: [[Step]] = []
    for member in members {
      var steps: [String: Step] = [:]
      for attribute in member.attributes {
        steps[attribute.name] = Self.step(for: attribute, in: store, index)
      }
      for part in options.parts {
        guard let name = Self.column(ofPart: part, of: [member], in: store)?.name else { continue }
        guard let path = RelatedPath(name, of: member, in: store) else {
          steps[name] = Self.step(forPart: name, of: member, in: store, index)
          continue
        }
        func related(_ column: String) -> Int { place(path.sql(column, from: member.table)) }
        switch path.end {
        case .attribute(let attribute): steps[name] = Self.step(for: attribute, in: store, related)
        case .member(let member):
          guard let column = member.attribute.column else { continue }
          let decoder = CellDecoder(member.attribute, files: store.externalFiles)
          steps[name] = .decoded(member, decoder, column: related(column))
        case .relationship(let relationship):
          guard case .toOne(let column, let entityColumn, _) = relationship.storage else { continue }
          steps[name] = .toOne(
            target(relationship), column: related(column), entityColumn: entityColumn.map(related))
        case .key: steps[name] = .key(column: related("Z_PK"))
        }
      }
      for relationship in member.relationships {
        switch relationship.storage {
        case .toOne(let column, let entityColumn, _):
          steps[relationship.name] = .toOne(
            target(relationship), column: index(of: column),
            entityColumn: entityColumn.map(index))
        case .toMany, .join:
          guard options.toMany.includes(relationship) else { continue }
          steps[relationship.name] = .toMany(try ToManyReader(relationship, target(relationship), in: store))
        case .none: break
        }
      }
      plans.append(
        names.map { name in
          guard let relationship = name.keyOf else { return steps[name.name] ?? .skip }
          guard case .toOne(_, let column, _)? = steps[relationship] else { return .skip }
          return .key(column: column)
        })
    }
    self.plans = plans
    self.selected = selected
    self.names = members.map { entityNames[$0.number] }
    indexByNumber = Dictionary(
      firstOf: members.enumerated().map { ($1.number, $0) })
    let identity =
      options.hasShortIdentity
      ? [Column(name: "object")]
      : [
        Column(name: "uri"), Column(name: "pk", isNumber: true),
        Column(name: "entity"),
      ]
    columns =
      identity
      + names.map { column in
        var column = column
        column.name = ViewNames.key(for: column.name)
        return column
      }
  }

  /// Takes the first row, so that what is refused only when the SQL runs is refused before anything is printed.
  package func start() throws { begun = try firstStep() }

  private func firstStep() throws -> (statement: Statement, hasRow: Bool) {
    let statement = try store.connection.prepare(
      "SELECT \(selected.joined(separator: ", ")) \(source) \(orderedBy)")
    return (statement, try statement.step())
  }

  private var orderedBy: String {
    let terms =
      order.map { $0.sql(isReversed: options.isReversed) } + ["Z_PK\(options.isReversed ? " DESC" : "")"]
    return "ORDER BY \(terms.joined(separator: ", "))"
  }

  /// The columns with dates that no calendar has, in the first so many rows.
  package func impossibleDates(limit: Int) throws -> Set<String> {
    let properties = columns.suffix(plans.first?.count ?? 0)
    let dates = plans.flatMap { plan in
      zip(properties, plan).compactMap { column, step -> (name: String, sql: String)? in
        guard case .attribute(let decoder, let place) = step, decoder.isDate else { return nil }
        return (column.name, selected[place])
      }
    }
    // Sub-entities inherit most of them.
    let known = Dictionary(grouping: dates, by: \.name).flatMap { name, dates in
      Set(dates.map(\.sql)).map { (name: name, sql: $0) }
    }
    return try store.connection.impossibleDates(
      in: known, limit == .max ? source : "\(source) \(orderedBy)", limit: limit)
  }

  /// Pushes the rows, by primary key.
  /// - Parameter isWanted: of keys; nil for all.
  package func produce(
    into sink: any RowSink, isWanted: ((Int64) -> Bool)? = nil, step: () -> Void
  ) throws {
    let (statement, hasRow) = try begun ?? firstStep()
    begun = nil
    var isFirst = true
    while try isFirst ? hasRow : statement.step() {
      isFirst = false
      step()
      guard let member = plans.count == 1 ? 0 : indexByNumber[statement.integer(1)],
        isWanted?(statement.integer(0)) ?? true
      else { continue }
      sink.beginRow()
      sink.objectURI(prefix: names[member].uriPrefix, primaryKey: statement.integer(0))
      if !options.hasShortIdentity {
        sink.integer(statement.integer(0))
        var name = names[member].name
        name.withUTF8 { sink.text(UnsafeRawBufferPointer($0)) }
      }
      // A loop over the elements would count references of each.
      let plan = plans[member]
      for index in plan.indices { try push(plan[index], statement, into: sink) }
      guard try sink.endRow() else { return }
    }
  }

  package func count() throws -> Int {
    try store.connection.first("SELECT COUNT(*) \(source)") { Int($0.integer(0)) } ?? 0
  }

  private var source: String {
    // An index on Z_ENT gives one entity's rows by primary key; for several it would need a sort of all rows,
    // which the plus sign keeps SQLite from: https://www.sqlite.org/optoverview.html#disqualifying_where_clause_terms_using_unary_
    let numbers = indexByNumber.keys.sorted().map(String.init)
    var terms = [
      numbers.count == 1 ? "Z_ENT = \(numbers[0])" : "+Z_ENT IN (\(numbers.joined(separator: ", ")))"
    ]
    if let primaryKey = options.primaryKey { terms.append("Z_PK = \(primaryKey)") }
    if let keys = options.primaryKeys {
      terms.append("Z_PK BETWEEN \(keys.lowerBound) AND \(keys.upperBound)")
    }
    if let range = options.range { terms.append(range.condition("Z_PK")) }
    if let predicate = options.predicate { terms.append(predicate.condition) }
    if let condition = options.condition {
      let view = ViewNames.view(for: entity.name, among: store.schema.entities.map(\.name))
      // On lines of its own, so that a comment at the condition's end comments nothing else out.
      terms.append("Z_PK IN (SELECT \"pk\" FROM temp.\(quotedIdentifier(view)) WHERE (\n\(condition)\n))")
    }
    return "FROM main.\(quotedIdentifier(entity.table)) WHERE \(terms.joined(separator: " AND "))"
  }

  private func push(_ step: Step, _ row: Statement, into sink: any RowSink) throws {
    switch step {
    case .skip: sink.skip()
    case .attribute(let decoder, let column): decoder.push(row.cell(column), into: sink)
    case .composite(let leaves, let attribute):
      let values = leaves.map { ($0.leaf.path, $0.decoder.value(row.cell($0.column))) }
      sink.value(CompositeValue.assemble(attribute, Dictionary(firstOf: values)))
    case .toOne(let target, let column, let entityColumn):
      guard let key = row.optionalInteger(column) else { return sink.null() }
      sink.objectURI(
        prefix: target.uriPrefix(entity: entityColumn.flatMap(row.optionalInteger)), primaryKey: key)
    case .key(let column):
      if let key = row.optionalInteger(column) { sink.integer(key) } else { sink.null() }
    case .decoded(let path, let decoder, let column):
      sink.value(path.value(in: decoder.value(row.cell(column))))
    case .toMany(let reader): sink.value(.array(try reader.uris(of: row.integer(0)).map(DataValue.text)))
    }
  }

  private static func step(
    for attribute: SchemaAttribute, in store: CoreDataStore, _ index: (String) -> Int
  ) -> Step {
    let leaves = attribute.leaves.compactMap { leaf in
      leaf.column.map {
        (leaf: leaf, decoder: CellDecoder(leaf, files: store.externalFiles), column: index($0))
      }
    }
    guard attribute.description.type == .composite else {
      return leaves.first.map { .attribute($0.decoder, column: $0.column) } ?? .skip
    }
    if attribute.description.isEnumeration, let leaf = leaves.first {
      return .attribute(leaf.decoder, column: leaf.column)
    }
    return leaves.isEmpty ? .skip : .composite(leaves, attribute)
  }

  private static func step(
    forPart name: String, of entity: SchemaEntity, in store: CoreDataStore, _ index: (String) -> Int
  ) -> Step {
    let path = DecodedPath(name, of: [entity])
    let leaf = entity.attributes.flatMap(\.leaves).first { $0.path == path?.attribute.path ?? name }
    guard let leaf, let column = leaf.column else { return .skip }
    let decoder = CellDecoder(leaf, files: store.externalFiles)
    return path.map { .decoded($0, decoder, column: index(column)) }
      ?? .attribute(decoder, column: index(column))
  }
}
