import Lens
import StoreModel
import Values

/// What the mirror does at the next launch. It sets itself up, asks for the account, imports, and compares the token with
/// history when it exports.
struct MirrorForecast {
  private typealias Step = LaunchForecast.Step
  private(set) var steps: [LaunchForecast.Step] = []
  private let mirror: Mirror
  private let counts: [PendingItem.Kind: Int]
  private let migrates: Bool
  private let grown: Set<String>

  /// - Parameters:
  ///   - model: what the app brings; nil if it isn't known.
  ///   - migrates: whether the store is migrated first.
  ///   - grown: entities that are new or have new properties.
  init(
    _ mirror: Mirror, model: ManagedObjectModel?, isAppsModel: Bool, migrates: Bool, grown: Set<String> = []
  ) throws {
    self.mirror = mirror
    self.migrates = migrates
    self.grown = grown
    counts = try PendingReader(mirror, tracesCauses: false).counts
    try forecast(model, isAppsModel)
  }

  private mutating func forecast(_ model: ManagedObjectModel?, _ isAppsModel: Bool) throws {
    let setUp = try setUp(model, isAppsModel)
    let account = try account()
    steps = [setUp]
    if !mirror.missingTables.isEmpty {
      steps += LaunchForecast.unreached(
        [.checkAccount, .checkToken, .import, .export], "it depends on the missing tables")
    } else if setUp.outcome == .fails || setUp.outcome == .wipes {
      steps += LaunchForecast.unreached(
        [.checkAccount, .checkToken, .import, .export], "setup has to succeed first")
    } else if account.outcome == .wipes {
      steps += [
        account, Step(.checkToken, .nothing, "The wipe removes the token."),
        Step(.import, .downloads, "Everything that the account has is fetched.", isSure: false),
        Step(.export, .nothing, "Nothing is left to upload."),
      ]
    } else if try mirror.scope == .shared, try mirror.zones.isEmpty {
      steps +=
        [account]
        + LaunchForecast.unreached([.checkToken, .import, .export], "nothing is shared with this account")
    } else {
      var token = try token()
      // Before the first setup the store doesn't record its database; a shared one exports nothing without a share.
      if try mirror.scope == nil, try mirror.zones.isEmpty { token.isSure = false }
      steps += [account, token, try imported(isWiped: token.outcome == .wipes), try exported(token)]
      if let model, let last = steps.indices.last,
        try mirroredEntities(of: model).contains(where: { grown.contains($0.name) })
      {
        steps[last].because +=
          " The app's model has new fields: deploy the schema to CloudKit's production environment before the release, or exports of them fail."
      }
    }
  }

  // MARK: Setup and account

