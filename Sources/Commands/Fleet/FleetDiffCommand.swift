import Base
import Diagnostics
import Fleet
import Rendering

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
struct FleetDiffDocument {
  private typealias Kind = FleetComparison.Kind
  private let comparison: FleetComparison
  private let paths: [String]

  init(_ comparison: FleetComparison, _ paths: [String]) {
    self.comparison = comparison
    self.paths = paths
  }

  func document() -> Document {
    Document(
      command: "fleet-diff", payload: "changes", Self.fields, of: self, rows: changes, blocks: blocks)
  }

  static let form = DocumentForm(
    "with diff", kind: "fleet-diff", store: .never, payload: "changes", fields.keys())

  private static let fields: [Field<Self>] = [
    Field("before", "the first folder") { $0.paths[0] }, Field("after", "the second one") { $0.paths[1] },
    Field("stores", .object(storeFields.keys()), "how many there are") {
      storeFields.object(of: $0.comparison)
    },
    Field("outcomes", .list(.object(outcomeFields.keys())), "how the stores are doing") {
      $0.outcomes.map(outcomeFields.object)
    },
    Field("rules", .list(.object(ruleFields.keys())), "findings by rule, errors first") {
      $0.rules.map(ruleFields.object)
    },
    Field("changes", rows: .object(changeFields.keys()), "all differences"),
  ]

  private static let storeFields: [Field<FleetComparison>] = [
    Field("before", "addresses before") { $0.before }, Field("after", "addresses after") { $0.after },
    Field("same", "stores in both") { $0.same }, Field("new", "new stores") { $0.count(.newStore) },
    Field("gone", "stores that are gone") { $0.count(.goneStore) },
    Field("moved", "stores that moved") { $0.count(.movedStore) },
    Field("outcomeChanged", "stores with another outcome") { $0.count(.outcome) },
  ]

  private static let outcome = Shape.words(
    Health.allCases.map(\.rawValue) + StoreFailure.Kind.allCases.map(\.rawValue))

  private static let outcomeFields: [Field<(name: String, counts: (before: Int, after: Int))>] = [
    Field("outcome", outcome, "the outcome, or why a store couldn't be examined") { $0.name },
    Field("before", "addresses before") { $0.counts.before },
    Field("after", "addresses after") { $0.counts.after },
  ]

  private static let ruleFields: [Field<(rule: String, trend: FleetComparison.Trend)>] = [
    Field("rule", "the rule's id") { $0.rule },
    Field("severity", .words(Severity.self), "how bad a finding is") { $0.trend.severity },
    Field("title", "what its rule finds, in a few words") { $0.trend.title },
    Field("before", "stores with the finding before") { $0.trend.before },
    Field("after", "stores with it after") { $0.trend.after },
    Field("new", "stores that have it only after") { $0.trend.new },
    Field("gone", "stores that had it only before") { $0.trend.gone },
  ]

  private static let changeFields: [Field<FleetComparison.Change>] = [
    Field("change", .words(Kind.self), "what is different") { $0.kind.rawValue },
    Field("address", "the store") { $0.address },
    Field("formerAddress", "its previous address, if it moved") { $0.formerAddress },
    Field("rule", "the rule of a finding") { $0.rule },
    Field("severity", .words(Severity.self), "how bad a finding is") { $0.severity },
    Field("title", "what its rule finds, in a few words") { $0.title },
    Field("before", outcome, "the outcome or failure before") { $0.before },
    Field("after", outcome, "the outcome or failure after") { $0.after },
  ]

  /// Healthy stores first, and what couldn't be examined last.
  private var outcomes: [(name: String, counts: (before: Int, after: Int))] {
    let order = Health.allCases.map(\.rawValue)
    return comparison.outcomes.values.sorted {
      (order.firstIndex(of: $0.key) ?? order.count, $0.key) < (
        order.firstIndex(of: $1.key) ?? order.count, $1.key
      )
    }.map { ($0.key, $0.value) }
  }

  /// Errors first, then what changed most.
  private var rules: [(rule: String, trend: FleetComparison.Trend)] {
    func rank(_ trend: FleetComparison.Trend) -> Int {
      trend.severity.flatMap(Severity.init(rawValue:)).flatMap(Severity.allCases.firstIndex) ?? 9
    }
    return comparison.trends.values.sorted {
      let (one, other) = ($0.value, $1.value)
      return (rank(one), -one.new - one.gone, $0.key) < (rank(other), -other.new - other.gone, $1.key)
    }.map { ($0.key, $0.value) }
  }

  private var changes: RowStream {
    RowStream(Self.changeFields, count: { comparison.changes.count }) { sink in
      for change in comparison.changes {
        guard try sink.push(change, Self.changeFields) else { return }
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
