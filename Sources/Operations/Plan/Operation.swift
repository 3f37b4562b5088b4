package import Base
package import Lens
package import SQLite
package import StoreModel

/// One controlled change of a store: what it is for, what it does, and what comes of it. How it is done is the same
/// for all of them: see `Applying`.
package struct Operation: Sendable {
  /// As it is typed: `resync --pull`, `repair raise-max`.
  package var name: String
  /// One line, lower-case, without a full stop.
  package var summary: String
  /// The usual one.
  package var risk: Risk
  /// What people read before they consent, whatever they choose.
  package var texts: Texts
  /// Says it as it is with their choices.
  package var adapt: @Sendable (inout Texts, Choices) -> Void
  /// Says it as it is for that store, whose layout is known.
  package var assess: @Sendable (inout Assessment, Target, Choices) throws -> Void
  /// What comes of it if the store is in an older state, as its -wal was left behind; a sentence.
  package var withoutWAL: String
  /// What is so already if no row would change, from the middle of a sentence; nil where that depends on the store.
  package var settled: String?
  /// Findings of the doctor that call for it.
  package var cures: [String]
  /// Findings that it leaves or causes on purpose, by rule, and until when: `the next launch`.
  package var leaves: [String: String]
  /// The names of the options with which people choose something of it.
  package var takes: Set<String>
  /// Whether it is about the mirror; the others work on every store.
  package var needsMirror: Bool
  /// What else must hold, in addition to what every operation demands.
  package var requirements: @Sendable (Target, Choices) throws -> [Precondition]
  package var steps: @Sendable (Target, Choices) throws -> [Step]

  package init(
    _ name: String, summary: String, risk: Risk, effect: String, risks: [String] = [], watch: String,
    instead: String,
    withoutWAL: String = "Then the plan is made for an older state.",
    settled: String? = nil,
    cures: [String] = [], leaves: [String: String] = [:], takes: Set<String> = [],
    needsMirror: Bool = true,
    adapt: @escaping @Sendable (inout Texts, Choices) -> Void = { _, _ in },
    assess: @escaping @Sendable (inout Assessment, Target, Choices) throws -> Void = { _, _, _ in },
    requirements: @escaping @Sendable (Target, Choices) throws -> [Precondition] = { _, _ in [] },
    steps: @escaping @Sendable (Target, Choices) throws -> [Step]
  ) {
    self.name = name
    self.summary = summary
    self.risk = risk
    texts = Texts(effect: effect, risks: risks, watch: watch, instead: instead)
    self.adapt = adapt
    self.assess = assess
    self.withoutWAL = withoutWAL
    self.settled = settled
    self.cures = cures
    self.leaves = leaves
    self.takes = takes
    self.needsMirror = needsMirror
    self.requirements = requirements
    self.steps = steps
  }
}

extension Operation {
  package struct Assessment: Sendable {
    package var risk: Risk
    package var texts: Texts
  }

  package struct Texts: Sendable {
    /// What the framework does at the next launch.
    package var effect: String
    /// What can go wrong, the worst first.
    package var risks: [String]
    /// What to look at afterward.
    package var watch: String
    /// When another operation is better.
    package var instead: String
  }
}

/// What people choose in addition to the operation.
package struct Choices: Sendable {
  /// `--entity`.
  package var entity: String?
  /// `--server-zone`: whether the zone on the server is emptied too.
  package var serverZone: ServerZone?
  /// `--cloud`: what happens to the server's copies of orphaned records.
  package var cloud: CloudCopies?
  /// `--before`, for history.
  package var before: CoreDataDate?
  /// `--discard-pending-deletes`.
  package var discardsPendingDeletes = false

  package init() {}

  package enum ServerZone: String, Sendable, CaseIterable { case emptied, kept }
  package enum CloudCopies: String, Sendable, CaseIterable { case keep, delete }
}

/// The store that an operation is about, as one connection sees it.
package struct Target {
  /// The main file that the connection reads; nil if there is none.
  package let file: FileIdentity?
  private let open: OpenStore
  /// Nil where the store is not mirrored; so are those that follow.
  package let mirror: Mirror?
  let token: HistoryTokenReading?
  let scope: DatabaseScope?
  let identity: Mirror.Identity?

  package init(_ open: OpenStore, file: FileIdentity?) throws {
    self.open = open
    self.file = file
    // What conditions ask. The views lie in SQLite's `temp` schema, so that nothing of them gets into the store, and they
    // are asked before anything changes: see `Step.run`.
    _ = try open.lens()
    mirror = try open.mirror()
    token = try mirror?.token
    scope = try mirror?.scope
    identity = try mirror?.identity
  }

  package var store: CoreDataStore { open.store }
  package var tables: FrameworkTables { open.tables }
  package var connection: Connection { open.connection }
}
