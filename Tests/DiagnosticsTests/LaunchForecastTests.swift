import Base
import Evidence
import Forge
import Foundation
import Lens
import StoreModel
import TestSupport
import Testing

@testable import Diagnostics

@Suite struct LaunchForecastTests {
  private let folder = TemporaryFolder("launch")

  /// How a life is broken before the launch that is forecast.
  enum Breakage: CaseIterable {
    case none, tokenGone, tokenForeign, identityHalf
  }

  /// What a launch of the simulated framework did.
  private struct Launch {
    var setUp: MirrorTruth.Event
    var export: MirrorTruth.Event?
    var wiped: Int

    /// Sets up, imports nothing, and exports.
    init(_ mirror: MirrorForge, account: String) throws {
      let living = mirror.forge.truth.objects.count
      mirror.switchMirroring(.on)
      try mirror.setUp(account: account)
      setUp = try #require(mirror.truth.events.last)
      if setUp.succeeded {
        try mirror.importChanges { _ in }
        try mirror.export()
        export = mirror.truth.events.last
      }
      wiped = living - mirror.forge.truth.objects.count
    }
  }

  /// `STORESCOPE_LONG=1` makes it 500 lives.
  private static let seeds: [UInt64] = Array(
    1...(ProcessInfo.processInfo.environment["STORESCOPE_LONG"] == nil ? 60 : 500))

