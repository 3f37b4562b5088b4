import Lens
import SQLite
import StoreModel

/// Works out what an operation would do.
package enum Planner {
  /// Reads only.
  /// - Throws: `SQLiteError`; `StoreScopeError` where a choice names what the store doesn't have.
  package static func plan(_ operation: Operation, _ choices: Choices, on target: Target) throws -> Plan {
    let (preconditions, all, isKnown) = try prepared(operation, choices, target)
    var steps: [Plan.CountedStep] = []
    for step in all {
      let rows = try step.rows(target.connection)
      if rows.count > 0 {
        steps.append(Plan.CountedStep(step: step, rows: rows.count, digest: rows.digest, keys: rows.keys))
      }
    }
    let assessed = try assessment(operation, choices, of: target, isKnown: isKnown)
    let texts = assessed.texts
    return Plan(
      subject: Plan.Subject(file: target.file, uuid: target.store.metadata.uuid),
      operation: operation.name, risk: assessed.risk, usualRisk: operation.risk,
      preconditions: preconditions, steps: steps,
      effect: texts.effect, warnings: texts.risks, watch: texts.watch, instead: texts.instead,
      settled: operation.settled)
  }

  /// How risky it is for that store, and why it isn't worth offering, a sentence: what refuses it whatever people choose, or
  /// that nothing would change. Reads only.
  package static func offer(_ operation: Operation, on target: Target) throws -> (
    risk: Risk, refusal: String?
  ) {
    let choices = Choices()
    let (preconditions, steps, isKnown) = try prepared(operation, choices, target)
    let risk = try assessment(operation, choices, of: target, isKnown: isKnown).risk
    let failed = preconditions.filter { !$0.holds }
    if let refused = failed.first(where: { !$0.isOpen }) { return (risk, refused.why) }
    guard failed.isEmpty, try !steps.contains(where: { try $0.hasRows(target.connection) }) else {
      return (risk, nil)
    }
    return (risk, "There is nothing to do: \(operation.settled ?? "no row would change").")
  }

  /// What must hold, and the steps if all of it does.
  private static func prepared(
    _ operation: Operation, _ choices: Choices, _ target: Target
  ) throws -> (preconditions: [Precondition], steps: [Step], isKnown: Bool) {
    var preconditions = try layoutConditions(operation, target)
    // What an operation asks for names tables that only a known layout has.
    let isKnown = preconditions.allSatisfy(\.holds)
    if isKnown { preconditions += try operation.requirements(target, choices) }
    guard preconditions.allSatisfy(\.holds) else { return (preconditions, [], isKnown) }
    let steps = try operation.steps(target, choices)
    let foreign = try ForeignCode.precondition(steps.map(\.table), target.connection)
    return (preconditions + [foreign], foreign.holds ? steps : [], isKnown)
  }

  private static func assessment(
    _ operation: Operation, _ choices: Choices, of target: Target, isKnown: Bool
  ) throws -> Operation.Assessment {
    var assessment = Operation.Assessment(risk: operation.risk, texts: operation.texts)
    operation.adapt(&assessment.texts, choices)
    if isKnown { try operation.assess(&assessment, target, choices) }
    return assessment
  }

  /// Whether the store's tables are known at all.
  private static func layoutConditions(_ operation: Operation, _ target: Target) throws -> [Precondition] {
    (operation.needsMirror || target.mirror != nil ? [layout(target)] : []) + [try framework(target)]
  }

  /// The tables of a newer framework may look the same and mean something else.
  private static func framework(_ target: Target) throws -> Precondition {
    let versions = [
      target.store.metadata.frameworkVersion,
      try target.mirror?.entries[MetadataKey.frameworkVersion]?.integer,
    ].compactMap { $0 }
    let known = MirrorLayout.newestKnownFramework
    guard let newest = versions.max(), newest > known else {
      return Precondition(
        "known-framework", holds: true,
        "The store wasn't written by a newer framework than this version supports.")
    }
    return Precondition(
      "known-framework", holds: false,
      "Framework \(newest) wrote the store, and this storescope supports up to \(known); use a newer storescope."
    )
  }

  /// A store whose tables aren't known in full may keep more of the mirror than would be changed.
  private static func layout(_ target: Target) -> Precondition {
    guard let mirror = target.mirror else {
      return Precondition(
        "mirrored", holds: false, "The store is not mirrored to CloudKit, so there is nothing to fix.")
    }
    guard mirror.layout.isComplete, mirror.differences.isEmpty else {
      let odd = mirror.differences.first ?? "It is of layout \(mirror.layout.name)."
      return Precondition(
        "known-layout", holds: false,
        "Only stores with the layouts V16 and V17 can be changed, as only these are fully known. \(odd)")
    }
    return Precondition("known-layout", holds: true, "The mirror has the layout \(mirror.layout.name).")
  }
}

/// What a schema does by itself when rows of a table change. Core Data gives none of it to the tables that operations
/// change; whoever added it relies on it, so a change without its effect would be as wrong as one with it.
enum ForeignCode {
  static func precondition(_ tables: [String], _ connection: Connection) throws -> Precondition {
    let name = "no-foreign-code"
    for table in tables {
      guard let found = try found(on: table, connection) else { continue }
      return Precondition(
        name, holds: false,
        "\(found). Core Data doesn't create that, and plans can't account for its effects; remove it in a copy of the store first."
      )
    }
    return Precondition(
      name, holds: true, "No trigger, foreign key or conflict clause is on the tables that change.")
  }

  /// What there is, as a clause. SQLite's own lists come first: the text and the names in `sqlite_master` can be forged.
  private static func found(on table: String, _ connection: Connection) throws -> String? {
    let kind = try connection.first(
      "SELECT type = 'table' AND NOT wr FROM pragma_table_list(?1) WHERE schema = 'main'", [.text(table)]
    ) { $0.integer(0) == 1 }
    if kind == false { return "\(table) isn't an ordinary table with a rowid" }
    let trigger = try connection.first(
      "SELECT name FROM main.sqlite_master WHERE type = 'trigger' AND tbl_name = ?1 COLLATE NOCASE",
      [.text(table)]
    ) { $0.text(0) }
    if let trigger { return "The trigger '\(trigger)' runs when rows of \(table) change" }
    let referrer = try connection.first(
      """
      SELECT tables.name FROM pragma_table_list AS tables, pragma_foreign_key_list(tables.name, 'main') AS keys
      WHERE tables.schema = 'main' AND keys."table" = ?1 COLLATE NOCASE
      """, [.text(table)]
    ) { $0.text(0) }
    if let referrer { return "A foreign key of '\(referrer)' refers to \(table)" }
    let text = try connection.rows(
      "SELECT sql FROM main.sqlite_master WHERE name = ?1 COLLATE NOCASE", [.text(table)]
    ) { $0.text(0).lowercased() }.joined()
    // A keyword can be spelled in one way only, so it is found in whatever text it stands.
    if text.contains("conflict") { return "The definition of \(table) has a conflict clause" }
    return text.contains("autoincrement") ? "\(table) has a key with AUTOINCREMENT" : nil
  }
}
