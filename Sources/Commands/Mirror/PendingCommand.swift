import Base
import Diagnostics
import Evidence
import Lens
import Rendering
import Reports
import StoreModel

extension Command {
  static let pending = Command(
    "pending", summary: "changes that aren't in CloudKit yet: since when, why, and the fix",
    options: [
      OptionDefinition(.all, help: "list everything, not just some examples per reason"),
      OptionDefinition(
        .entity, value: "NAME", kind: .entity, help: "only changes of this entity and its sub-entities"),
      CommonOptions.objectInMirror,
      OptionDefinition(
        .kind, value: "KIND", kind: .choice, choices: PendingItem.Kind.allCases.map(\.rawValue),
        isRepeatable: true, help: "only changes of this kind"),
      OptionDefinition(
        .author, value: "NAME", kind: .author, isRepeatable: true,
        help: "only changes in which this author had a part"),
      OptionDefinition(.noAuthor, help: "only changes in which a save without an author had a part"),
      OptionDefinition(.noCauses, help: "don't look up which transactions caused them (faster)"),
      CommonOptions.chart,
    ],
    discussion: """
      The text output shows some examples per reason, or --limit N of them. Objects not processed yet (unanalyzed) were saved after
      the exporter last looked at history. Rows without a record (unregistered) belong to mirrored entities but have no CloudKit
      record. The verdict is 'Unknown' if the store doesn't show whether changes will be
      exported. Even if nothing is pending here, other devices may not have everything. The verdict is always about the whole store.

      Examples:
        storescope pending App.store
        storescope pending App.store --entity Person --kind upload
        storescope pending App.store --json
      """,
    documents: [DocumentForm(payload: "pending", PendingDocument.fields.keys())]
  ) { invocation in
    let session = try invocation.store()
    invocation.progress.phase("reading the mirror")
    let cautions = try FileCautions(session.open().bytes())
    let mirror = try session.open().mirror()
    let selection = try PendingSelection(invocation, session.open().store)
    let tracesCauses = !invocation.arguments.has(.noCauses)
    let whole = try mirror.map {
      try PendingReader($0, tracesCauses: tracesCauses && selection.isEmpty)
    }
    let verdict = try VerdictReader.verdict(mirror, counts: whole?.counts ?? [:])
    let reader =
      selection.isEmpty
      ? whole
      : try mirror.map {
        try PendingReader(
          $0, tracesCauses: tracesCauses, of: selection.object, filter: selection.filter)
      }
    let counts = reader?.counts ?? [:]
    let names = try session.open().shownNames()
    let asksWho = selection.filter.asksWho
    let columns = PendingItem.fields + (asksWho ? PendingItem.laterFields : [])
    let full = RowStream(columns, count: { counts.total }) { sink in
      try reader?.forEach { item in
        invocation.progress.step("listing pending changes")
        return try sink.push(names.map(item.masked) ?? item, columns)
      }
    }
    let blocks = try PendingText(
      verdict: verdict, reader: reader, mirror: mirror, titles: ShownTitles(session.open()),
      progress: invocation.progress,
      isListed: invocation.arguments.has(.all), isDrawn: invocation.arguments.has(.chart),
      limit: try invocation.limit(),
      sentence: counts.sentence(
        of: selection.isEmpty ? nil : whole?.counts.total, repeated: reader?.repeated ?? 0, selection.words),
      wording: invocation.wording,
      cautions: cautions
    ).blocks()
    let document = PendingDocument(
      verdict: verdict, counts: counts, cautions: cautions,
      unfiltered: selection.isEmpty ? nil : whole?.counts.total ?? 0)
    return Outcome(
      Document(
        command: "pending", store: try session.identity(), payload: "pending", PendingDocument.fields,
        of: document, rows: full, blocks: blocks
      ).worded(invocation.wording))
  }
}

/// What `pending` prints in addition to what is pending.
struct PendingDocument {
  let verdict: Verdict
  let counts: [PendingItem.Kind: Int]
  let cautions: FileCautions
  /// Nil without filters.
  var unfiltered: Int?

  static let fields: [Field<Self>] = [
    Field("verdict", "the state of sync, always of the whole store") { $0.verdict },
    Field("counts", [PendingItem.Kind: Int].shape, "pending changes by kind") { $0.counts.value },
    Field("total", "all of them") { $0.counts.total },
    FileCautions.field.of { $0.cautions },
    Field("totalUnfiltered", "how many there are without the filters", if: "a filter is given") {
      $0.unfiltered
    },
    Field("pending", rows: .object((PendingItem.fields + PendingItem.laterFields).keys()), "the changes"),
  ]
}

/// What the filters ask for.
private struct PendingSelection {
  private(set) var filter = PendingFilter()
  private(set) var object: ObjectScope?
  /// The filters as they were typed.
  private(set) var words: [String] = []

  var isEmpty: Bool { filter.isEmpty && object == nil }

