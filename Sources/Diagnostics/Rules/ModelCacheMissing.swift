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
  """
  Rule: model-cache-missing
  Severity: info
  Title: No cached model
  Shows: A store whose Z_MODELCACHE is missing or empty, unless --model gives another model.
  Why: A lightweight migration reads the old model from the cache if the app doesn't ship that version. Without it,
    storescope can only guess properties' names, types and relationships.
  Next launch: Nothing if the app's model still fits the store; the framework rewrites the cache. Otherwise the app
    must ship the old model, or opening fails with 134130 or 134140.
  Remedy: None needed, unless the app's next version changes the model: then ship this version's model with it. With
    '--model PATH' (.mom, .momd or .xcdatamodeld), storescope checks the rules that need a model.
  False positives: Some apps delete it on purpose, and systems before iOS 11 and macOS 10.13 write none.
  Evidence: Measured on real stores.
  Message: The store's cached model is {cache}.
  """)
