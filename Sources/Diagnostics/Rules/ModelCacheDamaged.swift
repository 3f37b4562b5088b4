import StoreModel
import Values

extension Rule {
  static let modelCacheDamaged = Rule(about) { examination, findings in
    guard examination.store.modelSource == .tables(because: "damaged"),
      case .damaged(let reason) = try ModelCache.read(from: examination.store.connection)
    else { return }
    findings.add(subject: "model", [.init("reason", .text(reason))])
  }
}

private let about = RuleHeader(
  "model-cache-damaged", .warning,
  title: "A cached model that can't be read",
  looksFor: """
    A store whose Z_MODELCACHE holds something that is no model, where --model gives no other model.
    """,
  why: """
    A migration that wants the old model from the cache fails on it. Here, properties' names, types and \
    relationships can only be guessed without it.
    """,
  nextLaunch: """
    Nothing where the app's model still fits the store. A migration that finds no other source of the old model \
    fails with 134130 or 134140.
    """,
  remedy: """
    Give the app's model with '--model PATH' (.mom, .momd or .xcdatamodeld). See whether other rules find damage: \
    the cache is rarely the only thing.
    """,
  falsePositives: "A cache in a form that no framework known here writes looks the same.",
  evidence: "Measured on real stores.",
  message: "The store's cache of its model can't be read: {reason}.")
