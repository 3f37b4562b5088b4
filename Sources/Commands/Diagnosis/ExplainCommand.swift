import Base
import Diagnostics
import Explanations
import Lens
import Rendering

extension Command {
  package static let explain = Command(
    "explain", summary: "explain an error code or a term", store: .none,
    arguments: [
      .init(
        "WORD", kind: .subject, isOptional: true, isRepeatable: true,
        help: "134419, CKErrorDomain:25, token-expired, 'change token' …; omit it to list them all")
    ],
    discussion: """
      Covers the errors of Core Data (NSCocoaErrorDomain), CloudKit (CKErrorDomain), SQLite (NSSQLiteErrorDomain) and
      SwiftData, the doctor's rules, the terms of mirroring, and every state and kind that other commands print. WORD may
      be a line of a log with errors in it. Each explanation shows how certain it is: documented by Apple or SQLite,
      observed by app authors, or inferred.

      Examples:
        storescope explain 134419
        storescope explain CKErrorDomain:25
        storescope explain 'no such table: ZTRIP'
        storescope explain history token
        storescope explain deleteLeftover
      """,
    documents: [
      DocumentForm(
        store: .never, payload: "explanations",
        [
          .init(
            "explanations",
            .list(.either([.object(Explanation.fields.keys()), .object(Rule.explanationFields.keys())])),
            "several if the word is ambiguous; errors and terms, and the doctor's rules")
        ])
    ]
  ) { invocation in
    let word = invocation.arguments.positionals.joined(separator: " ")
    func outcome(_ explanations: [DataValue], _ blocks: [Document.Block]) -> Outcome {
      Outcome(
        Document(
          command: "explain", fields: [.init("explanations", .array(explanations))],
          payload: "explanations", blocks: blocks))
    }
    guard !word.isEmpty else {
      return outcome(
        ExplanationCatalog.all.map(\.value) + RuleRegistry.all.map(\.explanation), everything)
    }
    if let rule = RuleRegistry.rule(word) { return outcome([rule.explanation], rule.explained) }
    let explanations = ExplanationCatalog.explanations(for: word)
    guard !explanations.isEmpty else {
      throw StoreScopeError(.notFound, ExplanationCatalog.unknown(word), about: word)
        .naming(word, among: ExplanationCatalog.words(near: word))
    }
    return outcome(explanations.map(\.value), explanations.flatMap(\.blocks))
  }

  /// All that can be explained.
  private static var everything: [Document.Block] {
    let all = ExplanationCatalog.all
    func pairs(_ explanations: [Explanation]) -> [(String, DataValue)] {
      explanations.map { explanation in
        let hasName = ![explanation.subject, Explanation.unnamed].contains(explanation.name)
        let subject = explanation.code.map { String($0) } ?? explanation.subject
        return (subject, .text(hasName ? explanation.name : explanation.summary))
      }
    }
    let domains = all.compactMap(\.domain).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
    return [.heading("Terms"), .pairs(pairs(all.filter { $0.domain == nil }))]
      + domains.flatMap { domain -> [Document.Block] in
        [.heading(domain), .pairs(pairs(all.filter { $0.domain == domain }))]
      } + [
        .heading("Doctor rules"), .pairs(RuleRegistry.all.map { ($0.id, .text($0.header.title)) }),
      ]
  }
}

extension Rule {
  /// What it means for people, and where the rest of it is.
  fileprivate var explained: [Document.Block] {
    [heading] + header.paragraphs.filter { $0.name != RuleHeader.needsName }.map(Self.block)
      + [
        .text(
          "'storescope rules \(id)' shows what it reads\(header.thresholds.isEmpty ? "" : " and its thresholds")."
        )
      ]
  }

  /// With the keys that every explanation has.
  fileprivate var explanation: DataValue { Self.explanationFields.object(of: self) }

  fileprivate static let explanationFields: [Field<Self>] = [
    Field("subject", subjectMeaning) { $0.id }, Field("name", "its name") { $0.header.title },
    Field("meaning", "what it means") { "\($0.header.looksFor) \($0.header.why)" },
    Field("causes", causesMeaning) { _ in [String]() },
    Field("advice", "what to do about it") { $0.header.wholeRemedy },
    Field("sources", sourcesMeaning) { [$0.header.evidence] },
    Field("severity", "how bad it is") { $0.header.severity },
    Field("nextLaunch", "what the app's next launch does about it") { $0.header.wholeNextLaunch },
    Field("falsePositives", "when the rule finds what is no problem") { $0.header.falsePositives },
  ]
}

private let subjectMeaning = "the error, the rule or the term"
private let causesMeaning = "what leads to it, the most likely first"
private let sourcesMeaning = "what the explanation is based on"

extension Explanation {
  /// What it means in one sentence, without the full stop.
  var summary: String {
    let sentence = meaning.split(separator: ". ").first.map(String.init) ?? meaning
    return sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
  }

  var value: DataValue { Self.fields.object(of: self) }

  static let fields: [Field<Self>] = [
    Field("subject", subjectMeaning) { $0.subject }, Field("name", "its name") { $0.name },
    Field("domain", "an error's domain") { $0.domain }, Field("code", "an error's code") { $0.code },
    Field("meaning", "what it means") { $0.meaning }, Field("causes", causesMeaning) { $0.causes },
    Field("advice", "what to do about it") { $0.advice },
    Field(
      "resolvesItself", .words(Resolution.answers),
      "whether it goes away without anybody's doing; null for what is no problem"
    ) { $0.resolvesItself.answer },
    Field("resolution", "how it does") { $0.resolvesItself.words },
    Field("isNoise", "it is harmless if later runs succeed") { $0.isNoise },
    Field("certainty", "how sure the meaning is") { $0.certainty },
    Field("sources", sourcesMeaning) { $0.sources },
  ]

  /// A word of the field, which is no problem.
  private var isTerm: Bool { domain == nil }

  var blocks: [Document.Block] {
    var blocks: [Document.Block] = [
      .heading(name == subject || name == Self.unnamed ? subject : "\(subject), \(name)"), .text(meaning),
    ]
    if !causes.isEmpty {
      blocks.append(.text("\(listed.rawValue):\n" + causes.map { "  • \($0)" }.joined(separator: "\n")))
    }
    blocks.append(.text("\(isTerm ? "Advice" : "Fix"): \(advice)"))
    if let answer = resolvesItself.answer, let words = resolvesItself.words {
      blocks.append(.text("Resolves itself? \(Sentence.begun(answer)): \(Sentence.continued(words))"))
    }
    // "App authors report it" has them in it.
    let others = sources.filter { certainty != .observed || $0 != ExplanationSource.appAuthors }
    let source = others.isEmpty ? "" : " (\(others.joined(separator: "; ")))"
    blocks.append(.text("Confidence: \(certainty.words)\(source)"))
    return blocks
  }
}

extension Explanation.Certainty {
  /// As the doctor's rules say it.
  fileprivate var words: String {
    switch self {
    case .documented: "documented"
    case .observed: "app authors report it"
    case .inferred: "inferred"
    }
  }
}

extension Explanation.Resolution {
  fileprivate static let answers = [Self.yes(""), .sometimes(""), .no("")].compactMap(\.answer)

  /// For machines; nil for what is no problem.
  var answer: String? {
    switch self {
    case .yes: "yes"
    case .sometimes: "sometimes"
    case .no: "no"
    case .doesNotApply: nil
    }
  }
}
