import Base
import Diagnostics
import Evidence
import Lens
import Rendering
import StoreModel

/// The states of a store that its WAL keeps, to be read once the newest one was: see `OpenFile`.
struct EarlierCommits {
  private let session: Session
  private let count: Int
  private let progress: Progress

  /// Nil if the WAL has none, or if an earlier state is read already.
  init?(_ session: Session, _ progress: Progress) throws {
    guard session.asOfCommit == nil, let wal = try session.opened().walIndex(), !wal.commits.isEmpty else {
      return nil
    }
    (self.session, count, self.progress) = (session, wal.commits.count, progress)
  }

  /// What else may have what wasn't found, a sentence each: commits that a missing -wal had, and those before the state
  /// that was read.
  static func unread(_ session: Session, _ open: OpenStore) throws -> [String] {
    if open.opened?.files.isWALMissing == true { return [StoreFiles.walMissing] }
    let read = session.asOfCommit ?? 0
    let count = try open.opened?.walIndex()?.commits.count ?? 0
    guard count > read else { return [] }
    return [
      "Earlier commits weren't searched: the -wal has \(Sentence.number(count)), and '--as-of-commit N' reads the store before the last N of them; try \(read + 1)\(count > read + 1 ? " to \(count)" : "")."
    ]
  }

  /// How many commits ago a deleted object was in the store for the last time; nil if that isn't known.
  /// - Parameter transaction: the one that deleted it; nil where history doesn't have it.
  func last(with object: ObjectKey, before transaction: Int64?) throws -> Int? {
    guard let ago = try newest(before: transaction),
      try read(ago, { try TraceReader($0).exists(object) }) == true
    else { return nil }
    return ago
  }

  /// An object's properties before a transaction that the WAL has; nil if they aren't known.
  func properties(of object: ObjectReference, before transaction: Int64) throws -> ObjectProperties? {
    guard let ago = try newest(before: transaction) else { return nil }
    return try read(ago) { try ObjectProperties(object, in: $0.store) } ?? nil
  }

  /// How many commits ago the transaction wasn't there yet; nil where only the newest state can be read.
  private func newest(before transaction: Int64?) throws -> Int? {
    try session.finish()
    // Transactions have ascending numbers, and keys are used once.
    guard let transaction, count > 0 else { return nil }
    var (low, high) = (1, count + 1)
    while low < high {
      let middle = (low + high) / 2
      guard let newest = try read(middle, { try HistoryReader($0.store)?.transactions.newestTransaction() })
      else {
        high = middle
        continue
      }
      (low, high) = (newest ?? 0) < transaction ? (low, middle) : (middle + 1, high)
    }
    return low <= count ? low : nil
  }

  /// Nil for a state that can't be read, which a checkpoint may have overwritten in part; older ones can't either.
  private func read<R>(_ commitsAgo: Int, _ body: (OpenStore) throws -> R) throws -> R? {
    progress.phase("reading earlier commits")
    let state = Session(session.source, asOfCommit: commitsAgo, goesOn: { !Interruption.isRequested })
    do {
      let result = try body(state.open())
      try state.finish()
      return result
    } catch {
      try Interruption.check()
      return nil
    }
  }
}

/// The values that an object's newest update replaced. History doesn't keep them; earlier commits in the WAL may.
struct ReplacedValues {
  let transaction: Int64
  /// By the names of properties.
  private let before: [(name: String, old: DataValue, new: DataValue)]

  private static let longestValue = 40

  /// Nil if the object's newest change isn't an update, as nothing else shows what it changed to, or if the WAL doesn't go
  /// back that far. The store can't be read after this.
  init?(of object: ObjectKey, in store: CoreDataStore, _ commits: EarlierCommits) throws {
    guard let entity = store.schema[object.entity], let reader = try HistoryReader(store) else { return nil }
    let names = ChangeNames(store)
    let filter = HistoryFilter(
      entities: store.schema.hierarchy(ofNumber: object.entity), primaryKey: object.primaryKey)
    var newest: (transaction: Int64, properties: ChangeNames.Properties)?
    try reader.forEachChange(filter, reversed: true) { cursor, _ in
      if let transaction = cursor.change.transaction, let properties = cursor.properties(names) {
        newest = (transaction, properties)
      }
      return false
    }
    let reference = ObjectReference(entity: entity, primaryKey: object.primaryKey)
    guard let newest, let now = try ObjectProperties(reference, in: store),
      let earlier = try commits.properties(of: reference, before: newest.transaction)
    else { return nil }
    transaction = newest.transaction
    before = newest.properties.names.compactMap { name in
      let key = ViewNames.key(for: name)
      guard let old = earlier[key], let new = now[key], old != new else { return nil }
      return (name, old, new)
    }
    if before.isEmpty { return nil }
  }

  /// The old values, as JSON has them.
  var value: DataValue { .object(before.map { .init($0.name, $0.old) }) }

  /// A text that ends with the names of the changed properties, with the values: `budget (1249.5 → 1312.4)`.
  func shown(in text: String) -> String {
    var text = text
    for (name, old, new) in before {
      // Links to many objects are too long for a line.
      if case .array = old { continue }
      // `date` is in `dateEnd`, too.
      let place = text.ranges(of: name).last { place in
        (place.lowerBound == text.startIndex || text[..<place.lowerBound].last == " ")
          && (place.upperBound == text.endIndex || ",.?".contains(text[place.upperBound]))
      }
      guard let place else { continue }
      text.replaceSubrange(place, with: "\(name) (\(Self.shown(old)) → \(Self.shown(new)))")
    }
    return text
  }

  private static func shown(_ value: DataValue) -> String {
    TerminalText.shortened(CellText.of(value.compared), to: longestValue)
  }
}
