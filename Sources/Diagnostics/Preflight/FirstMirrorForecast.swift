import Lens
import StoreModel
import Values

/// What the first launch with CloudKit does to a store that isn't mirrored yet.
struct FirstMirrorForecast {
  let steps: [LaunchForecast.Step]

  init(_ open: OpenStore, model: ManagedObjectModel?) throws {
    typealias Step = LaunchForecast.Step
    guard let model else {
      steps =
        [Step(.setUpMirror, .unknown, "The store's model can't be read; pass the app's with --model.")]
        + LaunchForecast.unreached(
          [.checkAccount, .checkToken, .import, .export], "it depends on the setup", isSure: false)
      return
    }
    let isWhole = model.configurations.keys.filter { !$0.isEmpty }.isEmpty
    let doubt = isWhole ? nil : "the app may mirror a configuration that leaves the entity out"
    if let refusal = CloudKitModelCheck(model).refusal(of: model.entities, doubt: doubt) {
      steps =
        [refusal]
        + LaunchForecast.unreached(
          [.checkAccount, .checkToken, .import, .export], "setup has to succeed first", isSure: refusal.isSure
        )
      return
    }
    let rows = try open.store.rowCounts().values.reduce(0, +)
    steps = [
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
