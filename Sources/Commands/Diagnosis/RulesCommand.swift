import Base
import Diagnostics
import QueryCatalog
import Rendering

extension Command {
  static let rules = Command(
    "rules", summary: "list the doctor's rules with their thresholds", store: .none,
    arguments: [.init("RULE", kind: .rule, isOptional: true, help: "one rule, in full")],
    discussion: """
      Examples:
        storescope rules
        storescope rules token-expired
        storescope rules --json
      """,
    documents: [
      DocumentForm(
        store: .never, payload: "rules",
        [.init("rules", .list(.object(Rule.fields.keys())), "the doctor's rules")])
    ]
  ) { invocation in
    let word = invocation.argument(0)
    let rules =
      try word.map { word throws(UsageError) in [try DoctorArguments.rule(word)] }
      ?? RuleRegistry.all + RuleRegistry.onRequest
    return Outcome(
      Document(
        command: "rules", fields: [.init("rules", .array(rules.map(Rule.fields.object)))], payload: "rules",
        blocks: word == nil ? [.table(RowStream.lines(of: rules))] : rules.flatMap(\.blocks)))
  }
}

extension Rule {
  fileprivate static let fields: [Field<Self>] = [
    Field("rule", "its id") { $0.id }, Field("severity", "how bad it is") { $0.header.severity },
    Field("title", "what it finds, in a few words") { $0.header.title },
    Field("looksFor", "what it looks for") { $0.header.looksFor },
    Field("why", "why it matters") { $0.header.why },
    Field("nextLaunch", "what the app's next launch does about it") { $0.header.wholeNextLaunch },
    Field("remedy", "how to fix it") { $0.header.wholeRemedy },
    Field("needs", "what a store must have") { $0.header.needs.map(\.word) },
    Field("falsePositives", "when it finds what is no problem") { $0.header.falsePositives },
    Field("evidence", "how sure it is, and why") { $0.header.evidence },
    Field("thresholds", "numbers that --set changes") { $0.header.thresholds },
    Field("sql", "its query, if it is one") { $0.sql },
  ]

  private var sql: String? {
    guard case .query(let query) = check else { return nil }
    return query.sql
  }

  var heading: Document.Block { .heading("\(id): \(header.title) (\(header.severity.noun))") }

  static func block(_ paragraph: (name: String, text: String)) -> Document.Block {
    .text("\(paragraph.name): \(paragraph.text)")
  }

  /// The rule in full, for people.
  var blocks: [Document.Block] {
    var blocks: [Document.Block] = [heading] + header.paragraphs.map(Self.block)
    for threshold in header.thresholds {
      blocks.append(.text("Threshold \(threshold.name) = \(threshold.text): \(threshold.meaning)"))
    }
    if let sql {
      // Its header says what stands above.
      let lines = sql.split(separator: "\n", omittingEmptySubsequences: false).drop { $0.hasPrefix("--") }
      blocks += [.heading("Query"), .text(lines.joined(separator: "\n"))]
    }
    return blocks
  }
}

extension RowStream {
  /// The titles are what a reader looks for; the thresholds are in 'rules RULE' too.
  fileprivate static func lines(of rules: [Rule]) -> RowStream {
    RowStream(
      columns: ["rule", "severity", "thresholds", "title"].map { Column($0) },
      rows: rules.map { rule in
        let header = rule.header
        let values = header.thresholds.map { "\($0.name)=\($0.text)" }
        return [
          .text(rule.id), .text(header.severity.noun), .text(values.joined(separator: ", ")),
          .text(header.title),
        ]
      }
    ).neverCutting("thresholds").leavingOut("thresholds").withSentences()
  }
}
