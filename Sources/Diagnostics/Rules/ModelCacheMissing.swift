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
    if let version = examination.store.metadata.frameworkVersion, version < firstWithCache {
      findings.remedy = "Nothing to do: systems before iOS 11 and macOS 10.13 don't write one."
    }
  }
}

/// Of iOS 11 and macOS 10.13; see `FrameworkRelease`.
private let firstWithCache: Int64 = 851

private let about = RuleHeader(
  "model-cache-missing", .info,
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
    None needed, unless the app's next version changes the model: then ship this version's model with it. With \
    '--model PATH' (.mom, .momd or .xcdatamodeld), storescope checks the rules that need a model.
    """,
  falsePositives: """
    Some apps delete it on purpose, and systems before iOS 11 and macOS 10.13 write none.
    """,
  evidence: "Measured on real stores.",
  message: "The store's cached model is {cache}.")
