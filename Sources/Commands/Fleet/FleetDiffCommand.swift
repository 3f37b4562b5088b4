import Diagnostics
import Fleet
import Rendering
import SystemCalls
import Values

/// `fleet diff A B`
enum FleetDiffCommand {
  static func run(_ invocation: Invocation) throws -> Outcome {
    let words = invocation.arguments.positionals.dropFirst()
    if invocation.arguments.choice(.format) == Format.html {
      throw UsageError.conflict("'fleet diff' writes no page; use --format markdown.")
    }
    guard words.count == 2 else {
      throw UsageError.conflict(
        "'fleet diff' needs two folders that 'fleet PATH… --to FOLDER' wrote: storescope fleet diff BEFORE AFTER."
      )
    }
    let folders = try words.map { try DatasetFolder(StoreSource.plain($0)) }
    let comparison = try FleetComparison(folders[0], folders[1]) { invocation.progress.step($0) }
    let document = FleetDiffDocument(comparison, folders.map(\.path)).document()
    return Outcome(
      document, exitCode: invocation.arguments.has(.exitCode) && !comparison.isEmpty ? 1 : 0)
  }
}

/// What `fleet diff` prints.
private struct FleetDiffDocument {
  private typealias Kind = FleetComparison.Kind
  private let comparison: FleetComparison
  private let paths: [String]

  init(_ comparison: FleetComparison, _ paths: [String]) {
    self.comparison = comparison
    self.paths = paths
  }

  func document() -> Document {
    Document(
      command: "fleet-diff",
      fields: [
        .init("before", .text(paths[0])), .init("after", .text(paths[1])),
        .init(
          "stores",
          [
            "before": .count(comparison.before), "after": .count(comparison.after),
            "same": .count(comparison.same), "new": count(.newStore), "gone": count(.goneStore),
            "moved": count(.movedStore), "outcomeChanged": count(.outcome),
          ]),
        .init(
          "outcomes",
          .array(
            outcomes.map { ["outcome": .text($0), "before": .count($1.before), "after": .count($1.after)] })),
        .init(
          "rules",
          .array(
            rules.map { rule, trend in
              [
                "rule": .text(rule), "severity": .optional(trend.severity), "title": .optional(trend.title),
                "before": .count(trend.before), "after": .count(trend.after), "new": .count(trend.new),
                "gone": .count(trend.gone),
              ]
            })), .init("changes", rows: changes),
      ], payload: "changes", blocks: blocks)
  }

  private func count(_ kind: Kind) -> DataValue { .count(comparison.count(kind)) }

  /// Healthy stores first, and what couldn't be examined last.
  private var outcomes: [(String, (before: Int, after: Int))] {
    let order = Health.allCases.map(\.rawValue)
    return comparison.outcomes.values.sorted {
      (order.firstIndex(of: $0.key) ?? order.count, $0.key) < (
        order.firstIndex(of: $1.key) ?? order.count, $1.key
      )
    }.map { ($0.key, $0.value) }
  }

  /// Errors first, then what changed most.
  private var rules: [(String, FleetComparison.Trend)] {
    func rank(_ trend: FleetComparison.Trend) -> Int {
      trend.severity.flatMap(Severity.init(rawValue:)).flatMap(Severity.allCases.firstIndex) ?? 9
    }
    return comparison.trends.values.sorted {
      let (one, other) = ($0.value, $1.value)
      return (rank(one), -one.new - one.gone, $0.key) < (rank(other), -other.new - other.gone, $1.key)
    }.map { ($0.key, $0.value) }
  }

  private var changes: RowStream {
    RowStream(
      columns: [
        .init("change"), .init("address"), .init("formerAddress"), .init("rule"), .init("severity"),
        .init("title"), .init("before"), .init("after"),
      ], count: { comparison.changes.count }
    ) { sink in
      for change in comparison.changes {
        sink.beginRow()
        for text in [
          change.kind.rawValue, change.address, change.formerAddress, change.rule, change.severity,
          change.title, change.before, change.after,
        ] {
          sink.value(.optional(text))
        }
        guard try sink.endRow() else { return }
      }
    }
  }

