import Diagnostics
import Lens
import Rendering
import StoreModel
import Values

extension Command {
  package static let trace = Command(
    "trace", summary: "one object's story: changes, record, exports, what is pending now",
    arguments: [
      .init(
        "OBJECT", kind: .object,
        help: "a URI, Entity/pN, a record name, a title, or an entity and 'attribute=value'"),
      .init(
        "VALUE", kind: .attributeValue, isOptional: true,
        help: "attribute=value, or a primary key, where OBJECT is an entity's name"),
    ],
    discussion: """
      Exports that ran after a change are told as what may have sent it: the store doesn't keep which objects an
      export sent.

      Examples:
        storescope trace App.store Person/p12
        storescope trace App.store 5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10
        storescope trace App.store Person name=Ann
      """
  ) { invocation in
    let session = try invocation.store()
    let open = try session.open()
    let store = open.store
    let mirror = try open.mirror()
    let reader = try TraceReader(open)
    let object = try ObjectSearch(invocation).find(invocation.arguments.positionals)
    let steps = try reader.steps(of: object)
    let columns = ["at", "kind", "text"]
    let name = "\(store.schema[object.entity]?.name ?? "entity \(object.entity)")/p\(object.primaryKey)"
    guard try reader.knows(object, from: steps) else {
      throw StoreScopeError(
        .notFound, store.path, "has no object \(name), and neither history nor the mirror has a trace of one",
        advice: "'storescope rows' lists those there are")
    }
    let exists = try reader.exists(object)
    let standing =
      switch exists {
      case true?: "The object exists."
      case false?: "The object doesn't exist any more."
      case nil: "Its table has no Z_PK, so whether the object exists can't be told."
      }
    return Outcome(
      Document(
        command: "trace", store: try session.identity(),
        fields: [
          .init("object", .text(name)), .init("exists", .optional(exists)),
          .init("mirrored", .bool(mirror != nil)), .init("steps", .array(steps.map(\.value))),
        ], payload: "steps",
        blocks: [
          .heading(name), .text(mirror == nil ? "\(standing) This store is not mirrored." : standing),
          .table(
            RowStream(
              columns: columns.map { .init($0) },
              rows: steps.map { [.optional($0.at), .text($0.kind.rawValue), .text($0.text)] },
              emptyText: "(nothing is known of it)"
            ).withSentences()),
        ]))
  }
}
