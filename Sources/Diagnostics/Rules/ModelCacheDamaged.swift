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
  """
  Rule: model-cache-damaged
  Severity: warning
  Title: Unreadable cached model
  Shows: A store whose Z_MODELCACHE contains data that isn't a model, unless --model gives another model.
  Why: A migration that needs the old model from the cache fails. Without it, storescope can only guess properties'
    names, types and relationships.
  Next launch: Nothing if the app's model still fits the store. A migration that finds no other source of the old
    model fails with 134130 or 134140.
  Remedy: Pass the app's model with '--model PATH' (.mom, .momd or .xcdatamodeld). Check whether other rules find
    damage: the cache is rarely the only damaged part.
  False positives: A cache in an unknown format looks the same.
  Evidence: Measured on real stores.
  Message: The store's cached model can't be read: {reason}.
  """)
