package import Base
import Lens

/// Short numbers for authors, for states of very many objects. More than 65,535 authors share the last number.
struct AuthorNumbers {
  private var numbers: [String?: UInt16] = [:]
  private var names: [String?] = []
  private var last: (author: String?, number: UInt16)?

  var count: Int { names.count }

  mutating func number(of author: String?) -> UInt16 {
    if let last, last.author == author { return last.number }
    var number = UInt16(clamping: names.count)
    if let known = numbers[author] {
      number = known
    } else if names.count <= Int(UInt16.max) {
      numbers[author] = number
      names.append(author)
    }
    last = (author, number)
    return number
  }

  func name(_ number: UInt16) -> String? { Int(number) < names.count ? names[Int(number)] : nil }
}

/// The bundles under which the mirror itself wrote to the store. More than one means that an extension also syncs, not only
/// the app, which Apple advises against: https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer
struct MirroringPrograms {
  private static let limit = 100

  private var bundles: Set<String> = []
  private var last: String?

  mutating func add(_ transaction: HistoryTransaction) {
    guard transaction.origin != .app, let bundle = transaction.bundle, bundle != last else { return }
    last = bundle
    if bundles.count < Self.limit { bundles.insert(bundle) }
  }

  /// Evidence, where there is more than one.
  var members: [DataValue.Member] {
    bundles.count > 1 ? [.init("syncingBundles", .array(bundles.sorted().map(DataValue.text)))] : []
  }
}

/// Four bits for each object: half the memory, and half the temporary file, of a byte.
///
/// An observer that has to remember more says first for which objects, and sees history again for those: see
/// `HistoryObserver.successor()`.
struct ObjectNibbles {
  static let most: UInt8 = 15
  /// Of two neighbors in a byte. History goes through objects much as they were made.
  private let pairs = ObjectMap(empty: UInt8(0), bytes: 256 << 10)

  private static func pair(of key: ObjectKey) -> (key: ObjectKey, shift: Int64) {
    (ObjectKey(entity: key.entity, primaryKey: key.primaryKey >> 1), (key.primaryKey & 1) << 2)
  }

  /// 0 where nothing was set.
  /// - Throws: see `ObjectMap`.
  subscript(key: ObjectKey) -> UInt8 {
    get throws {
      let (pair, shift) = Self.pair(of: key)
      return try pairs[pair] >> shift & 15
    }
  }

  /// - Returns: what `body` made of the value.
  @discardableResult
  func update(_ key: ObjectKey, _ body: (UInt8) -> UInt8) throws -> UInt8 {
    let (pair, shift) = Self.pair(of: key)
    var value: UInt8 = 0
    try pairs.update(pair) {
      value = body($0 >> shift & 15) & 15
      $0 = $0 & ~(15 << shift) | value << shift
    }
    return value
  }

  /// Calls `body` for every object that has another value than 0, in the order of entities and keys.
  func forEach(_ body: (ObjectKey, UInt8) throws -> Void) throws {
    try pairs.forEach { pair, values in
      guard values != 0 else { return }
      for place in Int64(0)...1 {
        let value = values >> (place << 2) & 15
        let key = ObjectKey(entity: pair.entity, primaryKey: pair.primaryKey << 1 | place)
        if value != 0 { try body(key, value) }
      }
    }
  }
}

/// Transactions of the mirror's own that follow each other closely: a wipe, or a large import.
package struct HistoryBurst: HasFields, Sendable, Equatable {
  package var firstTransaction: Int64
  package var lastTransaction: Int64
  package var from: CoreDataDate?
  package var until: CoreDataDate?
  package var transactions = 1
  package var inserts: Int
  package var deletes: Int
  package var changes: Int

  /// Seconds between transactions of one burst, which has one for each entity and batch.
  static let pause = 600.0

  package static let fields: [Field<Self>] = [
    Field("from", "when it began") { $0.from }, Field("until", "when it ended") { $0.until },
    Field("firstTransaction", "its first save") { $0.firstTransaction },
    Field("lastTransaction", "its last save") { $0.lastTransaction },
    Field("transactions", "saves") { $0.transactions }, Field("inserts", "objects inserted") { $0.inserts },
    Field("deletes", "objects deleted") { $0.deletes }, Field("changes", "changes in all") { $0.changes },
  ]

  package static let shape = Shape.named("burst", fields.keys())
}

/// Finds bursts among transactions that come oldest first. It keeps only the one that may go on: a made-up history
/// might have millions.
struct HistoryBursts {
  /// See `HistoryBurst.pause`.
  var pause = HistoryBurst.pause
  /// The one that may go on.
  private(set) var current: HistoryBurst?

  init(pause: Double = HistoryBurst.pause) { self.pause = pause }

  /// Takes one transaction more, and returns the burst that thereby turned out to be over.
  mutating func add(
    _ transaction: HistoryTransaction, _ counts: ChangeCounts, changes: Int
  ) -> HistoryBurst? {
    let (number, timestamp) = (transaction.number, transaction.timestamp)
    guard var burst = current, isNear(burst.until, timestamp) else {
      defer {
        current = HistoryBurst(
          firstTransaction: number, lastTransaction: number, from: timestamp, until: timestamp,
          inserts: counts.inserts, deletes: counts.deletes, changes: changes)
      }
      return current
    }
    burst.lastTransaction = number
    burst.until = timestamp
    burst.transactions += 1
    burst.inserts += counts.inserts
    burst.deletes += counts.deletes
    burst.changes += changes
    current = burst
    return nil
  }

  /// Without both times it can't be known.
  private func isNear(_ one: CoreDataDate?, _ other: CoreDataDate?) -> Bool {
    guard let one, let other else { return false }
    return abs(other.seconds - one.seconds) <= pause
  }
}
