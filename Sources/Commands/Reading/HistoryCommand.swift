import Lens
import Rendering
import StoreModel
import Values

extension Command {
  static let history = Command(
    "history", summary: "who changed what and when, from persistent history",
    options: [
      OptionDefinition("author", value: "NAME", kind: .author, help: "only transactions of this author"),
      OptionDefinition("no-author", help: "only transactions without an author"),
      OptionDefinition(
        "entity", value: "NAME", kind: .entity, help: "only changes of this entity and its sub-entities"),
      OptionDefinition(
        "object", value: "OBJECT", kind: .object, help: "only changes of this object: a URI, or Entity/pN"),
      OptionDefinition("since", value: "DATE", kind: .date, help: "from this moment on, ISO 8601, UTC"),
      OptionDefinition("until", value: "DATE", kind: .date, help: "up to this moment"),
      OptionDefinition("transaction", value: "N", kind: .number, help: "only this transaction, or N..M"),
      OptionDefinition(
        "by", value: "WHAT", kind: .choice, choices: HistoryGroup.Dimension.allCases.map(\.rawValue),
        help: "count instead of listing"),
      OptionDefinition("reverse", help: "newest first"), CommonOptions.chart,
    ],
    discussion: """
      A change's properties are those that its update names; the framework may name more than really changed.
      Tables leave out bundles, processes and contexts; the other formats have them. --chart splits the changes by
      author, or by what --by names.

      Examples:
        storescope history App.store --by author
        storescope history App.store --chart
        storescope history App.store --object Person/p12
        storescope history App.store --since 2026-03-01 --author widget --json
      """
  ) { invocation in
    let session = try invocation.store()
    let store = try session.store()
    let filter = try HistoryArguments.filter(invocation, in: store)
    guard let reader = try HistoryReader(store) else {
      return Outcome(try HistoryReport.absent(session, by: invocation.arguments["by"]))
    }
    let dimension = invocation.arguments["by"].flatMap(HistoryGroup.Dimension.init(rawValue:))
    let isReversed = invocation.arguments.has("reverse")
    var document =
      try dimension.map { try HistoryReport.groups(reader, $0, filter, session, invocation.progress) }
      ?? HistoryReport.changes(reader, filter, reversed: isReversed, session, invocation.progress)
    if invocation.arguments.has("chart") {
      document.blocks = [
        .heading("History"),
        CommandCharts.history(reader, by: dimension ?? .author, filter, in: store, invocation.progress),
      ]
    }
    return Outcome(document)
  }
}

/// The filters of `history`, from words to values.
enum HistoryArguments {
  static func filter(_ invocation: Invocation, in store: CoreDataStore) throws -> HistoryFilter {
    let arguments = invocation.arguments
    var filter = HistoryFilter(since: try invocation.date("since"), until: try invocation.date("until"))
    if let author = arguments["author"] { filter.author = .named(author) }
    if arguments.has("no-author") {
      guard filter.author == nil else {
        throw UsageError.conflict("'--author' and '--no-author' exclude each other; give one of them.")
      }
      filter.author = .missing
    }
    if let name = arguments["entity"] { filter.entities = try store.entity(named: name).subtree }
    if let word = arguments["object"] {
      let object = try ObjectReference.parse(word, in: store)
      filter.entities = store.schema.hierarchy(of: object.entity)
      filter.primaryKey = object.primaryKey
    }
    if let word = arguments["transaction"] { filter.transactions = try range(word) }
    return filter
  }

  private static func range(_ word: String) throws(UsageError) -> ClosedRange<Int64> {
    let ends = word.split(separator: ".", omittingEmptySubsequences: false)
    let isRange = ends.count == 3 && ends[1].isEmpty
    guard ends.count == 1 || isRange, let first = Int64(ends[0]), let last = Int64(ends[ends.count - 1]),
      first <= last
    else {
      throw .conflict("'--transaction' takes a number or a range such as 10..20, not '\(word)'.")
    }
    return first...last
  }
}
