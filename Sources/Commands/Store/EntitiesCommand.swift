import Base
import Lens
import Rendering
import StoreModel

extension Command {
  package static let entities = Command(
    "entities", summary: "the model: entities with their properties, tables and columns",
    arguments: [
      .init(
        "ENTITY", kind: .entity, isOptional: true, isRepeatable: true,
        help: "show the properties of these; omit it to list all entities")
    ],
    options: [
      OptionDefinition(
        .diff, value: "MODEL", kind: .file,
        help:
          "list what this model, or that of another store, changes, and whether Core Data can migrate the store across it; STORE may be a model, too"
      )
    ],
    discussion: """
      mermaid, dot and svg draw the entities with their relationships, the first two also with their
      attributes. With --diff, the store's own model is compared with another one or with an app's, by
      Apple's rules for lightweight migration, and each difference that such a migration can't
      handle alone is listed with its remedy; 'preflight --model' also looks at the rows. Fetch indexes aren't
      compared: they need no migration.

      Examples:
        storescope entities App.store
        storescope entities App.store Person --json
        storescope entities App.store --diff New.xcdatamodeld
        storescope entities Old.momd --diff New.momd
        storescope entities App.store --format mermaid > model.mmd
        storescope entities App.store --format svg > model.svg
      """,
    formats: Format.common + [.mermaid, .dot, .svg],
    documents: [
      DocumentForm(
        "without --diff", payload: "entities",
        [.init("entities", .list(EntityDocument.shape), "the entities")]),
      DocumentForm("with --diff", store: .ifAny, payload: "changes", ModelDiff.fields.keys()),
    ]
  ) { invocation in
    if let path = invocation.arguments[.diff] {
      if let format = invocation.arguments[.format],
        [Format.mermaid, .dot, .svg].map(\.rawValue).contains(format)
      {
        throw UsageError.conflict("'--diff' lists differences, which '--format \(format)' can't draw.")
      }
      let (old, new) = try invocation.comparedModels(path)
      let diff = try ModelDiff(old, new, invocation.arguments.positionals)
      return Outcome(diff.document(try invocation.session?.identity()).worded(invocation.wording))
    }
    let session = try invocation.store()
    let store = try session.open().store
    let chosen = try invocation.arguments.positionals.map(store.entity(named:))
    let entities = chosen.isEmpty ? store.schema.entities : chosen
    let rows = try store.rowCounts { invocation.progress.phase("counting \($0)") }
    let reports = try entities.map { entity in
      let gone = GoneKeys(of: entity, in: store, rows: rows)
      // Which they are takes a pass over the table.
      let ranges =
        try chosen.isEmpty
        ? nil : gone?.ranges(in: store, limit: invocation.isVerbose ? .max : EntityDocument.mostRanges)
      return EntityDocument(
        entity: entity, schema: store.schema, rows: rows[entity.number] ?? 0, gone: gone?.count,
        ranges: ranges)
    }
    var document = Document(
      command: "entities", store: try session.identity(),
      fields: [.init("entities", .array(reports.map(\.value)))], payload: "entities",
      blocks: chosen.isEmpty ? [.table(list(reports, rows)), .text(hint)] : reports.flatMap(\.blocks))
    document.special = ModelDiagram(store, chosen, rows: rows).special
    return Outcome(document)
  }
}

extension Command {
  private static var hint: String {
    "'entities NAME' shows an entity's properties and its keys that are gone: \(EntityDocument.meaningOfGone)."
  }

  /// All of them, one line each.
  private static func list(_ reports: [EntityDocument], _ rows: [Int64: Int]) -> RowStream {
    // Most models have no sub-entities.
    let hasTotals = reports.contains { report in
      report.entity.parent.flatMap { report.schema[$0] } != nil
    }
    return RowStream(
      columns: [
        .init("name"), .init("rows", isNumber: true), .init("total", isNumber: true),
        .init("gone", isNumber: true), .init("attributes", isNumber: true),
        .init("relationships", isNumber: true), .init("parent"), .init("table"),
        .init("number", isNumber: true),
      ].filter { hasTotals || $0.name != "total" },
      rows: reports.map { report -> [DataValue] in
        let entity = report.entity
        let family = report.schema.descendants(of: entity)
        let total = family.reduce(0) { $0 + (rows[$1.number] ?? 0) }
        var cells: [DataValue] = [.text(entity.name), .text(Sentence.number(report.rows))]
        if hasTotals { cells.append(family.count > 1 ? .text(Sentence.number(total)) : .null) }
        let gone = report.gone.flatMap { $0 > 0 ? $0 : nil }
        let parent = entity.parent.flatMap { report.schema[$0]?.name }
        return cells + [
          .optional(gone), .count(entity.attributes.count), .count(entity.relationships.count),
          .optional(parent), .text(entity.table), .integer(entity.number),
        ]
      }, emptyText: "(no entities)"
    ).leavingOut("number", "table", "relationships", "attributes", "gone").counting("entity", "entities")
  }
}

