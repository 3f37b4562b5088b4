import Foundation
import Testing

/// Package.swift says which target may know which. The compiler also takes an import of what happens to be built already:
/// the shell had one of a target that it doesn't depend on.
struct DependencyTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// By target, what it depends on.
  static let declared: [String: Set<String>] = {
    let manifest = (try? String(contentsOf: root.appending(path: "Package.swift"), encoding: .utf8)) ?? ""
    let targets = manifest.matches(
      of: /(?:library\(\s*|(?:target|executableTarget)\(\s*name: )"(\w+)",\s*(?:dependencies: )?\[([^\]]*)\]/)
    return Dictionary(
      targets.map { (String($0.1), Set($0.2.matches(of: /\w+/).map { String($0.0) })) },
      uniquingKeysWith: { one, _ in one })
  }()

  @Test(arguments: FolderTests.targets.filter { declared[$0] != nil })
  func aTargetImportsWhatItDependsOn(_ target: String) throws {
    let folder = Self.root.appending(path: "Sources/\(target)")
    var imported: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where file.hasSuffix(".swift") {
      let source = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      imported.formUnion(
        source.matches(of: /(?m)^(?:@preconcurrency )?(?:package )?import (\w+)/).map { String($0.1) })
    }
    let declared = try #require(Self.declared[target])
    #expect(imported.intersection(Self.declared.keys).subtracting(declared) == [], "imported, not declared")
    #expect(declared.intersection(Self.declared.keys).subtracting(imported) == [], "declared, not imported")
  }

  /// Without this, a mistake in the reading would pass every target.
  @Test func targetsAreRead() {
    #expect(Self.declared.count > 20)
    #expect(Self.declared["SQLite"] == ["CSQLite", "SystemCalls", "Values"])
  }
}
