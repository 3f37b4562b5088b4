import Base
import Diagnostics
import Evidence
import Lens
import Rendering
import StoreModel

extension Command {
  package static let trace = Command(
    "trace", summary: "whether one object is on the server, and why, with its timeline",
    arguments: ObjectSearch.arguments,
    discussion: """
      The first line is the answer, followed by the reason and the fix. Then come values that differ from the server's
      copy, the object's timeline, and the objects that refer to it. The store doesn't record which objects an export
      included, so exports are matched to changes by time.

      Examples:
        storescope trace App.store Person/p12
        storescope trace App.store 5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10
        storescope trace App.store Person name=Ann
      """,
    documents: [DocumentForm(payload: "steps", traceFields.keys())]
  ) { invocation in
    let session = try invocation.store()
    let open = try session.open()
    let cautions = try FileCautions(open.bytes())
    let store = open.store
    let mirror = try open.mirror()
    let reader = try TraceReader(open)
    let object = try ObjectSearch(invocation).find(invocation.arguments.positionals)
    var trace = try reader.trace(of: object)
    trace.asOf = session.asOf
    guard trace.isKnown else {
      throw StoreScopeError(
        .notFound, store.path,
        "has no object \(trace.name), and neither history nor the mirror has a trace of one\(store.wasAssigned(object) ? " (its key was used: it was deleted before history begins or while none was kept, or it was never saved)" : "")",
        advice: "'storescope search STORE TEXT' looks for an object")
    }
    let identity = try session.identity()
    if let commits = try EarlierCommits(session, invocation.progress) {
      if trace.exists == false {
        try trace.addLastCommit(commits, object)
      } else if let replaced = try ReplacedValues(of: object, in: store, commits) {
        trace.add(replaced, showsValues: !store.withholdsValues)
      }
    }
    return Outcome(
      Document(
        command: "trace", store: identity, payload: "steps", traceFields, of: (trace, mirror != nil),
        blocks: trace.worded(invocation.wording.worded).blocks(
          isMirrored: mirror != nil, cautions.blocks)
      ).worded(invocation.wording))
  }
}

private let traceFields: [Field<(trace: ObjectTrace, isMirrored: Bool)>] = [
  Field("object", "the object, as Entity/pN") { $0.trace.name },
  Field("title", "what people would recognize it by") { $0.trace.title },
  Field("exists", "whether there is such an object now; null if the store can't show it") { $0.trace.exists },
  Field("mirrored", "whether the store is mirrored to CloudKit") { $0.isMirrored },
  Field("verdict", "whether it is on the server, and why") { $0.trace.verdict },
  Field(
    "lastValues", .map(.any), "a deleted object's last values; empty if it exists or none are kept"
  ) { DataValue.object($0.trace.lastValues.members) },
  ServerComparison.field.of { $0.trace.comparison },
  Field("notCompared", "properties whose values the server's copy doesn't show") {
    $0.trace.comparison.notCompared.map(\.property)
  },
  Field("referencedBy", "who refers to it") { $0.trace.referrers },
  Field("steps", .list(TraceStep.shape), "what happened to it, in the order of time") {
    $0.trace.steps.map(\.value)
  },
]

extension CoreDataStore {
  /// Whether the key was given to an object once: Core Data counts up and assigns none twice.
  fileprivate func wasAssigned(_ object: ObjectKey) -> Bool {
    let root = schema[object.entity]?.root
    let last = primaryKeys.user.first { $0.number == root }?.lastKey ?? 0
    return 1...max(1, last) ~= object.primaryKey && last > 0
  }
}

extension ObjectTrace {
  /// That the WAL has a deleted object.
  fileprivate mutating func addLastCommit(_ commits: EarlierCommits, _ object: ObjectKey) throws {
    guard let ago = try commits.last(with: object, before: deletedIn) else { return }
    // First what happened to it.
    verdict.reasons.insert(
      "The WAL still has it: 'storescope show STORE \(ShellQuotes.word(name)) --as-of-commit \(ago)' prints all of it.",
      at: min(1, verdict.reasons.count))
  }

  fileprivate mutating func add(_ replaced: ReplacedValues, showsValues: Bool) {
    let index = steps.lastIndex { step in
      step.kind == .change
        && step.details.contains { $0.name == "transaction" && $0.value == .integer(replaced.transaction) }
    }
    guard let index else { return }
    if showsValues { steps[index].text = replaced.shown(in: steps[index].text) }
    steps[index].details.append(.init("before", replaced.value))
  }

  /// With the commands in its sentences as they are typed here.
  fileprivate func worded(_ worded: (String) -> String) -> ObjectTrace {
    var trace = self
    trace.verdict.reasons = verdict.reasons.map(worded)
    trace.verdict.fix = verdict.fix.map(worded)
    trace.steps = steps.map { step in
      var step = step
      step.text = worded(step.text)
      return step
    }
    return trace
  }

