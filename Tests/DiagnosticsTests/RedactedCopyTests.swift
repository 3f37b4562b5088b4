import Base
import Diagnostics
import Evidence
import Forge
import Lens
import Redaction
import StoreModel
import TestSupport
import Testing

/// A store and its redacted copy, compared as those would who get the copy.
struct RedactedCopy {
  /// What is wrong with the file or its place, and not with what is in it, isn't in the copy; programs have no names there.
  private static let fileRules: Set = [
    "integrity-check-failed", "file-cut-off", "wal-foreign", "wal-damaged", "data-only-in-wal",
    "space-reclaimable", "store-in-caches", "store-recreated", "store-shared-by-apps",
  ]

  private let path: String
  let copy: String

  /// Makes the copy next to the store, in a folder that is the test's own.
  init(of path: String, _ options: RedactionOptions = RedactionOptions(marks: Marks(saltText: "test"))) throws
  {
    self.path = path
    let name = Platform.fileName(path)
    copy = path.dropLast(name.count) + "Copy-" + name
    let open = try OpenStore(at: path)
    let result = try StoreRedaction(open, to: copy, options).run(finish: open.bytes().finish) { _ in }
    #expect(result.problems.isEmpty)
  }

  struct Found: Hashable {
    var rule: String
    var count: Int
    var objects: [String]
  }

  private static func found(_ diagnosis: Diagnosis) -> Set<Found> {
    Set(
      diagnosis.findings.filter { !fileRules.contains($0.rule.id) }.map { finding in
        Found(
          rule: finding.rule.id, count: finding.count,
          objects: finding.objects.map { $0.split(separator: "/").suffix(2).joined(separator: "/") })
      })
  }

  /// - Parameter known: what the doctor says of the store, where it was asked already.
  func check(_ known: Diagnosis? = nil) throws {
    let (before, after) = try (known ?? RuleExample.examine(path), RuleExample.examine(copy))
    let (found, foundAfter) = (Self.found(before), Self.found(after))
    #expect(foundAfter.subtracting(found) == [] && found.subtracting(foundAfter) == [])
    let skipped = Set(before.skipped.map(\.rule)).symmetricDifference(after.skipped.map(\.rule))
    #expect(skipped.subtracting(Self.fileRules) == [])
    let left = try OriginalValues(path).found(inCopy: copy)
    #expect(left.isEmpty, "\(left.prefix(20))")
  }
}

/// A redacted copy of mirrored apps' lives at random: the doctor says the same of both, as `RuleTests` has it of examples.
struct RedactedLivesTests {
  @Test(arguments: 1...8) func sameFindings(_ seed: UInt64) throws {
    let folder = TemporaryFolder()
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
