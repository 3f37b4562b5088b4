import Foundation
import Testing

/// Sources doubled in five days, as each finding of a trial got a rule of its own. Whoever needs more lines than these
/// first looks for what can go, and raises a number here with the reason in the commit. They only sink otherwise.
struct BudgetTests {
  struct Budget: Sendable {
    let folder: String
    let lines: Int
    let files: Int
  }

  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static let budgets = [
    Budget(folder: "Sources", lines: 86_350, files: 586),
    Budget(folder: "Sources/Commands", lines: 19_060, files: 129),
    Budget(folder: "Sources/Commands/Mistakes", lines: 800, files: 6),
    Budget(folder: "Sources/Diagnostics", lines: 10_700, files: 71),
    Budget(folder: "Sources/Lens", lines: 12_870, files: 86),
    Budget(folder: "Tests", lines: 53_430, files: 352),
  ]

  @Test(arguments: budgets) func aFolderKeepsToItsBudget(_ budget: Budget) throws {
    let files = try Self.files(in: budget.folder)
    let lines = files.reduce(0) {
      $0 + $1.text.split(separator: "\n", omittingEmptySubsequences: false).count - 1
    }
    #expect(!files.isEmpty)
    #expect(lines <= budget.lines, "\(budget.folder) has \(lines) lines: what could go?")
    #expect(files.count <= budget.files, "\(budget.folder) has \(files.count) files: which belong together?")
  }

  /// A guess at what somebody meant belongs to the one place that answers wrong words.
  @Test func guessesDontSpread() throws {
    let places = try Self.files(in: "Sources").filter { $0.text.contains("Did you mean") }.map(\.name)
    let others = places.filter { !$0.hasPrefix("Commands/Mistakes/") }
    #expect(!places.isEmpty && others.isEmpty, "\(others.sorted().joined(separator: ", "))")
  }

  private static func files(in folder: String) throws -> [(name: String, text: String)] {
    let path = root.appending(path: folder)
    return try FileManager.default.subpathsOfDirectory(atPath: path.path).filter { $0.hasSuffix(".swift") }
      .map {
        ($0, try String(contentsOf: path.appending(path: $0), encoding: .utf8))
      }
  }
}
