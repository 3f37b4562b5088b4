import StoreModel
import Values

extension Rule {
  static let modelCacheMissing = Rule(about) { examination, findings in
    guard case .tables(let because) = examination.store.modelSource, because != "damaged" else { return }
    findings.add(
      subject: "model",
      [
        .init("cache", .text(because)),
        .init("frameworkVersion", .optional(examination.store.metadata.frameworkVersion)),
      ])
  }
}

private let about = RuleHeader(
  "model-cache-missing", .warning,
  title: "No cached model",
  looksFor: "A store whose Z_MODELCACHE is missing or empty, unless --model gives another model.",
  why: """
    A lightweight migration reads the old model from the cache if the app doesn't ship that version. Without \
    it, storescope can only guess properties' names, types and relationships.
    """,
  nextLaunch: """
    Nothing if the app's model still fits the store; the framework rewrites the cache. Otherwise the app \
    must ship the old model, or opening fails with 134130 or 134140.
    """,
  remedy: """
    Pass the app's model with '--model PATH' (.mom, .momd or .xcdatamodeld); the rules that need a model are \
    then checked.
    """,
  falsePositives: """
    Frameworks before macOS 10.13 and iOS 11 don't write a cache. Some apps delete it on purpose.
    """,
  evidence: "Measured on real stores.",
  message: "The store's cached model is {cache}.")
