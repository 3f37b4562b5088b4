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
  title: "A store without its model",
  looksFor: "A store whose Z_MODELCACHE is missing or empty, where --model gives no other model.",
  why: """
    The cache is what a lightweight migration takes the old model from when the app doesn't ship that version. \
    Here, properties' names, types and relationships can only be guessed without it.
    """,
  nextLaunch: """
    Nothing where the app's model still fits the store; the framework writes the cache anew. Where it doesn't, the \
    app must ship the old model, or opening fails with 134130 or 134140.
    """,
  remedy: """
    Give the app's model with '--model PATH' (.mom, .momd or .xcdatamodeld); the rules that need a model are \
    checked then.
    """,
  falsePositives: "Frameworks before macOS 10.13 and iOS 11 kept no cache. Some apps delete it on purpose.",
  evidence: "Measured on real stores.",
  message: "The store's cache of its model is {cache}.")
