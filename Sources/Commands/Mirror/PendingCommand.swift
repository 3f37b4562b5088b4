import Diagnostics
import Lens
import Rendering
import Reports
import StoreModel
import Values

extension Command {
  static let pending = Command(
    "pending", summary: "changes that aren't in CloudKit yet: since when, why, and the fix",
    options: [
      OptionDefinition(.all, help: "list everything, not just some examples per reason"),
      OptionDefinition(.noCauses, help: "don't look up the transactions behind it (faster)"),
      CommonOptions.chart,
    ],
    discussion: """
      The text output shows some examples per reason, or --limit N of them. Objects not processed yet were saved after
      the exporter last looked at history. Rows without a record belong to mirrored entities but have no CloudKit
      record. The verdict is 'Unknown' if the store doesn't show it. Even if nothing is pending here, other devices may
      not have everything.

      Examples:
        storescope pending App.store
        storescope pending App.store --json
      """
  ) { invocation in
    let session = try invocation.store()
    invocation.progress.phase("reading the mirror")
    let mirror = try session.open().mirror()
    let reader = try mirror.map {
      try PendingReader($0, tracesCauses: !invocation.arguments.has(.noCauses))
    }
    let counts = reader?.counts ?? [:]
    let verdict = try VerdictReader.verdict(mirror, counts: counts)
    let full = RowStream(names: PendingItem.columns, count: { counts.total }) { sink in
      try reader?.forEach { item in
        invocation.progress.step("listing pending changes")
        sink.beginRow()
        for value in item.values { sink.value(value) }
        return try sink.endRow()
      }
    }
    let blocks = try PendingText(
      verdict: verdict, reader: reader, mirror: mirror, progress: invocation.progress,
      isListed: invocation.arguments.has(.all), isDrawn: invocation.arguments.has(.chart),
      limit: try invocation.limit()
    ).blocks()
    return Outcome(
      Document(
        command: "pending", store: try session.identity(),
        fields: [
          .init("verdict", verdict.value), .init("counts", counts.value), .init("pending", rows: full),
        ],
        payload: "pending", blocks: blocks))
  }
}

/// What people read: the verdict, why, what to do, and what is pending by reason.
private struct PendingText {
  let verdict: Verdict
  let reader: PendingReader?
  let mirror: Mirror?
  let progress: Progress
  let isListed: Bool
  let isDrawn: Bool
  /// Examples of each reason; nil for some.
  let limit: Int?

  func blocks() throws -> [Document.Block] {
    let headline = verdict.rest(namesError: true)
    var blocks: [Document.Block] = [
      .state(word: verdict.word, rest: { _ in headline + "." }, verdict.color)
    ]
    guard let mirror, let reader else { return blocks }
    blocks += try verdict.story(mirror).map(Document.Block.text)
    let others = verdict.obstacles.dropFirst().map(\.sentence)
    blocks += others.map(Document.Block.text)
    if let fix = verdict.obstacles.first?.fix { blocks.append(.text("Fix: \(fix)")) }
    if reader.counts.total > 0 { blocks += [.text(""), .text(reader.counts.sentence)] }
    if isDrawn, reader.counts.total > 0 {
      blocks += [.text("")] + PendingAges.blocks(of: reader, mirror, progress)
    } else if isListed {
      blocks += [.text(""), .table(list(reader))]
    } else if reader.counts.total > 0 {
      blocks += [.text(""), .groups { try groups(reader, mirror.store) }]
    }
    if !verdict.remarks.isEmpty { blocks += [.text(""), .text(verdict.remarks.joined(separator: "\n"))] }
    if !isListed, !isDrawn, reader.counts.total > 0 {
      blocks += [
        .text(""), .text("'pending --all' lists everything; 'trace OBJECT' shows one object's timeline."),
      ]
    }
    return blocks
  }

  private func groups(_ reader: PendingReader, _ store: CoreDataStore) throws -> [Document.Group] {
    var groups = PendingGroups(examples: limit)
    try reader.forEach { item in
      progress.step("listing pending changes")
      groups.add(item)
      return true
    }
    return try groups.groups(store)
  }

  private func list(_ reader: PendingReader) -> RowStream {
    let titles = mirror.map { ObjectTitles($0.store) }
    let columns = ["object", "title", "kind", "since", "author", "reason"]
    return RowStream(names: columns, emptyText: "(nothing is pending)", count: { reader.counts.total }) {
      sink in
      try reader.forEach { item in
        progress.step("listing pending changes")
        var title: String?
        if let entity = item.entity.flatMap({ mirror?.store.schema[$0] }), let primaryKey = item.primaryKey {
          title = try titles?.title(of: ObjectKey(entity: entity.number, primaryKey: primaryKey))
        }
        sink.beginRow()
        sink.value(.text(item.objectText))
        sink.value(.optional(title))
        sink.value(.text(item.kind.rawValue))
        sink.value(.optional(item.since))
        sink.value(.optional(item.author ?? (item.since == nil ? nil : "(none)")))
        sink.value(.text(PendingGroups.reason(of: item)))
        return try sink.endRow()
      }
    }.withSentences().toTheMinute().leavingOut("kind", "author", "title")
  }
}

extension PendingAges {
  fileprivate static func blocks(of reader: PendingReader, _ mirror: Mirror, _ progress: Progress)
    -> [Document.Block]
  {
    let counts = reader.counts
    let kinds = BarChart(
      title: "By kind",
      bars: PendingItem.Kind.allCases.map { .init($0.rawValue, counts[$0, default: 0]) }.filter {
        $0.count > 0
      })
    return [
      .chart { .bars(kinds) }, .text(""),
      .chart {
        var ages = try PendingAges(mirror)
        try reader.forEach { item in
          progress.step("listing pending changes")
          ages.add(item)
          return true
        }
        return .bars(ages.chart)
      },
    ]
  }
}
