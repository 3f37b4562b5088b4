import Diagnostics
import Lens
package import Rendering
package import Values

extension Report {
  /// The report for machines, for an issue, and as a page for a browser.
  package func document() -> Document {
    Document(command: "report", store: store.identity, Self.fields, of: self, head: head, blocks: blocks)
  }

  // MARK: - JSON

  package static let fields: [Field<Self>] = Field.list(
    [
      Field("report", .object(aboutFields.keys()), "about the report itself") { aboutFields.object(of: $0) },
      Field("health", .object(healthFields.keys()), "the answer") { healthFields.object(of: $0.conclusion) },
      Field("headline", "the same in one sentence") { $0.headline },
      Field("verdict", "the state of sync") { $0.verdict },
    ], Diagnosis.fields.of { $0.diagnosis },
    [
      Field("entities", "the entities") { $0.entities },
      Field("relationships", "pairs of inverse relationships") { $0.relationships },
      Field(
        "history", .object(HistoryFacts.fields.keys()).orNull, "persistent history; null if it can't be read"
      ) { $0.historyProblem == nil ? HistoryFacts.fields.object(of: $0.history) : DataValue.null },
      Field(
        "mirror",
        .either([
          .object([.init("present", .bool, "false: the store isn't mirrored")]),
          .object(MirrorFacts.mirrorFields.keys()),
        ]), "the CloudKit mirror"
      ) { $0.mirror.map(MirrorFacts.mirrorFields.object) ?? ["present": false] as DataValue },
      part("events", .object(MirrorFacts.eventFields.keys()), "setups, imports and exports") {
        MirrorFacts.eventFields.object(of: $0)
      },
      part("pending", .object(MirrorFacts.pendingFields.keys()), "pending changes") {
        MirrorFacts.pendingFields.object(of: $0)
      },
      part("records", .object(MirrorFacts.recordFields.keys()), "CloudKit records") {
        MirrorFacts.recordFields.object(of: $0)
      },
      part("databases", .list(.object(MirrorFacts.databaseFields.keys())), "CloudKit databases") {
        .array($0.databases.map(MirrorFacts.databaseFields.object))
      },
      part("zones", .list(.object(MirrorFacts.zoneFields.keys())), "record zones") {
        .array($0.zones.map(MirrorFacts.zoneFields.object))
      },
      Field(
        "sizes", .object(StoreSize.reportFields.keys()).orNull,
        "the parts of the main file; null if they can't be measured"
      ) { $0.sizes.isMeasured ? StoreSize.reportFields.object(of: $0.sizes) : DataValue.null },
      Field("files", "the store's files") { $0.store },
    ])

  /// What only a mirrored store has.
  private static func part(
    _ name: String, _ shape: Shape, _ meaning: String, _ value: @escaping @Sendable (MirrorFacts) -> DataValue
  ) -> Field<Self> {
    Field(name, shape.orNull, "\(meaning); null if the store isn't mirrored") { $0.mirror.map(value) }
  }

  private static let aboutFields: [Field<Self>] = Field.list(
    Origin.fields({ $0.origin }, contains: { ReportNotice.contains($0.origin) }),
    [Field("omissions", "what couldn't be read, one sentence each") { $0.omissions }])

  private static let healthFields: [Field<Conclusion>] = [
    Field("state", .words(Health.self), "how the store is doing") { $0.health.rawValue },
    Field("word", "the same for people") { $0.word },
    Field("news", "the most important news, in a sentence") { $0.news },
    Field("fix", "how to fix it") { $0.fix },
    Field("unsent", "what exists only on this device, if the news isn't about it") { $0.unsent },
  ]

  private var relationships: [String] {
    graph.edges.compactMap { edge in
      guard case .relationship = edge.kind else { return nil }
      return edge.label
    }
  }
}
