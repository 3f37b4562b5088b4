import Base
import Explanations
import Lens
import StoreModel

extension Mirror {
  private typealias Step = LaunchForecast.Step

  /// Whether the mirror sets itself up: it needs its tables, and a model that follows CloudKit's rules.
  func setUpStep(_ model: ManagedObjectModel?, _ isAppsModel: Bool) throws -> LaunchForecast.Step {
    guard layout != .unknown else {
      return Step(.setUpMirror, .unknown, "The mirror's tables have an unknown layout.")
    }
    if let table = missingTables.first {
      let header = Rule.mirrorTablesPartial.header
      let count = missingTables.count
      let missing =
        count == 1
        ? "The mirror's table \(table.rawValue) is missing"
        : "\(Sentence.number(count)) of the mirror's tables are missing, such as \(table.rawValue)"
      return Step(
        .setUpMirror, .unknown, "\(missing). \(header.nextLaunch)", isSure: false, fix: header.remedy,
        reasons: missingTables.map { .init("Table \($0.rawValue) is missing.") },
        alarm: missingTables.contains(.records)
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
    if let step = try lastFailure(.setup, .setUpMirror) { return step }
    let success = try events[.setup].lastSuccess?.moment?.iso8601
    return Step(
      .setUpMirror, .succeeds,
      success.map { "The last setup, at \($0), succeeded." } ?? "Nothing in the store prevents it.",
      isSure: false)
  }

  /// Entities of the app's model that are mirrored, as far as the store shows it.
  func mirroredEntities(of model: ManagedObjectModel) throws -> [EntityDescription] {
    let mirrored = try mirroredEntities()
    let schema = store.schema
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

  /// What the mirror makes of the iCloud account.
  func accountStep() throws -> LaunchForecast.Step {
    // A stored name without an account wipes a public database's store as well.
    if try scope == .public, try identity == .none || identity == .halfRecorded {
      return try identity == .halfRecorded
        ? Step(
          .checkAccount, .unknown,
          "The public database needs no account, but once somebody signs in, the launch may delete all mirrored objects (134405): the identity was checked, and no name was recorded.",
          isSure: false)
        : Step(.checkAccount, .nothing, "The public database needs no account.", isSure: false)
    }
    if let obstacle = try Obstacle.ofIdentity(self) {
      return Step(.checkAccount, .wipes, code: "134405", obstacle.sentence, fix: obstacle.fix)
    }
    return switch try identity {
    case .known:
      Step(
        .checkAccount, .succeeds,
        """
        The store belongs to one iCloud user. If another one is signed in, or nobody, the launch deletes all \
        mirrored objects (134405).
        """, isSure: false)
    case .nameOnly:
      Step(
        .checkAccount, .succeeds,
        """
        A user's name is recorded, and was never checked: the store takes whoever is signed in. If nobody is, the launch \
        deletes all mirrored objects (134405).
        """, isSure: false)
    case .none:
      Step(
        .checkAccount, .succeeds,
        try hasExported()
          ? "The store was mirrored, but it no longer records for which iCloud user: it takes whoever is signed in."
          : "The store is tied to no iCloud user yet, and takes the one that is signed in.",
        isSure: false)
    case .unknown, .halfRecorded:
      Step(.checkAccount, .unknown, "The iCloud identity can't be read.")
    }
  }

  /// What the last setup, import or export shows of the next one: if it failed with something that doesn't pass by itself,
  /// the next one fails the same way.
  func lastFailure(_ kind: MirrorEvent.Kind, _ stage: LaunchForecast.Stage) throws -> LaunchForecast.Step? {
    guard let failure = try events[kind].failure, !failure.resolvesItself else { return nil }
    let words = try Obstacle.words(failure, kind, self)
    let code = failure.errorCode.map(String.init)
    let isCocoa = failure.errorDomain == "NSCocoaErrorDomain"
    if try deletesZone(failure) {
      return Step(
        stage, .wipes, code: code.map { "CKErrorDomain:\($0)" },
        "The last \(kind.name) failed: \(words.cause). The mirror then deletes the local objects of that zone.",
        isSure: false,
        fix:
          "Back the store up before the next launch. A zone that the user deleted on purpose should stay deleted."
      )
    }
    return Step(
      stage, .fails, code: isCocoa ? code : code.map { "\(failure.errorDomain ?? ""):\($0)" },
      Self.because(failure, kind, words.cause), isSure: false, fix: words.fix)
  }

  /// A cause that only repeats the error says less than what the error means.
  private static func because(_ failure: MirrorEvent, _ kind: MirrorEvent.Kind, _ cause: String) -> String {
    guard failure.concern == nil, let error = failure.errorText ?? failure.errorDomain, cause.hasSuffix(error)
    else { return "The last \(kind.name) failed: \(cause)." }
    let meaning = failure.explanation?.meaning
    return "The last \(kind.name) failed with \(error).\(meaning.map { " \($0)" } ?? "")"
  }

  /// Whether the mirror answers the error by deleting the zone's local objects: the user deleted the zone, or a share
  /// ended. A zone of the user's own that is only missing is made again, and without any zone it has already happened.
  func deletesZone(_ failure: MirrorEvent) throws -> Bool {
    guard failure.errorDomain == "CKErrorDomain", try !zones.isEmpty else { return false }
    return try failure.errorCode == 28 || (failure.errorCode == 26 && scope == .shared)
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