  // MARK: - For people

  private var blocks: [Document.Block] {
    guard !comparison.isEmpty else {
      return [.text(sameness)]
    }
    var blocks: [Document.Block] = [.text(summary)]
    let outcomes = outcomes.filter { $0.1.before != $0.1.after }
    if !outcomes.isEmpty {
      blocks.append(
        .table(
          RowStream(
            objects: outcomes.map {
              [
                "outcome": .text(StoreFailure.words(of: $0)), "before": .count($1.before),
                "after": .count($1.after),
              ]
            })))
    }
    let rules = rules.filter { $0.1.new + $0.1.gone > 0 || $0.1.before != $0.1.after }
    if !rules.isEmpty {
      blocks += [
        .heading("Findings"),
        .table(
          RowStream(
            objects: rules.map { rule, trend in
              [
                "rule": .text(rule), "new": .count(trend.new), "gone": .count(trend.gone),
                "before": .count(trend.before), "after": .count(trend.after),
                "title": .optional(trend.title),
              ]
            })),
      ]
    }
    return blocks + [.heading("Stores"), .table(stores)]
  }

  /// `No difference: 5 stores with the same findings; 1 address couldn't be examined in either run.`
  private var sameness: String {
    let (stores, unread) = (comparison.same - comparison.sameUnread, comparison.sameUnread)
    let unexamined =
      unread > 0
      ? "; \(Sentence.count(unread, "address", "addresses")) couldn't be examined in either run" : ""
    return "No difference: \(Sentence.count(stores, "store")) with the same findings\(unexamined)."
  }

  /// `2 new findings, 1 finding gone, 1 new store; 3 stores in both runs.`
  private var summary: String {
    func part(_ kind: Kind, _ one: String, _ many: String) -> String? {
      let count = comparison.count(kind)
      return count > 0 ? "\(Sentence.number(count)) \(Sentence.form(count, one, many))" : nil
    }
    let parts = [
      part(.newFinding, "new finding", "new findings"),
      part(.goneFinding, "finding gone", "findings gone"),
      part(.outcome, "store with another outcome", "stores with another outcome"),
      part(.newStore, "new store", "new stores"), part(.goneStore, "store gone", "stores gone"),
      part(.movedStore, "store moved", "stores moved"),
    ].compactMap(\.self)
    return
      "\(Sentence.begun(parts.joined(separator: ", "))); \(Sentence.count(comparison.same, "store")) in both runs."
  }

  /// A line per store and change, in words.
  private var stores: RowStream {
    RowStream(
      columns: [.init("change"), .init("what"), .init("address")], count: { comparison.changes.count }
    ) {
      sink in
      for change in comparison.changes {
        sink.beginRow()
        sink.value(.text(Self.words(change.kind)))
        sink.value(.text(Self.what(change)))
        sink.value(.text(change.address))
        guard try sink.endRow() else { return }
      }
    }.naming("address")
  }

  private static func words(_ kind: Kind) -> String {
    switch kind {
    case .newStore: "new store"
    case .goneStore: "store gone"
    case .movedStore: "moved"
    case .outcome: "outcome"
    case .newFinding: "new finding"
    case .goneFinding: "finding gone"
    }
  }

  private static func what(_ change: FleetComparison.Change) -> String {
    switch change.kind {
    case .newStore: StoreFailure.words(of: change.after ?? "")
    case .goneStore: StoreFailure.words(of: change.before ?? "")
    case .movedStore: "from \(change.formerAddress ?? "")"
    case .outcome:
      "\(StoreFailure.words(of: change.before ?? "")), now \(StoreFailure.words(of: change.after ?? ""))"
    case .newFinding, .goneFinding: change.rule ?? ""
    }
  }
}
