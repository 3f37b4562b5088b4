import Diagnostics
import Lens
import Rendering
import Reports
import StoreModel
import Values

extension Command {
  static let pending = Command(
    "pending", summary: "what waits to be sent to CloudKit, since when, and why",
    options: [
      OptionDefinition(.noCauses, help: "don't look up the transactions that caused it: faster"),
      CommonOptions.chart,
    ],
    discussion: """
      'unanalyzed' are objects that the app changed after the exporter last looked at history; 'unregistered' are
      objects of mirrored entities that the mirror knows nothing of. The verdict says 'unknown' where the file can't
      tell; that nothing waits here does not mean that other devices have it.

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
        invocation.progress.step("listing what waits")
        sink.beginRow()
        for value in item.values { sink.value(value) }
        return try sink.endRow()
      }
    }
    let shown = ["kind", "object", "since", "author", "reason"]
    let short = RowStream(names: shown, emptyText: "(nothing waits)", count: { counts.total }) { sink in
      try reader?.forEach { item in
        invocation.progress.step("listing what waits")
        var members = item.value
        members.replace("object", with: .text(item.objectText))
        return try sink.push(members, columns: shown)
      }
    }
    var blocks: [Document.Block] = [
      .heading("Verdict: \(verdict.state.rawValue)"), .text(verdict.because.joined(separator: "\n")),
    ]
    if !verdict.noise.isEmpty {
      blocks += [.heading("Only noise"), .text(verdict.noise.joined(separator: "\n"))]
    }
    if let reader, let mirror, invocation.arguments.has(.chart) {
      blocks += [.heading("Waiting")]
      blocks +=
        counts.total == 0
        ? [.text("(nothing waits)")] : PendingAges.blocks(of: reader, mirror, invocation.progress)
    } else if reader != nil {
      blocks += [.heading("Waiting"), .pairs(counts.shown), .table(short.withSentences())]
    }
    return Outcome(
      Document(
        command: "pending", store: try session.identity(),
        fields: [
          .init("verdict", verdict.value), .init("counts", counts.value), .init("pending", rows: full),
        ],
        payload: "pending", blocks: blocks))
  }
}

extension [PendingItem.Kind: Int] {
  /// Those that aren't zero.
  fileprivate var shown: [(String, DataValue)] {
    guard case .object(let members) = value else { return [] }
    return members.filter { $0.value != 0 }.map { ($0.name, $0.value) }
  }
}

extension PendingItem {
  fileprivate var objectText: String {
    if let entity, let primaryKey { return "\(entity)/p\(primaryKey)" }
    return recordName ?? zone ?? ""
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
          progress.step("listing what waits")
          ages.add(item)
          return true
        }
        return .bars(ages.chart)
      },
    ]
  }
}
