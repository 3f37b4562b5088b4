import Base
import Lens
import StoreModel

/// What the mirror does at the next launch. It sets itself up, asks for the account, imports, and compares the token with
/// history when it exports.
struct MirrorForecast {
  private typealias Step = LaunchForecast.Step
  private(set) var steps: [LaunchForecast.Step] = []
  private let mirror: Mirror
  private let counts: [PendingItem.Kind: Int]
  private let migrates: Bool
  private let growth: SchemaGrowth

  /// - Parameters:
  ///   - model: what the app brings; nil if it isn't known.
  ///   - migrates: whether the store is migrated first.
  init(
    _ mirror: Mirror, model: ManagedObjectModel?, isAppsModel: Bool, migrates: Bool,
    growth: SchemaGrowth = SchemaGrowth([])
  ) throws {
    self.mirror = mirror
    self.migrates = migrates
    self.growth = growth
    counts = try PendingReader(mirror, tracesCauses: false).counts
    try forecast(model, isAppsModel)
  }

  private mutating func forecast(_ model: ManagedObjectModel?, _ isAppsModel: Bool) throws {
    var setUp = try mirror.setUpStep(model, isAppsModel)
    if setUp.outcome == .succeeds, case let lost = try mirror.lostRecords(), let loss = lost.sentence {
      setUp = Step(
        .setUpMirror, .unknown, loss, isSure: false, fix: LostRecords.fix,
        alarm:
          "The next launch may make \(Sentence.count(lost.count, "object")) appear twice on all devices.")
    }
    let account = try mirror.accountStep()
    steps = [setUp]
    if !mirror.missingTables.isEmpty {
      steps += LaunchForecast.unreached(
        [.checkAccount, .checkToken, .import, .export], "it depends on the missing tables", isSure: false)
    } else if setUp.outcome == .fails || setUp.outcome == .wipes {
      steps += LaunchForecast.unreached(
        [.checkAccount, .checkToken, .import, .export], "setup has to succeed first", isSure: setUp.isSure)
    } else if account.outcome == .wipes {
      steps += [
        account, Step(.checkToken, .nothing, "The wipe removes the token.", isSure: account.isSure),
        Step(.import, .downloads, "Everything that the account has is fetched.", isSure: false),
        Step(.export, .nothing, "Nothing is left to upload.", isSure: account.isSure),
      ]
    } else if try mirror.scope == .shared, try mirror.zones.isEmpty {
      steps +=
        [account]
        + LaunchForecast.unreached(
          [.checkToken, .import, .export], "nothing is shared with this account, as far as the store shows",
          isSure: false)
    } else {
      var token = try token()
      // Before the first setup the store doesn't record its database; a shared one exports nothing without a share.
      if try mirror.scope == nil, try mirror.zones.isEmpty { token.isSure = false }
      // A mapping model makes another store, whose history doesn't have the transaction.
      if migrates, [.succeeds, .nothing].contains(token.outcome) { token.isSure = false }
      steps += [account, token, try imported(isWiped: token.outcome == .wipes), try exported(token)]
      if let model, let last = steps.indices.last,
        let note = try growth.note(among: Set(mirror.mirroredEntities(of: model).map(\.name)))
      {
        steps[last].because += " \(note)"
      }
    }
  }

  private func token() throws -> Step {
    guard mirror.tables.hasHistory else {
      return Step(
        .checkToken, .unknown,
        "The store keeps no history, which exports need: what one makes of that isn't known.", isSure: false)
    }
    let token = try mirror.token
    if let obstacle = Obstacle.of(token) {
      let isForeign = token.state == .foreign
      return Step(
        .checkToken, isForeign ? .fails : .wipes, code: isForeign ? "134501" : "134301",
        obstacle.sentence + (isForeign ? "" : try wiped()), fix: obstacle.fix)
    }
    return switch token.state {
    case .missing:
      Step(
        .checkToken, .succeeds,
        try mirror.hasExported()
          ? "There is no history token, although there were exports: the next one processes all of history, and again uploads what the app ever touched. A deletion that isn't exported yet may be skipped."
          : "There is no token yet: the exporter processes all of history.", isSure: false)
    case .unreadable:
      Step(
        .checkToken, .unknown,
        "The history token can't be read or compared: \(token.problem ?? "its archive is damaged").",
        fix: token.token == nil
          ? Obstacle.rescan : "Back the store up before the next launch, which may delete what is here.")
    default:
      Step(
        .checkToken, .succeeds,
        "Transaction \(token.transaction.map(String.init) ?? "?"), which the token refers to, is in history.")
    }
  }

