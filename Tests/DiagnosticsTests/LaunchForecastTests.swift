import Evidence
import Forge
import Lens
import StoreModel
import TestSupport
import Testing
import Values

@testable import Diagnostics

@Suite struct LaunchForecastTests {
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

  /// The forecast, and then the launch itself. What isn't sure rests on the last run, the server or the account, and the
  /// simulated ones do as they should: such a failure is left out.
  @Test(arguments: Array(1...60 as ClosedRange<UInt64>), Breakage.allCases)
  func theLaunchGoesAsForecast(_ seed: UInt64, _ breakage: Breakage) throws {
    let folder = try TemporaryFolder("launch")
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
    if forecast.verdict == .safe { #expect(launch.wiped == 0, comment) }
    guard export.succeeded, let outcome = outcome(.export) else { return }
    #expect((outcome == .uploads) == (export.affected > 0), comment)
  }

  /// A record type that production lacks: the export that fails again is forecast with its error, as far as the last runs
  /// show it, and nothing is lost.
  @Test(arguments: Array(1...60 as ClosedRange<UInt64>)) func rejectedRecordsAreRejectedAgain(_ seed: UInt64)
    throws
  {
    let folder = try TemporaryFolder("launch")
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
    let folder = try TemporaryFolder("launch")
    let path = folder.path("App.store")
    try ExampleStore.mirrored(path) { mirror in
      if hasPending { _ = try mirror.save(author: "app") { try $0.insert("Tag") } }
      try mirror.export(.failure(failure.0))
    }
    let open = try OpenStore(at: path)
    let forecast = try LaunchForecast(open, nil)
    try open.bytes().finish()
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
    let folder = try TemporaryFolder("launch")
    let path = folder.path("App.store")
    try ExampleStore.mirrored(path) { mirror in
      try mirror.run("DROP TABLE ANSCKIMPORTOPERATION")
    }
    let open = try OpenStore(at: path)
    let forecast = try LaunchForecast(open, nil)
    try open.bytes().finish()
    #expect(forecast.verdict == .unknown && forecast.decisive?.stage == .setUpMirror, "\(forecast.steps)")
    #expect(forecast.decisive?.because.contains("ANSCKIMPORTOPERATION is missing") == true)
    #expect(forecast.decisive?.fix == Rule.mirrorTablesPartial.header.remedy)
    #expect(forecast.steps.last?.because.hasPrefix("Not reached") == true)
  }

  /// How many there are was said, and the name of one.
  @Test func allMissingTablesAreListed() throws {
    let folder = try TemporaryFolder("launch")
    let path = folder.path("App.store")
    try ExampleStore.mirrored(path) { mirror in
      try mirror.run("DROP TABLE ANSCKIMPORTOPERATION")
      try mirror.run("DROP TABLE ANSCKHISTORYANALYZERSTATE")
    }
    let open = try OpenStore(at: path)
    let reasons = try LaunchForecast(open, nil).decisive?.reasons.map(\.because) ?? []
    try open.bytes().finish()
    #expect(
      Set(reasons) == [
        "Table ANSCKIMPORTOPERATION is missing.", "Table ANSCKHISTORYANALYZERSTATE is missing.",
      ])
  }

  /// Nothing in the store shows who will be signed in: a store that belongs to somebody says what another account does.
  @Test(arguments: Array(1...60 as ClosedRange<UInt64>)) func anotherAccountIsAnnounced(_ seed: UInt64) throws
  {
    let folder = try TemporaryFolder("launch")
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
    let folder = try TemporaryFolder("launch")
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
