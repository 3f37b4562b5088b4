import Foundation
import Testing

/// What Core Data's own tables mean is said in one place. Whoever needs it asks the views.
struct FrameworkTableTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Here SQL may name the framework's tables: where they are read, and where they are written.
  private static let homes = [
    "Lens", "StoreModel", "Operations", "Redaction", "Forge",
  ]

  /// Readers that aren't moved to the views yet. This list only gets shorter.
  private static let exceptions: Set<String> = [
    "Comparison/Parts/HistoryComparison.swift",
    "Diagnostics/Doctor/ChangeCursor.swift", "Diagnostics/Examination/Clock.swift",
    "Diagnostics/Doctor/HistoryPass.swift", "Diagnostics/Switches/SyncSwitchesReader.swift",
    "Diagnostics/Rules/HistoryBrokenLink.swift",
    "Diagnostics/Rules/HistorySize.swift", "Diagnostics/Rules/ImportRelationshipStuck.swift",
    "Diagnostics/Rules/RecordAssetBroken.swift",
    "Diagnostics/Rules/RecordNearLimit.swift", "Diagnostics/Rules/WALMissing.swift",
  ]

  @Test func onlyTheLensReadsTheFrameworksTables() throws {
    let sources = Self.root.appending(path: "Sources")
    let table =
      #/\b(FROM|JOIN|INTO|UPDATE|TABLE)\s+(main\.)?(ANSCK\w+|ACHANGE|ATRANSACTION\w*|Z_PRIMARYKEY|Z_METADATA|Z_MODELCACHE)\b/#
    let named = #/main\.\\\([^)]*rawValue/#
    let described = #/pragma_\w+\('(ANSCK|ACHANGE|ATRANSACTION)/#
    var found: Set<String> = []
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter {
      $0.hasSuffix(".swift")
    }
    #expect(files.count > 100)
    for file in files where !Self.homes.contains(String(file.split(separator: "/")[0])) {
      let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
      let code = text.split(separator: "\n").filter { !$0.drop { $0 == " " }.hasPrefix("//") }.joined(
        separator: "\n")
      if code.contains(table) || code.contains(named) || code.contains(described) { found.insert(file) }
    }
    #expect(found.subtracting(Self.exceptions).sorted() == [], "ask a view instead")
    #expect(
      Self.exceptions.subtracting(found).sorted() == [], "no exception any more: leave it out of the list")
  }

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
