import Diagnostics
import Foundation
import TestSupport
import Testing

/// A3 and E1: `external-data-missing` said "The value is lost" of files that the user just may not look at, or that lie
/// behind a link.
struct UnseenFilesTests {
  private static func check(_ path: String, _ reason: String) throws {
    let rules = RuleRegistry.all.filter { $0.id == "external-data-missing" }
    let diagnosis = try RuleExample.examine(path, rules: rules)
    #expect(diagnosis.findings.isEmpty)
    #expect(diagnosis.skipped.map(\.rule) == ["external-data-missing"])
    #expect(diagnosis.skipped.first?.because.contains(reason) ?? false, "\(diagnosis.skipped)")
  }

  @Test func aLinkIsNamed() throws {
    let folder = TemporaryFolder()
    let path = folder.path("Example.store")
    try ExampleStore.photo(path)
    let data = ExampleStore.externalFolder(path)
    try FileManager.default.moveItem(atPath: data, toPath: folder.path("elsewhere"))
    try FileManager.default.createSymbolicLink(atPath: data, withDestinationPath: folder.path("elsewhere"))
    try Self.check(path, "Person.photo is behind a link, not followed")
  }

  @Test func whatMayNotBeLookedAtIsNotLost() async throws {
    let folder = TemporaryFolder()
    let path = folder.path("Example.store")
    try ExampleStore.photo(path)
    let support = (ExampleStore.externalFolder(path) as NSString).deletingLastPathComponent
    chmod(support, 0)
    defer { chmod(support, 0o700) }
    _ = try await withoutRootRights { try Self.check(path, "can't be checked") }
  }

  /// Values whose files were next to the store under its earlier name were called lost.
  @Test func aRenamedStoreFindsItsFiles() throws {
    let folder = TemporaryFolder()
    let path = folder.path("New.store")
    try ExampleStore.photo(path)
    try FileManager.default.moveItem(
      atPath: folder.path(".New_SUPPORT"), toPath: folder.path(".Old_SUPPORT"))
    let finding = try #require(
      try RuleExample.examine(path).findings.first { $0.rule.id == "external-data-missing" })
    #expect(
      finding.message.contains("; it is next to the store, in the folder .Old_SUPPORT."), "\(finding.message)"
    )
    #expect(finding.rule.remedy.contains("rename that folder"))
  }
}