  /// The forecast, and then the launch itself. What isn't sure rests on the last run, the server or the account, and the
  /// simulated ones do as they should: such a failure is left out.
  @Test(arguments: seeds, Breakage.allCases)
  func theLaunchGoesAsForecast(_ seed: UInt64, _ breakage: Breakage) throws {
    let mirror = try live(seed, folder)
    switch breakage {
    case .none: break
    case .tokenGone: try mirror.damageToken(.ahead)
    case .tokenForeign: try mirror.damageToken(.foreign)
    case .identityHalf: try mirror.forgetAccountName()
    }
    let (forecast, account) = try forecast(of: mirror)
    let launch = try Launch(mirror, account: account)
    let comment = Comment(rawValue: "seed \(seed), \(breakage): \(forecast.steps)")
    func outcome(_ stage: LaunchForecast.Stage) -> LaunchForecast.Outcome? {
      forecast.steps.first { $0.stage == stage }.flatMap {
        [.fails, .wipes].contains($0.outcome) && !$0.isSure ? nil : $0.outcome
      }
    }
    for step in forecast.steps where step.isSure {
      #expect(Self.isRight(step, launch), "\(step) of \(launch), \(comment)")
    }
    guard let setUp = outcome(.setUpMirror) else { return }
    #expect(
      (setUp == .fails) == (!launch.setUp.succeeded && launch.setUp.failure != .accountChanged), comment)
    #expect((outcome(.checkAccount) == .wipes) == (launch.setUp.failure == .accountChanged), comment)
    guard let export = launch.export else { return }
    // Unsure is what rests on the kind of database, which a store that was never set up doesn't record.
    if forecast.steps.contains(where: { $0.stage == .checkToken && ($0.isSure || $0.outcome == .nothing) }) {
      #expect((outcome(.checkToken) == .wipes) == (export.failure == .tokenExpired), comment)
      #expect((outcome(.checkToken) == .fails) == (export.failure == .foreignToken), comment)
    }
    if forecast.verdict == .safe {
      // A shared database without a share has nothing to export, and says so with an error.
      #expect(launch.wiped == 0 && launch.setUp.succeeded, comment)
      #expect(export.succeeded || export.failure == .notInitialised, comment)
    }
    guard export.succeeded, let outcome = outcome(.export), outcome != .unknown else { return }
    #expect((outcome == .uploads) == (export.affected > 0), comment)
  }

  /// Whether a step that was said to be certain went so.
  private static func isRight(_ step: LaunchForecast.Step, _ launch: Launch) -> Bool {
    let ending = launch.export?.failure
    return switch (step.stage, step.outcome) {
    case (_, .unknown): false
    case (.setUpMirror, .succeeds): launch.setUp.succeeded
    case (.setUpMirror, .fails): !launch.setUp.succeeded
    case (.checkAccount, .wipes): launch.setUp.failure == .accountChanged
    case (.checkAccount, _): launch.setUp.failure != .accountChanged
    case (.checkToken, .succeeds): ending != .tokenExpired && ending != .foreignToken
    case (.checkToken, .fails): !launch.setUp.succeeded || ending == .foreignToken
    case (.checkToken, .wipes): !launch.setUp.succeeded || ending == .tokenExpired
    case (.import, .nothing), (.checkToken, .nothing): !launch.setUp.succeeded
    case (.export, .nothing): (launch.export?.affected ?? 0) == 0
    case (.export, .uploads): (launch.export?.affected ?? 0) > 0
    case (.export, .fails): launch.export?.succeeded != true
    default: true
    }
  }

  /// A change of the model that `RandomMirrorLife` has, and what the launch makes of it in a mirrored store.
  struct Renaming: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var outcome: LaunchForecast.Outcome
    var edit: @Sendable (inout ManagedObjectModel) -> Void

    static func relationship(
      _ entity: String, _ name: String, _ inverse: (entity: String, name: String),
      in model: inout ManagedObjectModel
    ) {
      for index in model.entities.indices {
        for property in model.entities[index].relationships.indices {
          if model.entities[index].name == entity, model.entities[index].relationships[property].name == name
          {
            model.entities[index].relationships[property].name = name + "Renamed"
            model.entities[index].relationships[property].renamingIdentifier = name
          } else if model.entities[index].name == inverse.entity,
            model.entities[index].relationships[property].name == inverse.name
          {
            model.entities[index].relationships[property].inverse = name + "Renamed"
          }
        }
      }
    }

    static func entity(_ name: String, in model: inout ManagedObjectModel) {
      for index in model.entities.indices {
        if model.entities[index].superentity == name { model.entities[index].superentity = name + "Renamed" }
        for property in model.entities[index].relationships.indices
        where model.entities[index].relationships[property].destination == name {
          model.entities[index].relationships[property].destination = name + "Renamed"
        }
        guard model.entities[index].name == name else { continue }
        model.entities[index].name = name + "Renamed"
        model.entities[index].renamingIdentifier = name
      }
      model.configurations = model.configurations.mapValues { names in
        Set(names.map { $0 == name ? name + "Renamed" : $0 })
      }
    }

    static let all = [
      Renaming(testDescription: "an entity", outcome: .fails) { entity("Tag", in: &$0) },
      Renaming(testDescription: "a parent", outcome: .fails) { entity("Person", in: &$0) },
      Renaming(testDescription: "a sub-entity", outcome: .fails) {
        entity("Employee", in: &$0)
      },
      Renaming(testDescription: "a parent's many-to-many relationship", outcome: .fails) {
        relationship("Person", "tags", ("Tag", "people"), in: &$0)
      },
      Renaming(testDescription: "a to-one relationship", outcome: .fails) {
        relationship("Note", "owner", ("Person", "notes"), in: &$0)
      },
      Renaming(testDescription: "a to-many relationship", outcome: .fails) {
        relationship("Person", "notes", ("Note", "owner"), in: &$0)
      },
      Renaming(testDescription: "an attribute", outcome: .unknown) { model in
        guard let index = model.entities.firstIndex(where: { $0.name == "Tag" }) else { return }
        model.entities[index].attributes[0].name = "title"
        model.entities[index].attributes[0].renamingIdentifier = "label"
      },
      Renaming(testDescription: "a renaming ID and nothing else", outcome: .nothing) { model in
        guard let index = model.entities.firstIndex(where: { $0.name == "Tag" }) else { return }
        model.entities[index].renamingIdentifier = "Category"
        model.entities[index].attributes[0].renamingIdentifier = "title"
      },
    ]
  }

  /// "CloudKit integration forbids renaming": a launch that migrates so was called safe, and CloudKit was said to take the
  /// renamed entity for a new record type. What isn't known of attributes, and of a store whose mirroring only begins, is
  /// said not to be.
  @Test(arguments: Renaming.all, [true, false]) func renamingsMeetTheMirror(
    _ renaming: Renaming, _ isMirrored: Bool
  ) throws {
    let forge = try StoreForge(path: folder.path("App.store"), model: RandomMirrorLife.model)
    if isMirrored {
      let mirror = try MirrorForge(forge, layout: .v17, configuration: "Cloud")
      try mirror.setUp()
      try mirror.save(author: "app") { save in
        for entity in ["Person", "Employee", "Tag", "Note"] { _ = try save.insert(entity) }
      }
      try mirror.export()
    } else {
      try forge.save(author: "app") { _ = try $0.insert("Tag") }
    }
    try forge.close()
    var model = RandomMirrorLife.model
    renaming.edit(&model)
    let open = try OpenStore(at: forge.path)
    let candidate = ModelCandidate(name: "New", decoded: DecodedModel(model: model), isVerified: false)
    let app = try AppModel(["New"], ofStore: { _ in candidate }, of: open.store)
    let forecast = try LaunchForecast(open, app, assumesCloudKit: !isMirrored)
    let plain = try LaunchForecast(open, app)
    try open.bytes().finish()
    let step = try forecast.step(.migrate)
    let comment = Comment(rawValue: "\(forecast.steps)")
    guard renaming.outcome != .nothing else {
      #expect(step.outcome == .nothing && forecast.verdict == .safe, comment)
      return
    }
    if isMirrored {
      #expect(step.outcome == renaming.outcome && !step.isSure, comment)
      #expect(step.code == (step.outcome == .fails ? "134110" : nil), comment)
      #expect(forecast.verdict != .safe, comment)
    } else if renaming.outcome == .fails {
      // Without a mirror Core Data renames whatever has a renaming ID.
      #expect(step.outcome == .unknown && !step.isSure, comment)
      #expect(plain.steps.first { $0.stage == .migrate }?.outcome == .succeeds, comment)
    }
    #expect(!forecast.steps.contains { $0.because.contains("record type") }, comment)
  }

  /// Each model of the suite against each store of it, mirrored and not. Where the answer is sure it is right by what can be
  /// checked without the code under test; where two models have nothing but names in common it isn't sure.
  @Test(arguments: FixtureModels.all.map(\.description)) func allModelPairs(_ name: String) throws {
    let old = try #require(FixtureModels.all.first { $0.description == name }).model
    let forge = try StoreForge(path: folder.path("App.store"), model: old)
    try forge.save(author: "app") { save in
      for entity in old.entities where !entity.isAbstract { _ = try save.insert(entity.name) }
    }
    try forge.close()
    for other in FixtureModels.all {
      let open = try OpenStore(at: forge.path)
      let candidate = ModelCandidate(
        name: "New", decoded: DecodedModel(model: other.model), isVerified: false)
      let app = try AppModel(["New"], ofStore: { _ in candidate }, of: open.store)
      let forecast = try LaunchForecast(open, app)
      try open.bytes().finish()
      let step = try forecast.step(.migrate)
      let isSame = other.description == name
      #expect((step.outcome == .nothing) == isSame, "\(name) to \(other): \(step)")
      #expect((forecast.verdict == .safe) == isSame, "\(name) to \(other): \(step)")
      #expect(!step.isSure, "\(name) to \(other): \(step)")
    }
  }

  /// What comes after a step that probably fails isn't certain not to be reached.
  @Test func whatIsProbablyNotReachedIsNotCertain() throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { mirror in
      for _ in 0..<3 { try mirror.run(.setup, failing: .incompatibleModel) }
    }
    let last = try #require(forecast.steps.last)
    #expect(forecast.decisive?.stage == .setUpMirror && forecast.decisive?.isSure == false)
    #expect(last.outcome == .nothing && !last.isSure)
  }

  /// Flags of zones whose contents have to be uploaded again were nothing to the export.
  @Test(arguments: [
    "ZNEEDSRECOVERYFROMIDENTITYLOSS", "ZNEEDSRECOVERYFROMZONEDELETE", "ZNEEDSRECOVERYFROMUSERPURGE",
  ])
  func aZoneInNeedOfRecoveryIsNotSafe(_ flag: String) throws {
    let forecast = try LaunchForecast.ofExample(in: folder) {
      try $0.run("UPDATE ANSCKRECORDZONEMETADATA SET \(flag) = 1")
    }
    #expect(forecast.verdict == .unknown && forecast.decisive?.stage == .export, "\(forecast.steps)")
  }

  /// Exports that fail because related objects are in two zones were put down to the model.
  @Test(arguments: [134_040, 134_060], [true, false]) func objectsInTwoZonesAreNamed(
    _ code: Int, _ isSplit: Bool
  )
    throws
  {
    let path = folder.path("App.store")
    try ExampleStore.mirrored(path) { mirror in
      let note = try mirror.object("Note")
      if isSplit {
        try mirror.share([note])
      } else {
        try mirror.save(author: "app") { try $0.update(note, ["text": "write"]) }
      }
      for _ in 0..<3 { try mirror.run(.export, failing: .incompatibleModel) }
      try mirror.run("UPDATE ANSCKEVENT SET ZERRORCODE = \(code) WHERE ZERRORCODE = 134060")
    }
    let open = try OpenStore(at: path)
    let mirror = try #require(try open.mirror())
    let verdict = try VerdictReader.verdict(mirror, counts: PendingReader(mirror).counts)
    let export = try #require(try LaunchForecast(open, nil).steps.last)
    let note = ObjectKey(entity: try open.store.entity(named: "Note").number, primaryKey: 1)
    let trace = try TraceReader(open).trace(of: note, hasSteps: false).verdict
    try open.bytes().finish()
    #expect(export.outcome == .fails && export.code == "\(code)", "\(export)")
    for text in [verdict.obstacles.first?.cause ?? "", export.because, trace.reasons.joined()] {
      #expect(text.contains("Note/p1 in zone 'com.apple.coredata.cloudkit.share.") == isSplit, "\(text)")
      #expect(
        text.contains("and Person/p1 in zone 'com.apple.coredata.cloudkit.zone' (Note.owner)") == isSplit,
        "\(text)")
      #expect(!isSplit || !text.contains("model"), "\(text)")
    }
    for fix in [verdict.obstacles.first?.fix, export.fix, trace.fix] {
      #expect(fix?.contains("relationship-across-zones") == true)
    }
  }

  /// A record type that production lacks: the export that fails again is forecast with its error, as far as the last runs
  /// show it, and nothing is lost.
  @Test(arguments: Array(1...60 as ClosedRange<UInt64>)) func rejectedRecordsAreRejectedAgain(_ seed: UInt64)
    throws
  {
    let mirror = try live(seed, folder)
    mirror.switchMirroring(.on)
    _ = try mirror.save(author: "app") { try $0.insert("Tag", ["label": "rejected"]) }
    try mirror.export(.failure(.partialFailure))
    guard mirror.truth.events.last?.failure == .partialFailure else { return }
    let (forecast, _) = try forecast(of: mirror)
    let comment = Comment(rawValue: "seed \(seed): \(forecast.steps)")
    let export = try #require(forecast.steps.last)
    // An account that the launch wipes for has nothing left to export.
    guard
      !forecast.steps.contains(where: {
        $0.outcome == .wipes || ($0.outcome == .fails && $0.stage != .export)
      })
    else { return }
    #expect(export.outcome == .fails && export.code == "CKErrorDomain:2" && !export.isSure, comment)
    let living = mirror.forge.truth.objects.count
    try mirror.export(.failure(.partialFailure))
    #expect(mirror.truth.events.last?.failure == .partialFailure, comment)
    #expect(mirror.forge.truth.objects.count == living, comment)
  }

  /// A zone that the user deleted was called a failed export, though the mirror then deletes the zone's objects; without
  /// anything pending nothing was said at all. A missing zone of the user's own is made again.
  @Test(arguments: [(MirrorFailure.userDeletedZone, true), (.zoneNotFound, false)], [true, false])
  func aDeletedZoneLosesData(_ failure: (MirrorFailure, losesData: Bool), _ hasPending: Bool) throws {
    let forecast = try LaunchForecast.ofExample(in: folder) { mirror in
      if hasPending { _ = try mirror.save(author: "app") { try $0.insert("Tag") } }
      try mirror.export(.failure(failure.0))
    }
    #expect(
      forecast.verdict == (failure.losesData ? .losesData : hasPending ? .fails : .safe),
      "\(forecast.steps)")
    guard failure.losesData else { return }
    #expect(forecast.decisive?.stage == .export && forecast.decisive?.code == "CKErrorDomain:28")
    #expect(forecast.decisive?.because.contains("deletes the local objects of that zone") == true)
    #expect(forecast.steps.first { $0.stage == .import }?.outcome == .nothing)
  }

  /// A mirror without some of its tables was set up as if nothing had happened, against what the rule says of it.
  @Test func missingTablesOfTheMirrorDecide() throws {
    let forecast = try LaunchForecast.ofExample(in: folder) {
      try $0.run("DROP TABLE ANSCKIMPORTOPERATION")
    }
    #expect(forecast.verdict == .unknown && forecast.decisive?.stage == .setUpMirror, "\(forecast.steps)")
    #expect(forecast.decisive?.because.contains("ANSCKIMPORTOPERATION is missing") == true)
    #expect(forecast.decisive?.fix == Rule.mirrorTablesPartial.header.remedy)
    #expect(forecast.steps.last?.because.hasPrefix("Not reached") == true)
  }

  /// How many there are was said, and the name of one.
  @Test func allMissingTablesAreListed() throws {
    let forecast = try LaunchForecast.ofExample(in: folder) {
      try $0.run("DROP TABLE ANSCKIMPORTOPERATION", "DROP TABLE ANSCKHISTORYANALYZERSTATE")
    }
    let reasons = forecast.decisive?.reasons.map(\.because) ?? []
    #expect(
      Set(reasons) == [
        "Table ANSCKIMPORTOPERATION is missing.", "Table ANSCKHISTORYANALYZERSTATE is missing.",
      ])
  }

  /// Nothing in the store shows who will be signed in: a store that belongs to somebody says what another account does.
  @Test(arguments: Array(1...60 as ClosedRange<UInt64>)) func anotherAccountIsAnnounced(_ seed: UInt64) throws
  {
    let mirror = try live(seed, folder)
    let (forecast, account) = try forecast(of: mirror)
    guard let step = forecast.steps.first(where: { $0.stage == .checkAccount }), step.outcome == .succeeds
    else {
      return
    }
    let launch = try Launch(mirror, account: account + "-another")
    let isAnnounced = step.because.contains("134405")
    #expect(!step.isSure)
    #expect(
      isAnnounced == (launch.setUp.failure == .accountChanged),
      "seed \(seed): \(step), \(launch.setUp)")
  }

  /// The rule that the app's model breaks fails the setup, for as long as the model does.
  @Test(arguments: Array(1...60 as ClosedRange<UInt64>)) func aModelThatCloudKitRefusesFailsTheSetup(
    _ seed: UInt64
  ) throws {
    let mirror = try live(seed, folder)
    let open = try OpenStore(at: mirror.forge.path)
    var model = RandomMirrorLife.model
    let index = try #require(model.entities.firstIndex { $0.name == "Note" })
    model.entities[index].relationships[0].isOrdered = true
    let reader = try #require(try open.mirror())
    let isMirrored = try reader.mirroredEntities().countsRows(of: #require(open.store.schema["Note"]).number)
    let steps = try MirrorForecast(reader, model: model, isAppsModel: true, migrates: true).steps
    try open.opened?.finish()
    mirror.switchMirroring(.on)
    try mirror.setUp(failing: .incompatibleModel)
    let failure = try #require(mirror.truth.events.last?.failure)
    guard isMirrored, steps.first?.outcome != .unknown else { return }
    #expect(steps.first?.outcome == .fails && steps.first?.isSure == true)
    #expect(steps.first?.code == "\(failure.code)")
    #expect(steps.dropFirst().allSatisfy { $0.outcome == .nothing })
  }

  private func live(_ seed: UInt64, _ folder: TemporaryFolder) throws -> MirrorForge {
    try RandomMirrorLife.live(
      seed: seed, steps: 10 + Int(seed % 50), layout: seed % 2 == 0 ? .v16 : .v17,
      path: folder.path("App.store"), scope: [.private, .private, .shared][Int(seed % 3)])
  }

  private func forecast(of mirror: MirrorForge) throws -> (LaunchForecast, account: String) {
    let open = try OpenStore(at: mirror.forge.path)
    let forecast = try LaunchForecast(open, nil)
    let name = try open.mirror()?.entries[MetadataKey.identityRecordName]?.value.text
    try open.opened?.finish()
    return (forecast, name ?? MirrorForge.someAccount)
  }
}

extension LaunchForecast {
  /// Of the healthy mirrored store, after a change.
  static func ofExample(in folder: TemporaryFolder, _ change: (MirrorForge) throws -> Void) throws -> Self {
    let path = folder.path("App.store")
    try ExampleStore.mirrored(path, change)
    let open = try OpenStore(at: path)
    let forecast = try Self(open, nil)
    try open.bytes().finish()
    return forecast
  }

  func step(_ stage: Stage) throws -> Step { try #require(steps.first { $0.stage == stage }) }
}
