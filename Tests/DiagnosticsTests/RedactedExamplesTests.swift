import Diagnostics
import TestSupport
import Testing
import Values

/// A redacted copy of every store that a rule's examples make: the doctor says of it what it says of the original.
struct RedactedExamplesTests {
  @Test(arguments: RuleExamples.all) func sameFindings(_ example: RuleExample) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Example.store")
    try example.make(path)
    do { try RedactedCopy(of: path).check() } catch let error as StoreScopeError {
      // A damaged file may be too damaged to be copied; then nothing is left of the copy.
      #expect(
        try RuleExample.examine(path).findings.contains { $0.rule.id == "integrity-check-failed" }, "\(error)"
      )
      #expect(try folder.names().allSatisfy { !$0.contains("Copy-") })
    }
  }
}

/// The same with stores that Apple's frameworks wrote.
@Suite(.enabled(if: RealStores.arePresent)) struct RedactedRealStoresTests {
  @Test(arguments: RealStores.all) func sameFindings(_ name: String) throws {
    let (folder, path) = try RealStores.copy(name)
    defer { _ = folder }
    try RedactedCopy(of: path).check()
  }
}