/// What `entities` says of one entity.
struct EntityDocument: HasFields {
  let entity: SchemaEntity
  let schema: StoreSchema
  let rows: Int
  /// Keys that were assigned and that no row has, of a root's whole hierarchy; nil for sub-entities.
  let gone: Int64?
  /// Which keys these are; nil if they weren't looked up.
  let ranges: GoneKeys.Ranges?

  /// An insertion that is rolled back uses its key up, too.
  static let meaningOfGone = "keys without a row, of objects that were deleted or never saved"
  static let mostRanges = 10

  static let fields: [Field<Self>] = Field.list(
    EntityRow.fields.of { EntityRow($0.entity, in: $0.schema, rows: $0.rows) },
    [
      Field("abstract", "it has no objects of its own", if: "it is abstract") {
        $0.entity.isAbstract ? Optional(true) : nil
      },
      Field("nameInStore", "its name in the store, older than the model's", if: "it differs") {
        $0.entity.staleName
      },
      Field("keysGone", "keys without a row; null for sub-entities") { $0.gone },
      Field(
        "keysGoneRanges", .list(.object(rangeFields.keys())), "which keys these are", if: wasAsked
      ) { $0.ranges?.first.map(rangeFields.object) },
      Field("keysGoneRangesComplete", "whether that is all of them", if: wasAsked) { $0.ranges?.isWhole },
      Field("properties", "its attributes and relationships") { $0.properties },
    ])
  private static let wasAsked = "the entity was asked for"

  private static let rangeFields: [Field<ClosedRange<Int64>>] = [
    Field("first", "the first") { $0.lowerBound }, Field("last", "the last") { $0.upperBound },
  ]

  var blocks: [Document.Block] {
    var title =
      "\(entity.name) (number \(entity.number), table \(entity.table), \(Sentence.count(rows, "row"))"
    if let parent = entity.parent.flatMap({ schema[$0]?.name }) { title += ", parent \(parent)" }
    if entity.isAbstract { title += ", abstract" }
    let shown: [DataValue] = properties.map { property in
      [
        "property": .text(property.name), "type": .text(property.type), "column": .optional(property.column),
        "": .text(flags(of: property)),
      ]
    }
    return [
      .heading(title + ")"),
      .table(RowStream(objects: shown, emptyText: "(no properties)").withSentences().leavingOut("column")),
    ] + goneKeys
  }

  private var goneKeys: [Document.Block] {
    guard let gone, let ranges, !ranges.first.isEmpty else { return [] }
    let listed = ranges.first.map {
      $0.lowerBound == $0.upperBound ? "p\($0.lowerBound)" : "p\($0.lowerBound) to p\($0.upperBound)"
    }.joined(separator: ", ")
    return [
      .text(
        """
        \(Sentence.count(Int(gone), "key is", "keys are")) gone (of objects that were deleted or never saved): \
        \(listed)\(ranges.isWhole ? "" : ", … (--verbose lists all)").
        """)
    ]
  }

  private var properties: [PropertyRow] { PropertyRow.all(of: entity) }

  private func flags(of property: PropertyRow) -> String {
    let words: [(Bool, String)] = [
      (property.isToMany, "to-many"), (property.isOptional, "optional"), (property.isTransient, "transient"),
      (property.isDerived, "derived"), (property.isOrdered, "ordered"), (property.isInherited, "inherited"),
      (property.isStoredExternally, "external storage"),
      (property.inverse != nil, "inverse \(property.inverse ?? "")"),
    ]
    return words.filter(\.0).map(\.1).joined(separator: ", ")
  }
}
