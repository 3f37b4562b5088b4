import Lens

/// How the logs of two states of a store differ, by the events' keys and identifiers. The framework shortens the log now
/// and then, so that gone events needn't mean anything.
package struct EventComparison: Sendable {
  package struct Count: Sendable, Equatable {
    package var all = 0
    /// How many of them failed.
    package var failures = 0
  }

  package typealias Counts = [String: Count]

  /// By type: events that only the other store has, those that only the store has, and those that have ended since.
  package private(set) var new: Counts = [:]
  package private(set) var gone: Counts = [:]
  package private(set) var changed: Counts = [:]

  init(_ store: ComparedStore, _ other: ComparedStore, progress: (String) -> Void) throws {
    func reader(_ store: ComparedStore) throws -> () throws -> MirrorEvent? {
      let next = try store.naming { try store.mirror.map { try EventReader($0).events() } }
      return { try next.flatMap { next in try store.naming(next) } }
    }
    let (nextOfStore, nextOfOther) = (try reader(store), try reader(other))
    var (one, two) = (try nextOfStore(), try nextOfOther())
    while let key = [one, two].compactMap({ $0?.primaryKey }).min() {
      progress("comparing events")
      let (ours, theirs) = (one?.primaryKey == key ? one : nil, two?.primaryKey == key ? two : nil)
      add(ours, theirs)
      if ours != nil { one = try nextOfStore() }
      if theirs != nil { two = try nextOfOther() }
    }
  }

  /// Whether both logs hold the same.
  package var isEmpty: Bool { new.isEmpty && gone.isEmpty && changed.isEmpty }

  /// The events of one key.
  private mutating func add(_ ours: MirrorEvent?, _ theirs: MirrorEvent?) {
    if let ours, let theirs, ours.id == theirs.id {
      if ours != theirs { Self.count(theirs, in: &changed) }
      return
    }
    // Two copies of a store that both went on number their events alike.
    if let ours { Self.count(ours, in: &gone) }
    if let theirs { Self.count(theirs, in: &new) }
  }

  private static func count(_ event: MirrorEvent, in counts: inout Counts) {
    counts[event.typeName, default: Count()].all += 1
    if event.hasFailed { counts[event.typeName, default: Count()].failures += 1 }
  }
}
