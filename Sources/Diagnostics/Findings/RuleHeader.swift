package import Base
package import Lens
import QueryCatalog
import StoreModel

/// What is known about a rule without running it: the same for rules in SQL and rules in code. Help, output and the
/// rules' documentation are made from it.
package struct RuleHeader: Sendable, Equatable {
  /// Never changes: scripts, baselines and SARIF refer to it.
  package var id: String
  package var severity: Severity
  /// A few words for the observation.
  package var title: String
  /// What one finding is.
  package var looksFor: String
  package var why: String
  package var nextLaunch: String
  /// What else it does in a mirrored store; empty in rules that need a mirror anyway.
  package var mirroredNextLaunch: String
  package var remedy: String
  /// The additional fix in a mirrored store; empty in rules that need a mirror anyway.
  package var mirroredRemedy: String
  package var needs: [Need]
  /// The log that shows what it reports, if that isn't how the store is now: without the log's rows there is no finding,
  /// and nothing is fixed.
  package var log: FrameworkTable?
  /// When it reports something although nothing is wrong, and what it leaves out to avoid that.
  package var falsePositives: String
  /// How it is known that this matters.
  package var evidence: String
  /// `{count}` is the number of findings, `{one|many}` chooses by it, `{NAME}` is a value of the first finding.
  package var message: String
  package var thresholds: [Threshold]

  /// In a file of `Queries/` or in code: `Rule`, `Severity`, `Title`, `Shows`, `Why`, `Next launch`, `Remedy`, `Needs` (words
  /// with commas), `Log` (a table), `False positives`, `Evidence`, `Message`, and `Param NAME: meaning, default NUMBER` for
  /// thresholds; `Next launch mirrored` and `Remedy mirrored` if there is more to say in a mirrored store.
  init(_ header: KeyedLines, _ parameters: [SavedQuery.Parameter]) {
    func text(_ key: String) -> String { header[key] ?? "" }
    id = text("Rule")
    let severity = Severity(rawValue: text("Severity"))
    self.severity = severity ?? .info
    title = text("Title")
    looksFor = Sentence.begun(text("Shows"))
    why = text("Why")
    nextLaunch = text("Next launch")
    mirroredNextLaunch = text("Next launch mirrored")
    remedy = text("Remedy")
    mirroredRemedy = text("Remedy mirrored")
    needs = header.list("Needs").compactMap(Need.init)
    log = FrameworkTable(rawValue: text("Log"))
    falsePositives = text("False positives")
    evidence = text("Evidence")
    message = text("Message")
    thresholds = parameters.compactMap { parameter in
      parameter.defaultValue.flatMap(Double.init).map {
        Threshold(name: parameter.name, meaning: parameter.meaning, defaultValue: $0)
      }
    }
    // A misspelled word would let the rule run where it wasn't meant to, in silence.
    assert(severity != nil, "\(id): Severity")
    assert(needs.count == header.list("Needs").count, "\(id): Needs")
    assert((log == nil) == (header["Log"] == nil), "\(id): Log")
    assert(thresholds.count == parameters.count, "\(id): Param")
  }
}

extension RuleHeader {
  /// The fix for any store.
  package var wholeRemedy: String {
    mirroredRemedy.isEmpty ? remedy : "\(remedy) In a mirrored store: \(Sentence.continued(mirroredRemedy))"
  }

  /// What the next launch does, with any store.
  package var wholeNextLaunch: String {
    mirroredNextLaunch.isEmpty
      ? nextLaunch : "\(nextLaunch) In a mirrored store: \(Sentence.continued(mirroredNextLaunch))"
  }

  /// The header for findings in one store, without advice that doesn't apply to it.
  func fitted(isMirrored: Bool) -> RuleHeader {
    var header = self
    if isMirrored, !mirroredRemedy.isEmpty { header.remedy = "\(remedy) \(mirroredRemedy)" }
    if isMirrored, !mirroredNextLaunch.isEmpty { header.nextLaunch = "\(nextLaunch) \(mirroredNextLaunch)" }
    (header.mirroredRemedy, header.mirroredNextLaunch) = ("", "")
    return header
  }

  /// The heading of what it reads.
  package static let needsName = "Needs"

  /// Its texts with their headings, as people read them.
  package var paragraphs: [(name: String, text: String)] {
    var paragraphs = [
      ("Looks for", looksFor), ("Why it matters", why), ("At the next launch", wholeNextLaunch),
      ("Fix", wholeRemedy),
    ]
    if !needs.isEmpty { paragraphs.append((Self.needsName, needs.map(\.word).joined(separator: ", "))) }
    return paragraphs + [("False positives", falsePositives), ("Confidence", evidence)]
  }
}

/// How bad a finding is. From the worst to the mildest.
package enum Severity: String, FieldWord, Sendable, Comparable {
  /// Data is lost or duplicated, or sync is stuck, now or at the next launch.
  case error
  /// A problem that may grow, or that costs performance.
  case warning
  /// Worth knowing.
  case info

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// What people read. It is SARIF's level, too, so it has to stay error, warning or note.
  package var noun: String { self == .info ? "note" : rawValue }

  /// The milder is the smaller.
  package static func < (one: Self, other: Self) -> Bool { one.order > other.order }
}

/// A number that decides what a rule considers too much, too old or too often. It can be overridden.
package struct Threshold: HasFields, Sendable, Equatable {
  package var name: String
  /// What it limits, in which unit, and the reason for its value.
  package var meaning: String
  package var defaultValue: Double

  package static let fields: [Field<Self>] = [
    Field("name", "what --set takes") { $0.name }, Field("default", "its value") { $0.defaultValue },
    Field("meaning", "what it is") { $0.meaning },
  ]

  /// The default, whole numbers without a fraction.
  package var text: String {
    defaultValue == defaultValue.rounded() && abs(defaultValue) < 1e15
      ? "\(Int64(defaultValue))" : "\(defaultValue)"
  }
}

/// What a store must have for a rule to be checked.
package enum Need: Sendable, Equatable {
  case history
  case mirror
  /// The same, or that somebody asks what would be wrong if it were mirrored.
  case cloudKit
  /// For rules about what the mirror should contain.
  case knownLayout
  /// The app's model, from the store's cache or from `--model`.
  case model
  case table(FrameworkTable)

  /// A header's word: `history`, `mirror`, `cloudkit`, `layout`, `model`, or the name of one of the framework's tables.
  init?(word: String) {
    switch word {
    case "history": self = .history
    case "mirror": self = .mirror
    case "cloudkit": self = .cloudKit
    case "layout": self = .knownLayout
    case "model": self = .model
    default:
      guard let table = FrameworkTable(rawValue: word) else { return nil }
      self = .table(table)
    }
  }

  package var word: String {
    switch self {
    case .history: "history"
    case .mirror: "mirror"
    case .cloudKit: "cloudkit"
    case .knownLayout: "layout"
    case .model: "model"
    case .table(let table): table.rawValue
    }
  }
}
