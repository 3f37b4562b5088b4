import Diagnostics
import Foundation
import QueryCatalog
import TestSupport
import Testing
import Values

struct RuleDocumentationTests {
  static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Queries/README.md")

  /// The page is made from the headers: `RECORD_SNAPSHOTS=1 swift test --filter RuleDocumentationTests` makes it anew.
  @Test func pageIsCurrent() throws {
    let text = RuleDocumentation.markdown(
      queries: QueryCatalog.all, fleet: QueryCatalog.fleet, rules: RuleRegistry.all,
      onRequest: RuleRegistry.onRequest)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
      try text.write(to: Self.file, atomically: true, encoding: .utf8)
      Issue.record("wrote Queries/README.md; read it, and run the test again")
    }
    #expect(try String(contentsOf: Self.file, encoding: .utf8) == text)
  }

  /// A file that isn't listed would silently be missing from the binary.
  @Test func everyFileIsEmbedded() throws {
    let folder = Self.file.deletingLastPathComponent()
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      $0.hasSuffix(".sql")
    }
    let rules = RuleRegistry.all.compactMap { rule in
      if case .query(let query) = rule.check { query.name } else { nil }
    }
    #expect(Set(files) == Set((QueryCatalog.all.map(\.name) + rules).map { $0 + ".sql" }))
    let ofFleet = try FileManager.default.contentsOfDirectory(atPath: folder.path + "/fleet")
    #expect(Set(ofFleet) == Set(QueryCatalog.fleet.map { $0.name + ".sql" }))
    for rule in rules {
      let header = KeyedLines(
        sql: try String(contentsOf: folder.appending(path: rule + ".sql"), encoding: .utf8))
      #expect(header["Rule"] == rule)
    }
  }
}
