import Lens
import StoreModel
import Values

/// Whether the mirror sets itself up: it needs its tables, and a model that follows CloudKit's rules.
struct MirrorSetUpForecast {
  private typealias Step = LaunchForecast.Step
  private let mirror: Mirror

  init(_ mirror: Mirror) { self.mirror = mirror }

  func step(_ model: ManagedObjectModel?, _ isAppsModel: Bool) throws -> LaunchForecast.Step {
    guard mirror.layout != .unknown else {
      return Step(.setUpMirror, .unknown, "The mirror's tables have an unknown layout.")
    }
    if let table = mirror.missingTables.first {
      let header = Rule.mirrorTablesPartial.header
      let count = mirror.missingTables.count
      let missing =
        count == 1
        ? "The mirror's table \(table.rawValue) is missing"
        : "\(Sentence.number(count)) of the mirror's tables are missing, such as \(table.rawValue)"
      return Step(
        .setUpMirror, .unknown, "\(missing). \(header.nextLaunch)", isSure: false, fix: header.remedy,
        reasons: mirror.missingTables.map { .init("Table \($0.rawValue) is missing.") },
        alarm: mirror.missingTables.contains(.records)
          ? "The next launch probably makes every object appear twice on all devices."
          : "The next launch probably loses what the mirror had recorded.")
    }
    if let model,
      let refusal = try CloudKitModelCheck(model).refusal(
        of: mirroredEntities(of: model),
        doubt: isAppsModel ? nil : "the app's model may have changed since it wrote the store")
    {
      return refusal
    }
    if let step = try LastRun(mirror).failure(.setup, .setUpMirror) { return step }
    let success = try mirror.events[.setup].lastSuccess?.moment?.iso8601
    return Step(
      .setUpMirror, .succeeds,
      success.map { "The last setup, at \($0), succeeded." } ?? "Nothing in the store prevents it.",
      isSure: false)
  }

  /// Entities of the app's model that are mirrored, as far as the store shows it.
  func mirroredEntities(of model: ManagedObjectModel) throws -> [EntityDescription] {
    let mirrored = try mirror.mirroredEntities()
    let schema = mirror.store.schema
    func isMirrored(_ entity: EntityDescription) -> Bool? {
      let known = schema[entity.name] ?? entity.renamingIdentifier.flatMap { schema[$0] }
      return known.map { schema.descendants(of: $0).contains { mirrored.countsRows(of: $0.number) } }
    }
    let known = Set(model.entities.filter { isMirrored($0) == true }.map(\.name))
    // New entities are mirrored with the others, unless the others have a configuration of their own.
    let named = model.configurations.filter { !$0.key.isEmpty }.map(\.value)
    let others = named.filter { !$0.isDisjoint(with: known) }
    return model.entities.filter { entity in
      isMirrored(entity) ?? (named.isEmpty || others.contains { $0.contains(entity.name) })
    }
  }
}

extension CloudKitModelCheck {
  /// The step that Core Data refuses the model in; nil if it has no reason to.
  /// - Parameter doubt: why the app may be spared, a clause.
  func refusal(of entities: [EntityDescription], doubt: String?) -> LaunchForecast.Step? {
    let code = "134060"
    let all = breaches(entities).map {
      (sentence: "\($0.entity).\($0.breach.property): \($0.breach.rule)", fix: $0.breach.fix)
    }
    guard let first = all.first else { return nil }
    let more = all.count > 1 ? ", and \(all.count - 1) more" : ""
    let because = doubt.map { " It is only likely, as \($0)." } ?? ""
    return LaunchForecast.Step(
      .setUpMirror, .fails, code: code,
      "The model breaks a rule of CloudKit: \(first.sentence)\(more).\(because)",
      isSure: doubt == nil, fix: "\(first.fix) Or leave the entity out of the mirrored configuration.",
      reasons: all.map { .init("\($0.sentence).", code: code, fix: $0.fix) })
  }
}
