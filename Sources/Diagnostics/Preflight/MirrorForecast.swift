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
    let setUp = try MirrorSetUpForecast(mirror).step(model, isAppsModel)
    let account = try AccountForecast(mirror).step()
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
        try MirrorSetUpForecast(mirror).mirroredEntities(of: model).contains(where: {
          grown.contains($0.name)
        })
      {
        steps[last].because +=
          " The app's model has new fields: deploy the schema to CloudKit's production environment before the release, or exports of them fail."
      }
    }
  }

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
    if let step = try LastRun(mirror).failure(.import, .import) { return step }
    if let failure = try mirror.events[.export].failure, try LastRun(mirror).deletesZone(failure) {
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
    let failure = try LastRun(mirror).failure(.export, .export)
    if let failure, failure.outcome == .wipes { return failure }
    let sent = counts.sent(scanning: try mirror.nextExportScans)
    guard sent > 0 else { return Step(.export, .nothing, "Nothing is pending.") }
    if let failure { return failure }
    return Step(
      .export, .uploads, "\(Sentence.count(sent, "change is", "changes are")) pending.", isSure: false)
  }
}
