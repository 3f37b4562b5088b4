import Lens
import SQLite
import StoreModel

/// Works out what an operation would do.
package enum Planner {
  /// Reads only.
  /// - Throws: `SQLiteError`; `StoreScopeError` where a choice names what the store doesn't have.
  package static func plan(_ operation: Operation, _ choices: Choices, on target: Target) throws -> Plan {
    var preconditions = try layoutConditions(operation, target)
    // What an operation asks for names tables that only a known layout has.
    let isKnown = preconditions.allSatisfy(\.holds)
    if isKnown { preconditions += try operation.requirements(target, choices) }
    var all: [Step] = []
    if preconditions.allSatisfy(\.holds) {
      all = try operation.steps(target, choices)
      preconditions.append(try ForeignCode.precondition(all.map(\.table), target.connection))
    }
    var steps: [Plan.CountedStep] = []
    if preconditions.allSatisfy(\.holds) {
      for step in all {
        let rows = try step.rows(target.connection)
        if rows.count > 0 {
          steps.append(Plan.CountedStep(step: step, rows: rows.count, digest: rows.digest, keys: rows.keys))
        }
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

  /// How risky it is for that store.
  package static func risk(of operation: Operation, _ choices: Choices, on target: Target) throws -> Risk {
    let isKnown = try layoutConditions(operation, target).allSatisfy(\.holds)
    return try assessment(operation, choices, of: target, isKnown: isKnown).risk
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
