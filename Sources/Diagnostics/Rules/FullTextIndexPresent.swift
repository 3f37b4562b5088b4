import SQLite
import StoreModel
import Values

extension Rule {
  static let fullTextIndexPresent = Rule(about) { examination, findings in
    let sql = """
      SELECT name FROM main.sqlite_schema
      WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%' AND INSTR(sql, '_CoreDataTokenizer') > 0 ORDER BY name
      """
    let names = try examination.store.connection.rows(sql) { $0.name(0) }
    for name in names {
      findings.add(subject: name, [.init("index", .text(name))])
    }
  }
}

private let about = RuleHeader(
  "full-text-index-present", .info,
  title: "Full-text indexes that only Core Data can keep",
  looksFor: "FTS5 indexes with Core Data's own tokenizer, as iOS 27 and macOS 27 make them.",
  why: """
    Triggers write to the index with every change of the indexed table, and need a tokenizer that only Apple's framework \
    has. Every other program's INSERT, UPDATE and DELETE on that table fails with "no such tokenizer"; reading works.
    """,
  nextLaunch: "Nothing: on iOS 27, macOS 27 and later the framework uses the index.",
  remedy: "Let the app make changes to these tables; scripts that use SQL can only read them.",
  falsePositives: "None known: other programs' full-text indexes have other tokenizers.",
  evidence: "Read in the strings of the frameworks of iOS 27, and tried with a copy of such a table.",
  message:
    "{count} {index|indexes} for full-text search, such as {index}: only Core Data can write to the indexed tables."
)