  private static var mostRuns: Int { 20 }

  /// Without a mirror, what happened to the object is the answer.
  fileprivate func blocks(isMirrored: Bool, _ cautions: [Document.Block]) -> [Document.Block] {
    let fix: [Document.Block] = verdict.fix.map { [.text("Fix: \($0)")] } ?? []
    let reasons = Document.Block.text(verdict.reasons.joined(separator: " "))
    guard verdict.state == .notMirrored else {
      return [.text(answer), reasons] + fix + cautions + differenceBlocks + lastValueBlocks
        + stepBlocks(isMirrored) + referrerBlocks
    }
    return [.text(answer)] + cautions + lastValueBlocks + stepBlocks(isMirrored) + referrerBlocks + [
      .text(""), reasons,
    ]
  }

  fileprivate var lastValueBlocks: [Document.Block] {
    guard !lastValues.members.isEmpty else { return [] }
    let rows = lastValues.members.map { [DataValue.text($0.name), $0.value.compared] }
    let copy = "server's copy" + (lastValues.modified?.iso8601.map { " of \($0.prefix(10))" } ?? "")
    let sources = [lastValues.hasHistory ? "history" : nil, lastValues.hasCopy ? copy : nil]
    let heading = "last value (\(sources.compactMap(\.self).joined(separator: ", ")))"
    let rest =
      lastValues.hasCopy
      ? "The copy leaves out empty values, large or encrypted ones, and links to several objects."
      : "History keeps only the attributes that the model preserves after deletion."
    return [
      .text(""), .table(RowStream(columns: ["property", heading].map { .init($0) }, rows: rows)),
      .text(rest),
    ]
  }

  fileprivate var differenceBlocks: [Document.Block] {
    guard !comparison.differences.isEmpty else { return [] }
    let day = comparison.modified?.iso8601.map { " (\($0.prefix(10)))" } ?? ""
    var blocks: [Document.Block] = [
      .text(""),
      .table(
        RowStream(
          columns: ["property", "here", "server" + day].map { .init($0) },
          rows: comparison.differences.map { [.text($0.property), $0.local.compared, $0.server.compared] })),
    ]
    if !comparison.notCompared.isEmpty {
      blocks.append(.text("Not compared: \(comparison.notComparedText)."))
    }
    return blocks
  }

  fileprivate func stepBlocks(_ isMirrored: Bool) -> [Document.Block] {
    // A run of failures is one line.
    var rows: [(at: DataValue, text: String, count: Int, kind: TraceStep.Kind, isNote: Bool)] = []
    // Without a mirror the answer has said that there is no record.
    for step in steps where !step.isNoise && (step.kind != .record || isMirrored) {
      if step.kind == .event, let last = rows.last, last.text == step.text {
        rows[rows.count - 1].count += 1
      } else {
        // A change has details, a note that history was purged has none.
        rows.append((step.at.map(DataValue.date) ?? "now", step.text, 1, step.kind, step.details.isEmpty))
      }
    }
    // Of a time whose history was purged, all runs are listed.
    let note = rows.lastIndex { $0.kind == .change && $0.isNote } ?? 0
    let runs = rows[..<note].indices.filter { rows[$0].kind == .event }
    if let last = runs.dropLast(Self.mostRuns).last {
      let cut = runs.dropLast(Self.mostRuns)
      let more = cut.reduce(0) { $0 + rows[$1].count }
      rows[last] = (
        "…", "\(Sentence.count(more, "more export or import", "more exports and imports")); --json has them.",
        1, .event, false
      )
      for index in cut.dropLast().reversed() { rows.remove(at: index) }
    }
    let cells: [[DataValue]] = rows.map { row in
      let repeated = "\(row.text.dropLast()), \(Sentence.times(row.count)) in a row."
      return [row.at, .text(row.count == 1 ? row.text : repeated)]
    }
    return [
      .text(""),
      .table(
        RowStream(
          columns: ["timestamp", "what"].map { .init($0) }, rows: cells, emptyText: "(no entries)"
        ).withSentences().toTheMinute()),
    ]
  }

  fileprivate var referrerBlocks: [Document.Block] {
    guard !referrers.isEmpty else { return [] }
    let most = 20
    let more = referrers.count > most ? " and \(referrers.count - most) more" : ""
    return [
      .text(""), .text("Referenced by: \(referrers.prefix(most).map(\.text).joined(separator: ", "))\(more)"),
    ]
  }
}

extension DataValue {
  /// Next to another value: objects as `Person/p12`, and NULL to be seen.
  var compared: DataValue {
    switch self {
    case .null: "NULL"
    case .text(let text) where text.hasPrefix("x-coredata://"): shortURIs
    default: self
    }
  }
}
