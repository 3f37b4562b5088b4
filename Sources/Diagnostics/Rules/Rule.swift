import Base
package import QueryCatalog

/// One thing that the doctor looks for.
package struct Rule: Sendable {
  package enum Check: Sendable {
    /// A query over the lens's views. A row is a finding: a column `uri` names its object, `subject` what it is about
    /// where that is no object, and all its columns are its evidence.
    case query(SavedQuery)
    case code(@Sendable (Examination, inout FindingCollector) throws -> Void)
    /// Listens while all of history goes by, once for all rules.
    case history(@Sendable (Examination) throws -> any HistoryObserver)
    /// Listens while the object URIs go by that are found in texts and blobs, once for all rules.
    case values(@Sendable (Examination) throws -> any ValueObserver)
  }

  package let header: RuleHeader
  package let check: Check

  /// Whether it only listens to what is read for others as well.
  var isOfPass: Bool {
    switch check {
    case .query, .code: false
    case .history, .values: true
    }
  }

  package var id: String { header.id }

  private init(_ header: RuleHeader, _ check: Check) {
    self.header = header
    self.check = check
  }

  /// A rule in code; its header is in the file with the same name, with the lines of a rule in SQL, without the dashes.
  init(_ id: String, _ check: Check) {
    let lines = RuleTexts.header(of: id)
    self.init(RuleHeader(lines, SavedQuery.parameters(lines)), check)
  }

  init(_ id: String, code: @escaping @Sendable (Examination, inout FindingCollector) throws -> Void) {
    self.init(id, .code(code))
  }

  /// A rule in a file of `Queries/`, embedded; the header's first line names the rule.
  init(_ bytes: [UInt8]) {
    let sql = String(decoding: bytes, as: UTF8.self)
    var query = SavedQuery(name: "", sql: sql)
    let header = RuleHeader(query.header, query.parameters)
    query.name = header.id
    self.init(header, .query(query))
  }
}