  private func setUp(_ model: ManagedObjectModel?, _ isAppsModel: Bool) throws -> Step {
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
        .setUpMirror, .unknown, "\(missing). \(header.nextLaunch)", isSure: false, fix: header.remedy)
    }
    if let model, let breach = try CloudKitModelCheck(model).summary(of: mirroredEntities(of: model)) {
      return Step(
        .setUpMirror, .fails, code: "134060", "The model breaks a rule of CloudKit: \(breach).",
        isSure: isAppsModel, fix: Rule.cloudKitModelIncompatible.header.remedy)
    }
    if let step = try lastFailure(.setup, .setUpMirror) { return step }
    let success = try mirror.events[.setup].lastSuccess?.moment?.shortISO8601
    return Step(
      .setUpMirror, .succeeds,
      success.map { "The last setup, at \($0), succeeded." } ?? "Nothing in the store prevents it.",
      isSure: false)
  }

  private func mirroredEntities(of model: ManagedObjectModel) throws -> [EntityDescription] {
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

  private func account() throws -> Step {
    // A stored name without an account wipes a public database's store as well.
    if try mirror.scope == .public, try mirror.identity == .none || mirror.identity == .halfRecorded {
      return try mirror.identity == .halfRecorded
        ? Step(
          .checkAccount, .unknown,
          "The public database needs no account, but once somebody signs in, the launch may delete all mirrored objects (134405): the identity was checked, and no name was recorded.",
          isSure: false)
        : Step(.checkAccount, .nothing, "The public database needs no account.", isSure: false)
    }
    if let obstacle = try Obstacle.ofIdentity(mirror) {
      return Step(.checkAccount, .wipes, code: "134405", obstacle.sentence, fix: obstacle.fix)
    }
    return switch try mirror.identity {
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
        "The store is tied to no iCloud user yet, and takes the one that is signed in.",
        isSure: false)
    case .unknown, .halfRecorded:
      Step(.checkAccount, .unknown, "The iCloud identity can't be read.")
    }
  }

  // MARK: Token, import and export

  private func token() throws -> Step {
    let token = try mirror.token
    if let obstacle = Obstacle.of(token) {
      let isForeign = token.state == .foreign
      return Step(
        .checkToken, isForeign ? .fails : .wipes, code: isForeign ? "134501" : "134301", obstacle.sentence,
        fix: obstacle.fix)
    }
    return switch token.state {
    case .missing:
      Step(.checkToken, .succeeds, "There is no token yet: the exporter processes all of history.")
    case .unreadable:
      Step(
        .checkToken, .unknown,
        "The last-history token can't be read or compared: \(token.problem ?? "its archive is damaged").")
    default:
      Step(
        .checkToken, .succeeds,
        "Transaction \(token.transaction.map(String.init) ?? "?"), which the token refers to, is in history.")
    }
  }

  private func imported(isWiped: Bool) throws -> Step {
    if isWiped {
      return Step(.import, .downloads, "After the wipe everything is fetched again.", isSure: false)
    }
    if let step = try lastFailure(.import, .import) { return step }
    if let failure = try mirror.events[.export].failure, try deletesZone(failure) {
      return Step(.import, .nothing, "The zone isn't on the server anymore.", isSure: false)
    }
    if migrates || mirror.setupFetchesZonesAgain {
      return Step(
        .import, .downloads,
        "A migration makes the mirror fetch all zones from the beginning; objects are matched by record name.",
        isSure: false)
    }
    let whole = try mirror.zones.filter { $0.flags.contains(.needsImport) || !$0.changeToken.isPresent }
    guard whole.isEmpty else {
      return Step(
        .import, .downloads,
        "\(Sentence.count(whole.count, "zone is", "zones are")) fetched from the beginning; objects are matched by record name.",
        isSure: false)
    }
    let since = try mirror.zones.compactMap(\.lastFetch).max()?.shortISO8601.map { " since \($0)" } ?? ""
    return Step(.import, .downloads, "What changed on the server\(since).", isSure: false)
  }

  private func exported(_ token: Step) throws -> Step {
    let unregistered = counts[.unregistered, default: 0]
    switch token.outcome {
    case .fails: return Step(.export, .fails, code: token.code, "No export can start from the token.")
    case .unknown: return Step(.export, .unknown, "It depends on the token.")
    case .wipes:
      let lost = counts.total - unregistered
      let words = lost > 0 ? " \(Sentence.count(lost, "pending change is", "pending changes are")) lost." : ""
      guard unregistered > 0, try mirror.scope != .shared else {
        return Step(.export, .nothing, "Nothing is left to upload.\(words)")
      }
      return Step(
        .export, .uploads, "\(Sentence.count(unregistered, "row")) without a record survive.\(words)")
    default: break
    }
    // The zone is gone, whether something is pending or not.
    let failure = try lastFailure(.export, .export)
    if let failure, failure.outcome == .wipes { return failure }
    let sent = counts.sent(scanning: try mirror.nextExportScans)
    guard sent > 0 else { return Step(.export, .nothing, "Nothing is pending.") }
    if let failure { return failure }
    return Step(
      .export, .uploads, "\(Sentence.count(sent, "change is", "changes are")) pending.", isSure: false)
  }

  /// If the last run failed with something that doesn't pass by itself, the next one fails the same way.
  private func lastFailure(_ kind: MirrorEvent.Kind, _ stage: LaunchForecast.Stage) throws -> Step? {
    guard let failure = try mirror.events[kind].failure, !failure.resolvesItself else { return nil }
    let words = Obstacle.words(failure, kind, try mirror.scope)
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
      "The last \(kind.name) failed: \(words.cause).", isSure: false, fix: words.fix)
  }

  /// Whether the mirror answers the error by deleting the zone's local objects: the user deleted the zone, or a share
  /// ended. A zone of the user's own that is only missing is made again, and without any zone it has already happened.
  private func deletesZone(_ failure: MirrorEvent) throws -> Bool {
    guard failure.errorDomain == "CKErrorDomain", try !mirror.zones.isEmpty else { return false }
    return try failure.errorCode == 28 || (failure.errorCode == 26 && mirror.scope == .shared)
  }
}

extension CloudKitModelCheck {
  /// The first breach and how many more there are; nil if there is none.
  fileprivate func summary(of entities: [EntityDescription]) -> String? {
    let all = breaches(entities)
    guard let first = all.first else { return nil }
    let more = all.count > 1 ? ", and \(all.count - 1) more" : ""
    return "\(first.entity).\(first.breach.property): \(first.breach.rule)\(more)"
  }
}

/// What the first launch with CloudKit does to a store that isn't mirrored yet.
struct FirstMirrorForecast {
  let steps: [LaunchForecast.Step]

  init(_ open: OpenStore, model: ManagedObjectModel?) throws {
    typealias Step = LaunchForecast.Step
    guard let model else {
      steps =
        [Step(.setUpMirror, .unknown, "The store's model can't be read; pass the app's with --model.")]
        + LaunchForecast.unreached([.checkAccount, .checkToken, .import, .export], "it depends on the setup")
      return
    }
    if let breach = CloudKitModelCheck(model).summary(of: model.entities) {
      steps =
        [
          Step(
            .setUpMirror, .fails, code: "134060", "The model breaks a rule of CloudKit: \(breach).",
            // The app may mirror a configuration that leaves the entity out.
            isSure: model.configurations.keys.filter { !$0.isEmpty }.isEmpty,
            fix: Rule.cloudKitModelIncompatible.header.remedy)
        ]
        + LaunchForecast.unreached(
          [.checkAccount, .checkToken, .import, .export], "setup has to succeed first")
      return
    }
    let rows = try open.store.rowCounts().values.reduce(0, +)
    steps = [
      Step(
        .setUpMirror, .succeeds, "The model follows CloudKit's rules; the mirror's tables are created.",
        isSure: false),
      Step(.checkAccount, .succeeds, "The store takes the iCloud user who is signed in.", isSure: false),
      Step(.checkToken, .succeeds, "There is no token yet: the exporter processes all of history."),
      Step(.import, .downloads, "Everything that the account has.", isSure: false),
      rows > 0
        ? Step(
          .export, .uploads, "A full export: \(Sentence.count(rows, "row")), of mirrored entities.",
          isSure: false)
        : Step(.export, .nothing, "The store has no objects."),
    ]
  }
}
