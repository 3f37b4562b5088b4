package import Base
package import Lens
import StoreModel

/// What the app's next launch does to the store, step by step in the framework's order.
package struct LaunchForecast: HasFields, Sendable, Equatable {
  package enum Stage: String, FieldWord, Sendable {
    case open, migrate, setUpMirror, checkAccount, checkToken, `import`, export
  }

  package enum Outcome: String, FieldWord, Sendable {
    case succeeds, fails, wipes, uploads, downloads, nothing, unknown
  }

  package enum Verdict: String, FieldWord, Sendable {
    case safe, fails, losesData, unknown
  }

  /// One of the things that an outcome rests on.
  package struct Reason: HasFields, Sendable, Equatable {
    package var because: String
    /// As in `Step`; nil if it isn't an error.
    package var code: String?
    package var fix: String?

    init(_ because: String, code: String? = nil, fix: String? = nil) {
      self.because = because
      self.code = code
      self.fix = fix
    }

    package static let fields: [Field<Self>] = [
      Field("because", "why") { $0.because },
      Field("code", "the error that it would end in") { $0.code },
      Field("fix", "what to do about it") { $0.fix },
    ]
  }

  package struct Step: HasFields, Sendable, Equatable {
    package var stage: Stage
    package var outcome: Outcome
    /// The error that it ends in, as `explain` takes it: `134301`, `CKErrorDomain:25`.
    package var code: String?
    package var because: String
    /// Whether the store itself decides it; else it also depends on the server, the account or the app.
    package var isSure: Bool
    /// What to do before the launch, in sentences; nil if there is nothing to do, or nothing is known.
    package var fix: String?
    /// All obstacles, or all that is lost, if `because` can't list them; else empty.
    package var reasons: [Reason]
    /// What to say first, a sentence, if the launch does damage that no outcome stands for.
    package var alarm: String?

    init(
      _ stage: Stage, _ outcome: Outcome, code: String? = nil, _ because: String, isSure: Bool = true,
      fix: String? = nil, reasons: [Reason] = [], alarm: String? = nil
    ) {
      self.alarm = alarm
      self.reasons = reasons.count > 1 ? reasons : []
      self.fix = fix
      self.stage = stage
      self.outcome = outcome
      self.code = code
      self.because = because
      // What isn't known is never certain.
      self.isSure = isSure && outcome != .unknown
    }

    package static let fields: [Field<Self>] = [
      Field("step", "the step, in the framework's order") { $0.stage },
      Field("outcome", "what it comes to") { $0.outcome },
      Field("code", "the error that it ends in, as 'explain' takes it") { $0.code },
      Field("because", "why") { $0.because },
      Field("sure", "whether the store decides it, and not also the server, the account or the app") {
        $0.isSure
      },
      Field("fix", "what to do before the launch") { $0.fix },
      Field("reasons", "all obstacles or losses, if 'because' can't list them") { $0.reasons },
    ]
  }

  package let steps: [Step]

  init(_ steps: [Step]) { self.steps = steps }

  /// What fetches end in if a table or a column is missing.
  package static let failedFetch = "256"

  /// - Parameter isSure: as what keeps them from being reached.
  static func unreached(_ stages: [Stage], _ because: String, isSure: Bool) -> [Step] {
    stages.map { Step($0, .nothing, "Not reached: \(because).", isSure: isSure) }
  }

  /// The worst outcome decides: what comes after a failure isn't reached.
  package var verdict: Verdict {
    switch worst?.outcome {
    case .wipes: .losesData
    case .fails: .fails
    case .unknown: .unknown
    case .succeeds, .uploads, .downloads, .nothing, nil: .safe
    }
  }

  /// The step to speak of; nil if nothing goes wrong. A failure is over with the next launch, other than damage.
  package var decisive: Step? {
    let worst = worst
    return worst?.outcome == .wipes ? worst : steps.first { $0.alarm != nil } ?? worst
  }

  private var worst: Step? {
    [Outcome.wipes, .fails, .unknown].lazy.compactMap { outcome in
      steps.first { $0.outcome == outcome }
    }.first
  }

  package static let fields: [Field<Self>] = [
    Field("steps", "what the launch does") { $0.steps },
    Field("verdict", "what it comes to") { $0.verdict },
  ]
}

extension LaunchForecast {
  /// - Parameters:
  ///   - app: nil if the app's model isn't known.
  ///   - assumesCloudKit: whether the app will mirror the store even if it doesn't yet.
  package init(_ open: OpenStore, _ app: AppModel? = nil, assumesCloudKit: Bool = false) throws {
    let migration = try MigrationForecast(open, app, assumesCloudKit: assumesCloudKit)
    var steps = migration.steps
    let mirrored: [Stage] = [.setUpMirror, .checkAccount, .checkToken, .import, .export]
    let model = app?.current.model ?? open.store.model
    if let failed = steps.first(where: { $0.outcome == .fails || $0.stage == .open && $0.outcome == .wipes })
    {
      let rest = failed.stage == .open ? [.migrate] + mirrored : mirrored
      steps += Self.unreached(rest, Self.reason(after: failed), isSure: failed.isSure)
    } else if let mirror = try open.mirror() {
      steps +=
        try MirrorForecast(
          mirror, model: model, isAppsModel: app != nil, migrates: migration.migrates,
          growth: migration.growth
        ).steps
    } else if assumesCloudKit {
      steps += try Self.firstMirror(open, model)
    } else {
      // A container with CloudKit options mirrors whatever store it opens.
      steps += mirrored.map { Step($0, .nothing, "The store isn't mirrored.", isSure: false) }
    }
    self.init(steps)
  }

  private static func reason(after failed: Step) -> String {
    if failed.outcome == .wipes { return "nothing of it is left" }
    return failed.stage == .open && failed.code == failedFetch
      ? "the tables don't fit the model" : "the store doesn't open"
  }

  /// What the first launch with CloudKit does to a store that isn't mirrored yet.
  private static func firstMirror(_ open: OpenStore, _ model: ManagedObjectModel?) throws -> [Step] {
    guard let model else {
      return [Step(.setUpMirror, .unknown, "The store's model can't be read; pass the app's with --model.")]
        + unreached([.checkAccount, .checkToken, .import, .export], "it depends on the setup", isSure: false)
    }
    let isWhole = model.configurations.keys.filter { !$0.isEmpty }.isEmpty
    let doubt = isWhole ? nil : "the app may mirror a configuration that leaves the entity out"
    if let refusal = CloudKitModelCheck(model).refusal(of: model.entities, doubt: doubt) {
      return [refusal]
        + unreached(
          [.checkAccount, .checkToken, .import, .export], "setup has to succeed first", isSure: refusal.isSure
        )
    }
    let rows = try open.store.rowCounts().values.reduce(0, +)
    return [
      Step(
        .setUpMirror, .succeeds, "The model follows CloudKit's rules; the mirror's tables are created.",
        isSure: false),
      Step(.checkAccount, .succeeds, "The store takes the iCloud user who is signed in.", isSure: false),
      Step(
        .checkToken, .succeeds, "There is no token yet: the exporter processes all of history.",
        isSure: false),
      Step(.import, .downloads, "Everything that the account has.", isSure: false),
      rows > 0
        ? Step(
          .export, .uploads, "A full export: \(Sentence.count(rows, "row")), of mirrored entities.",
          isSure: false)
        : Step(.export, .nothing, "The store has no objects.", isSure: false),
    ]
  }
}
