import Foundation
import Testing

/// Package.swift says which target may know which. The compiler also takes an import of what happens to be built already:
/// the shell had one of a target that it doesn't depend on, and a clean checkout failed where tests were compiled before
/// the target that they import.
struct DependencyTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  struct Target: Sendable, CustomTestStringConvertible {
    var name: String
    var folder: String
    var dependencies: Set<String>
    var testDescription: String { name }
  }

  static let targets: [Target] = {
    let manifest = (try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
    let declarations = manifest.matches(
      of:
        /(library|tests|\.target|\.executableTarget)\(\s*(?:name: )?"(\w+)",\s*(?:dependencies: )?\[([^\]]*)\]([^"]*path: "([\w\/]+)")?/
    )
    return declarations.map {
      let isTests = $0.1 == "tests"
      return Target(
        name: $0.2 + (isTests ? "Tests" : ""),
        folder: $0.5.map(String.init) ?? (isTests ? "Tests/\($0.2)Tests" : "Sources/\($0.2)"),
        dependencies: Set($0.3.matches(of: /\w+/).map { String($0.0) }))
    }
  }()

  @Test(arguments: targets) func aTargetImportsWhatItDependsOn(_ target: Target) throws {
    let folder = Self.root.appending(path: target.folder)
    var imported: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where file.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      imported.formUnion(
        source.matches(of: /(?m)^(?:@\w+ )?(?:package )?import (\w+)/).map { String($0.1) })
    }
    // Tests run programs that they don't import, and `tests` in the manifest adds the support.
    let ours = Set(Self.targets.map(\.name)).subtracting(["TestSupport", "storescope", "forkserver"])
    #expect(imported.intersection(ours).subtracting(target.dependencies) == [], "imported, not declared")
    #expect(target.dependencies.intersection(ours).subtracting(imported) == [], "declared, not imported")
  }

  /// Without this, a mistake in the reading would pass every target.
  @Test func targetsAreRead() {
    #expect(Self.targets.count > 35)
    let byName = Dictionary(uniqueKeysWithValues: Self.targets.map { ($0.name, $0) })
    #expect(byName["SQLite"]?.dependencies == ["CSQLite", "Base"])
    #expect(byName["LensTests"]?.dependencies.contains("Bulk") == true)
    #expect(byName["Bulk"]?.folder == "Tests/Bulk")
    #expect(byName["benchmark"]?.folder == "Tests/Benchmarks")
  }
}
