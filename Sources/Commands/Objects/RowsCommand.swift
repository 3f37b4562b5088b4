import Base
import Lens
import Rendering
import StoreModel

extension Command {
  package static let rows = Command(
    "rows", summary: "the objects of an entity, decoded, with the model's names",
    arguments: [
      .init("ENTITY", kind: .entity, help: "the entity's name; its sub-entities' objects are shown too")
    ],
    options: [
      OptionDefinition(.exact, help: "exclude sub-entities"),
      OptionDefinition(
        .where, value: "SQL", kind: .condition,
        help: "only rows matching this SQL condition; columns are property names"),
    ] + CommonOptions.predicate + [
      CommonOptions.timeout,
      OptionDefinition(
        .expand, help: "add all to-many relationships as lists of URIs; --columns adds single ones"),
      OptionDefinition(
        .sort, value: "PROPERTIES", kind: .properties,
        help: "sort by PROPERTY,… (-PROPERTY: descending; rows without a value come last)"),
      OptionDefinition(.reverse, help: "reverse the order (by primary key, or by --sort)"),
      CommonOptions.offset,
    ],
    discussion: """
      --predicate is what your code passes to NSPredicate. In --where, which is SQL, dates compare by time: '2026-03-20',
      '2026-03-20 12:00', datetime('now', '-1 day'). Booleans are 0 and 1, and a to-one relationship is the target's
      primary key: trip = pk('Trip/p1').
      A dot leads to a property of the related object: trip.title. It also leads into composites and decoded values:
      weather.condition. In --columns, * is all columns.
      Tables show the entity's own properties; the other formats also include those of its sub-entities.

      Examples:
        storescope rows App.store Entry --predicate "ANY tags.name ==[c] 'temple'"
        storescope rows App.store Person --where "name LIKE 'A%'"
        storescope rows App.store Person --sort -birthday --columns name,birthday
        storescope rows App.store Person --format csv > people.csv
      """,
    documents: [
      DocumentForm(payload: "rows", [.init("rows", .list(ObjectRows.shape), "the objects, by primary key")])
    ]
  ) { invocation in
    let session = try invocation.store()
    if let word = invocation.argument(0), ObjectNumbers.isObject(word) {
      throw UsageError.conflict("'\(word)' is an object; 'storescope show STORE \(word)' prints it.")
    }
    let condition = try ObjectCondition(invocation)
    let store = try condition.store()
    let name = invocation.argument(0) ?? ""
    let entity = try store.entity(named: name)
    try store.requireTable(of: entity)
    for lack in store.discrepancies where lack.kind == .missingColumn && lack.table == entity.table {
      invocation.note("\(Sentence.begun(lack.description)).")
    }
    let chosen = try ChosenColumns(invocation.arguments, of: entity, in: store)
    var options = ObjectRows.Options()
    options.includesSubentities = !invocation.arguments.has(.exact)
    options.toMany = invocation.arguments.has(.expand) ? .all : chosen.toMany
    options.parts = chosen.parts
    options.isReversed = invocation.arguments.has(.reverse)
    options.order = ObjectRows.Order.parse(
      invocation.arguments.all(.sort).joined(separator: ",")
    ) { name in entity.attributes.contains { $0.name == name } }
    options.asked = Set(options.order.map { $0.property.lowercased() })
    try condition.apply(to: &options, of: entity, in: store)
    let all = try ObjectRows(entity, in: store, options: options)
    options.includesSubentityProperties = false
    options.hasShortIdentity = true
    let own = try ObjectRows(entity, in: store, options: options)
    func stream(of rows: ObjectRows) -> RowStream {
      RowStream(rows, readers: session.readers, progress: invocation.progress).counting("row").showingNull()
    }
    return Outcome(
      Document(
        command: "rows", store: try session.identity(),
        fields: [
          .init("rows", rows: stream(of: all))
        ],
        payload: "rows",
        blocks: [
          .heading(entity.name),
          .table(stream(of: own)),
        ]))
  }
}

extension RowStream {
  /// Objects, read while they are printed.
  init(_ rows: ObjectRows, readers: @escaping () throws -> [CoreDataStore], progress: Progress) {
    self.init(
      columns: rows.columns.map {
        var column = Column($0.name, isNumber: $0.isNumber, rank: $0.rank)
        column.isObjects = $0.isToMany
        column.isName = $0.isTitle
        column.isAsked = $0.isAsked
        return column
      },
      emptyText: "(no objects)",
      count: rows.count
    ) { sink in
      try ObjectCondition.explained { try rows.produce(into: sink) { progress.step("reading rows") } }
    }
    impossibleDates = { limit in try ObjectCondition.explained { try rows.impossibleDates(limit: limit) } }
    prepare = { try ObjectCondition.explained(rows.start) }
    parts = { try rows.parts(readers: readers) { progress.phase("reading rows") } }
  }
}

/// What `--columns` names of an entity: properties, parts of them, or what can only be asked otherwise.
struct ChosenColumns {
  let toMany: ObjectRows.ToMany
  /// What isn't a property: a composite's part, a member of a decoded value, or what a to-one relationship leads to.
  let parts: [String]

  /// - Throws: `StoreScopeError` for the name of a composite's part without the composite.
  init(_ arguments: ParsedArguments, of entity: SchemaEntity, in store: CoreDataStore) throws {
    let typed = try arguments.columns() ?? []
    let members = store.schema.descendants(of: entity)
    let names = members.flatMap { $0.attributes.map(\.name) + $0.relationships.map(\.name) }
    let known = names + ViewNames.identity + ViewNames.identity.map(ViewNames.key) + ["object", "*"]
    toMany = typed.contains("*") ? .all : .named(Set(typed))
    parts = typed.filter { Suggestion.spelled($0, in: known) == nil }
    let leaves = members.flatMap(\.attributes).flatMap(\.leaves).filter { $0.column != nil }.map(\.path)
    for part in parts
    where Suggestion.spelled(part, in: leaves) == nil && !ObjectRows.hasColumn(part, of: members, in: store) {
      guard let leaf = PropertyName.meant(by: part, among: leaves) else { continue }
      throw StoreScopeError(
        .notFound, "\(entity.name) has no column '\(part)'.\(Suggestion.question(leaf))", about: part)
    }
  }
}