  /// How many objects have records.
  private func wiped() throws -> String {
    let count = try mirror.lostRecords().registered
    return count > 0 ? " It deletes \(Sentence.count(count, "object")) here." : ""
  }

  private func imported(isWiped: Bool) throws -> Step {
    if isWiped {
      return Step(.import, .downloads, "After the wipe everything is fetched again.", isSure: false)
    }
    if let step = try mirror.lastFailure(.import, .import) { return step }
    if let failure = try mirror.events[.export].failure, try mirror.deletesZone(failure) {
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
    let since = try mirror.zones.compactMap(\.lastFetch).max()?.iso8601.map { " since \($0)" } ?? ""
    return Step(.import, .downloads, "What changed on the server\(since).", isSure: false)
  }

  private func exported(_ token: Step) throws -> Step {
    switch token.outcome {
    case .fails:
      return Step(
        .export, .fails, code: token.code, "No export can start from the token.", isSure: token.isSure)
    case .unknown: return Step(.export, .unknown, "It depends on the token.", isSure: false)
    case .wipes:
      let survivors = try mirror.lostRecords().unregistered
      let lost = max(0, counts.total - survivors)
      let words = lost > 0 ? " \(Sentence.count(lost, "pending change is", "pending changes are")) lost." : ""
      guard survivors > 0, try mirror.scope != .shared else {
        return Step(.export, .nothing, "Nothing is left to upload.\(words)", isSure: false)
      }
      return Step(
        .export, .uploads,
        "\(Sentence.count(survivors, "object")) without a record \(Sentence.form(survivors, "survives and is", "survive and are")) uploaded later.\(words)",
        isSure: false)
    default: break
    }
    // The zone is gone, whether something is pending or not.
    let failure = try mirror.lastFailure(.export, .export)
    if let failure, failure.outcome == .wipes { return failure }
    let recovered = try mirror.zones.filter { !$0.flags.isDisjoint(with: MirrorZone.Flag.recovery) }
    guard recovered.isEmpty else {
      return Step(
        .export, .unknown,
        MirrorZone.remarks(recovered).joined(separator: " ") + " What the launch makes of that isn't known.",
        isSure: false, fix: Rule(PackageResources.zone_needs_recovery_sql).header.remedy)
    }
    let sent = counts.sent(scanning: try mirror.nextExportScans)
    let leftOut = try leftOut()
    let rest = leftOut.map { " " + $0.sentence } ?? ""
    // What the import finds may have to be answered: a zone that is gone is made again and filled.
    guard sent > 0 else { return Step(.export, .nothing, "Nothing is pending.\(rest)", isSure: false) }
    if var failure {
      failure.because += rest
      if let leftOut, let fix = failure.fix { failure.fix = "\(fix) \(leftOut.fix)" }
      return failure
    }
    if let cause = try ZoneSplits(mirror).cause() {
      return Step(
        .export, .unknown, code: "134060",
        "\(Sentence.begun(cause)). If one of them is sent, the export fails.\(rest)", isSure: false,
        fix: ZoneSplits.fix)
    }
    return Step(
      .export, .uploads, "\(Sentence.count(sent, "change is", "changes are")) pending.\(rest)",
      isSure: false)
  }

  /// The rows that no regular export uploads, whether or not exports succeed.
  private func leftOut() throws -> (sentence: String, fix: String)? {
    let count = counts[.unregistered, default: 0]
    guard count > 0, try !mirror.nextExportScans else { return nil }
    let rows = Sentence.count(count, "row")
    let without = "without a record"
    guard try mirror.scope != .shared else {
      return (
        "In a shared database no export uploads the \(rows) \(without).",
        "The \(rows) \(without) \(Sentence.form(count, "has", "have")) to be saved again by the app."
      )
    }
    let isLost = try mirror.lostRecords().isEmpty == false
    return (
      "Regular exports leave out \(rows) \(without).",
      isLost
        ? "That doesn't upload the \(rows) \(without). \(LostRecords.fix)"
        : "That doesn't upload the \(rows) \(without): 'storescope repair STORE register-missing' does."
    )
  }
}
