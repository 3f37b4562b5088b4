import Diagnostics
import Forge
import TestSupport
import Testing
import Values

/// A redacted copy of every store that a rule has something to say about: the doctor says the same of both.
struct RedactedExamplesTests {
  /// An index with a tokenizer that only Apple's framework has can't be copied, nor what a file that was cut off has lost.
  private static let uncopied: Set = ["full-text-index-present", "file-cut-off"]
  private static let broken = RuleExamples.all.filter { example in
    if case .broken = example.verdict { !uncopied.contains(example.rule) } else { false }
  }

  @Test(arguments: broken) func sameFindings(_ example: RuleExample) throws {
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

/// The same with mirrored apps' lives at random.
struct RedactedLivesTests {
  @Test(arguments: 1...8) func sameFindings(_ seed: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = folder.path("Life.store")
    let mirror = try RandomMirrorLife.live(
      seed: seed, steps: 40, layout: seed.isMultiple(of: 2) ? .v16 : .v17, path: path)
    try mirror.forge.close()
    try RedactedCopy(of: path).check()
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
