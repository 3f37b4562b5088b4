import Base

/// What changed between two runs over a fleet. Stores are matched by their address; one that was moved, by its identifier,
/// if no other store of that run has it.
package struct FleetComparison {
  package enum Kind: String, Sendable, CaseIterable {
    case newStore, goneStore, movedStore, outcome, newFinding, goneFinding
  }

  package struct Change: Sendable {
    package var kind: Kind
    package var address: String
    /// Where it was, if that was elsewhere.
    package var formerAddress: String?
    package var rule: String?
    package var severity: String?
    package var title: String?
    /// The outcome or the failure.
    package var before: String?
    package var after: String?
  }

  /// In how many stores a rule found something.
  package struct Trend: Sendable {
    package var (before, after, new, gone) = (0, 0, 0, 0)
    package var severity: String?
    package var title: String?
  }

  package private(set) var changes: [Change] = []
  package private(set) var trends = Tallies<String, Trend>()
  package private(set) var (before, after, same) = (0, 0, 0)
  /// How many of `same` couldn't be examined in either run.
  package private(set) var sameUnread = 0
  /// By outcome or failure.
  package private(set) var outcomes = Tallies<String, (before: Int, after: Int)>()

  package init(_ one: DatasetFolder, _ other: DatasetFolder, progress: (String) -> Void) throws {
    let moved = try compareStores(one, other, progress)
    try compareFindings(one, other, moved, progress)
    let order = Kind.allCases
    changes.sort { a, b in
      let (first, second) = (order.firstIndex(of: a.kind) ?? 0, order.firstIndex(of: b.kind) ?? 0)
      guard first == second else { return first < second }
      let (one, other) = (Address(a.address), Address(b.address))
      return one == other ? (a.rule ?? "") < (b.rule ?? "") : one < other
    }
  }

  package var isEmpty: Bool { changes.isEmpty }
  package func count(_ kind: Kind) -> Int { changes.count { $0.kind == kind } }

  // MARK: - Stores

  /// What a run made of an address.
  private struct State {
    var address: Address
    var outcome: String
    var uuid: String?
    var isUnread = false
  }

  /// All addresses of a run in their order: its stores, and what couldn't be examined.
  private struct States {
    private var stores: DatasetRows
    private var failures: DatasetRows

    init(_ folder: DatasetFolder) throws {
      stores = try folder.rows(.stores)
      failures = try folder.rows(.failures)
    }

    mutating func next() throws -> State? {
      let isStore =
        switch (stores.current, failures.current) {
        case (let store?, let failure?): !(failure.address < store.address)
        case (_?, nil): true
        case (nil, _): false
        }
      if isStore, let row = stores.current {
        try stores.advance()
        return State(address: row.address, outcome: row.text("outcome") ?? "unknown", uuid: row.text("uuid"))
      }
      guard let row = failures.current else { return nil }
      try failures.advance()
      return State(address: row.address, outcome: row.text("failure") ?? "unknown", isUnread: true)
    }
  }

  /// - Returns: the stores of the second run that were elsewhere in the first: new address by old one.
  private mutating func compareStores(
    _ one: DatasetFolder, _ other: DatasetFolder, _ progress: (String) -> Void
  ) throws -> [Address: Address] {
    var (old, new) = (try States(one), try States(other))
    var (gone, added): ([State], [State]) = ([], [])
    // Stores of each identifier; more than one in a run can't be distinguished.
    var uses: [String: (before: Int, after: Int)] = [:]
    var (a, b) = (try old.next(), try new.next())
    while a != nil || b != nil {
      progress("comparing stores")
      let isInBoth = a.flatMap { a in b.map { $0.address == a.address } } ?? false
      let isOld = isInBoth || (a.map { a in b.map { a.address < $0.address } ?? true } ?? false)
      if isOld, let state = a {
        before += 1
        outcomes.update(state.outcome, default: (0, 0)) { $0.before += 1 }
        if !isInBoth { gone.append(state) }
      }
      if !isOld || isInBoth, let state = b {
        after += 1
        outcomes.update(state.outcome, default: (0, 0)) { $0.after += 1 }
        if !isInBoth { added.append(state) }
      }
      if isInBoth, let a, let b { note(a, b) }
      if isOld { a = try old.next() }
      if !isOld || isInBoth { b = try new.next() }
    }
    for state in gone { if let uuid = state.uuid { uses[uuid, default: (0, 0)].before += 1 } }
    for state in added { if let uuid = state.uuid { uses[uuid, default: (0, 0)].after += 1 } }
    var origins: [String: State] = [:]
    for state in gone {
      if let uuid = state.uuid, uses[uuid].map({ $0 == (1, 1) }) == true {
        origins[uuid] = state
      } else {
        changes.append(Change(kind: .goneStore, address: state.address.text, before: state.outcome))
      }
    }
    var moved: [Address: Address] = [:]
    for state in added {
      guard let origin = state.uuid.flatMap({ origins[$0] }) else {
        changes.append(Change(kind: .newStore, address: state.address.text, after: state.outcome))
        continue
      }
      moved[origin.address] = state.address
      changes.append(
        Change(
          kind: .movedStore, address: state.address.text, formerAddress: origin.address.text,
          before: origin.outcome, after: state.outcome))
      note(origin, state)
    }
    return moved
  }

  private mutating func note(_ a: State, _ b: State) {
    same += 1
    if a.isUnread, b.isUnread { sameUnread += 1 }
    guard a.outcome != b.outcome else { return }
    changes.append(
      Change(
        kind: .outcome, address: b.address.text,
        formerAddress: a.address == b.address ? nil : a.address.text, before: a.outcome, after: b.outcome))
  }

  // MARK: - Findings

  /// A rule's finding in a store, to be compared with those of the other run.
  private struct Found {
    var rule: String
    var severity: String?
    var title: String?
  }

  private mutating func compareFindings(
    _ one: DatasetFolder, _ other: DatasetFolder, _ moved: [Address: Address], _ progress: (String) -> Void
  ) throws {
    let arrivals = Set(moved.values)
    var carried: [Address: [String: Found]] = [:]
    var (old, new) = (try one.rows(.findings), try other.rows(.findings))
    // What is only in one run is neither new nor gone: nobody looked before, or nobody looks any more.
    var (oldStores, newStores) = (try one.rows(.stores), try other.rows(.stores))
    var left: [(address: Address, found: [String: Found])] = []
    while let address = [old.current?.address, new.current?.address].compactMap(\.self).min() {
      progress("comparing findings")
      let (a, b) = (try Self.take(address, &old), try Self.take(address, &new))
      for found in a.values { add(found) { $0.before += 1 } }
      for found in b.values { add(found) { $0.after += 1 } }
      if moved[address] != nil { carried[address] = a }
      let isArrival = arrivals.contains(address)
      if isArrival { left.append((address, b)) }
      let wasThere = try Self.has(address, &oldStores) && moved[address] == nil
      let isThere = try Self.has(address, &newStores) && !isArrival
      if wasThere, isThere { note(a, b, at: address, from: nil) }
    }
    let arrived = Dictionary(left.map { ($0.address, $0.found) }, uniquingKeysWith: { $1 })
    for (from, to) in moved { note(carried[from] ?? [:], arrived[to] ?? [:], at: to, from: from) }
  }

  private mutating func add(_ found: Found, _ body: (inout Trend) -> Void) {
    trends.update(found.rule, default: Trend()) {
      $0.severity = found.severity
      $0.title = found.title
      body(&$0)
    }
  }

  private static func take(_ address: Address, _ rows: inout DatasetRows) throws -> [String: Found] {
    var found: [String: Found] = [:]
    try rows.forEach(of: address) { row in
      guard let rule = row.text("rule") else { return }
      found[rule] = Found(rule: rule, severity: row.text("severity"), title: row.text("title"))
    }
    return found
  }

  private static func has(_ address: Address, _ rows: inout DatasetRows) throws -> Bool {
    var has = false
    try rows.forEach(of: address) { _ in has = true }
    return has
  }

  private mutating func note(
    _ a: [String: Found], _ b: [String: Found], at address: Address, from former: Address?
  ) {
    func change(_ kind: Kind, _ found: Found) -> Change {
      Change(
        kind: kind, address: address.text, formerAddress: former?.text, rule: found.rule,
        severity: found.severity, title: found.title)
    }
    for (rule, found) in a where b[rule] == nil {
      changes.append(change(.goneFinding, found))
      add(found) { $0.gone += 1 }
    }
    for (rule, found) in b where a[rule] == nil {
      changes.append(change(.newFinding, found))
      add(found) { $0.new += 1 }
    }
  }
}
