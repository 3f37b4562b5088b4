import Diagnostics
import Evidence
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// A store that a rule has, or has not, something to say about.
struct RuleExample: Sendable, CustomTestStringConvertible {
  enum Verdict: Sendable {
    /// The rule finds nothing.
    case healthy
    /// So many findings, about these objects where the rule names objects: `Person/p1`.
    case broken(count: Int, objects: [String] = [])
    /// The rule can't tell, and says why in words that contain these.
    case skipped(String)
  }

  var rule: String
  /// What is done to the store, in a few words.
  var name: String
  var verdict: Verdict
  /// Other rules of severity error that the store gives reason for.
  var alsoErrors: Set<String> = []
  /// Makes the store at that path.
  var make: @Sendable (String) throws -> Void

  var testDescription: String { "\(rule): \(name)" }

  init(
    _ rule: String, _ name: String, _ verdict: Verdict, alsoErrors: Set<String> = [],
    make: @escaping @Sendable (String) throws -> Void
  ) {
    self.rule = rule
    self.name = name
    self.verdict = verdict
    self.alsoErrors = alsoErrors
    self.make = make
  }

  static func examine(
    _ path: String, rules: [Rule] = RuleRegistry.all, settings: [String: Double] = [:], limit: Int = 100,
    baseline: Baseline? = nil
  ) throws -> Diagnosis {
    let open = try OpenStore(at: path)
    let diagnosis = try Doctor(rules: rules, limit: limit, baseline: baseline).examine(
      Examination(open, settings: settings))
    try open.bytes().finish()
    return diagnosis
  }
}

/// Every rule's examples; a file each for rules that belong together.
enum RuleExamples {
  static let all: [RuleExample] =
    files + objects + values + history + records + mirrorState + cloudKitModels + tokens + events
    + surroundings
    + deletions
}
