import Foundation
import Testing

/// What Core Data's own tables mean is said in one place. Whoever needs it asks the views.
struct FrameworkTableTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Here SQL may read the framework's tables.
  private static let homes: Set = ["Lens", "StoreModel"]
  /// Here it may change them, and reads nothing that a view could be asked.
  private static let writers: Set = ["Operations", "Redaction"]

  private static func read(_ text: String) -> Bool {
    let table =
      #/\b(FROM|JOIN)\s+(main\.)?(ANSCK\w+|ACHANGE|ATRANSACTION\w*|Z_PRIMARYKEY|Z_METADATA|Z_MODELCACHE)\b/#
    let named = #/\b(FROM|JOIN)\s+(main\.)?\\\([^)]*rawValue/#
    let described = #/pragma_\w+\('(ANSCK|ACHANGE|ATRANSACTION)/#
    // A delete isn't a reading.
    let code = text.replacing(#/\bDELETE\s+FROM\b/#, with: "DELETE")
    return code.contains(table) || code.contains(named) || code.contains(described)
  }

  private static func write(_ text: String) -> Bool {
    text.contains(
      #/\b(INTO|UPDATE|TABLE|DELETE\s+FROM)\s+(main\.)?(ANSCK\w+|ACHANGE|ATRANSACTION\w*|Z_PRIMARYKEY|Z_METADATA|Z_MODELCACHE)\b/#
    ) || text.contains(#/main\.\\\([^)]*rawValue/#)
  }

  @Test func onlyTheLensReadsTheFrameworksTables() throws {
    let sources = Self.root.appending(path: "Sources")
    var (read, written): ([String], [String]) = ([], [])
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter {
      $0.hasSuffix(".swift")
    }
    #expect(files.count > 100)
    for file in files {
      let target = String(file.split(separator: "/")[0])
      guard !Self.homes.contains(target) else { continue }
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
        separator: "\n")
      if Self.read(code) { read.append(file) }
      if Self.write(code), !Self.writers.contains(target) { written.append(file) }
    }
    #expect(read.sorted() == [], "ask a view instead")
    #expect(written.sorted() == [], "only operations change them")
  }

  /// Without this, a mistake in the patterns would pass every file.
  @Test(arguments: [
    ("SELECT 1 FROM main.ACHANGE", true), ("SELECT 1 FROM a JOIN ANSCKEVENT e", true),
    (#"SELECT 1 FROM main.\(table.rawValue) a"#, true), ("DELETE FROM main.ACHANGE WHERE 1", false),
    ("pragma_index_list('ACHANGE', 'main')", true), ("SELECT 1 FROM temp.changes", false),
  ])
  func readingsAreFound(_ sql: String, _ isRead: Bool) { #expect(Self.read(sql) == isRead) }

  /// Saved queries and rules use the views only.
  @Test func queriesAskViews() throws {
    let folder = Self.root.appending(path: "Queries")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) where file.hasSuffix(".sql")
    {
      let sql = try String(contentsOf: folder.appending(path: file), encoding: .utf8).split(separator: "\n")
        .filter { !$0.hasPrefix("--") }.joined(separator: "\n")
      #expect(!sql.contains(#/\b(ANSCK|ACHANGE|ATRANSACTION|Z_[A-Z])/#), "\(file)")
      #expect(!sql.contains(#/\b(\w+) AS \1\b/#), "\(file) renames a column to its own name")
    }
  }
}