  init(_ invocation: Invocation, _ store: CoreDataStore) throws {
    let arguments = invocation.arguments
    for option in [OptionName.entity, .object, .kind, .author] {
      words += arguments.all(option).map { "--\(option.rawValue) \(ShellQuotes.word($0))" }
    }
    filter.kinds = Set(arguments.all(.kind).compactMap(PendingItem.Kind.init(rawValue:)))
    filter.hasNoAuthor = try HistoryArguments.hasNoAuthor(arguments)
    if filter.hasNoAuthor { words.append("--\(OptionName.noAuthor.rawValue)") }
    if arguments.has(.noCauses), filter.hasNoAuthor || arguments.has(.author) {
      throw UsageError.conflict("'--no-causes' leaves authors unknown; leave it out to select by author.")
    }
    if arguments.has(.author), let history = try HistoryReader(store) {
      filter.authors = Set(
        try arguments.all(.author).map { try HistoryArguments.known(.author, $0, history, in: store) })
    } else {
      filter.authors = Set(arguments.all(.author))
    }
    let entity = try arguments[.entity].map(store.entity)
    if let entity { filter.entities = Set(store.schema.descendants(of: entity).map(\.name)) }
    object = try arguments[.object].map { try ObjectSearch(invocation).scope($0, within: entity) }
  }
}

/// What people read: the verdict, why, what to do, and what is pending by reason.
private struct PendingText {
  let verdict: Verdict
  let reader: PendingReader?
  let mirror: Mirror?
  let titles: ShownTitles
  let progress: Progress
  let isListed: Bool
  let isDrawn: Bool
  /// Examples of each reason; nil for some.
  let limit: Int?
  /// How much there is of what.
  let sentence: String
  let wording: CommandWording
  let cautions: FileCautions

  func blocks() throws -> [Document.Block] {
    let headline = verdict.rest(namesError: true)
    var blocks = cautions.damageBlocks
    blocks.append(.state(word: verdict.word, rest: { _ in headline + "." }, verdict.color))
    guard let mirror, let reader else { return blocks }
    blocks += try verdict.story(mirror).map(Document.Block.text)
    let others = verdict.obstacles.dropFirst().map(\.sentence)
    blocks += others.map(Document.Block.text)
    if let fix = verdict.obstacles.first?.fix { blocks.append(.text("Fix: \(wording.worded(fix))")) }
    // What is pending, or isn't, may be in it.
    blocks += cautions.walBlocks
    if !sentence.isEmpty { blocks += [.text(""), .text(sentence)] }
    if isDrawn, reader.counts.total > 0 {
      blocks += [.text("")] + charts(reader, mirror)
    } else if isListed {
      blocks += [.text(""), .table(list(reader))]
    } else if reader.counts.total > 0 {
      blocks += [.text(""), .groups { try groups(reader) }]
    }
    if !verdict.remarks.isEmpty { blocks += [.text(""), .text(verdict.remarks.joined(separator: "\n"))] }
    if !isListed, !isDrawn, reader.counts.total > 0 {
      blocks += [
        .text(""), .text("'pending --all' lists everything; 'trace OBJECT' shows one object's timeline."),
      ]
    }
    return blocks
  }

  private func forEach(_ reader: PendingReader, _ body: (PendingItem) throws -> Bool) throws {
    try reader.forEach { item in
      progress.step("listing pending changes")
      return try body(item)
    }
  }

  private func groups(_ reader: PendingReader) throws -> [Document.Group] {
    var groups = PendingGroups(examples: limit)
    try forEach(reader) { item in
      groups.add(item)
      return true
    }
    return try groups.groups(titles)
  }

  private func list(_ reader: PendingReader) -> RowStream {
    let columns = ["object", "title", "kind", "since", "author", "reason"]
    return RowStream(
      columns: columns.map { .init($0) }, emptyText: "(nothing is pending)", count: { reader.counts.total }
    ) { sink in
      try forEach(reader) { item in
        sink.beginRow()
        sink.value(.text(item.objectText))
        sink.value(.optional(try titles.title(of: item)))
        sink.value(.text(item.kind.rawValue))
        sink.value(.optional(item.since))
        let isDated = item.since != nil
        let author = item.authorText(none: "(none)")
        sink.value(.optional(author.map { isDated && item.mayBeOlder ? "\($0), or earlier" : $0 }))
        sink.value(.text(PendingGroups.reason(of: item)))
        return try sink.endRow()
      }
    }.withSentences().toTheMinute().leavingOut("kind", "reason")
  }

  private func charts(_ reader: PendingReader, _ mirror: Mirror) -> [Document.Block] {
    let kinds = PendingItem.Kind.allCases.map { BarChart.Bar($0.rawValue, reader.counts[$0, default: 0]) }
    return [
      .chart { .bars(BarChart(title: "By kind", bars: kinds.filter { $0.sum > 0 })) }, .text(""),
      .chart {
        var ages = try PendingAges(until: mirror.events.last)
        try forEach(reader) { item in
          ages.add(item)
          return true
        }
        return .bars(ages.chart)
      },
    ]
  }
}
