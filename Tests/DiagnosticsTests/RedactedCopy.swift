import Diagnostics
import Evidence
import Lens
import Redaction
import StoreModel
import SystemCalls
import TestSupport
import Testing
import Values

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

  func check() throws {
    let (before, after) = try (RuleExample.examine(path), RuleExample.examine(copy))
    let (found, foundAfter) = (Self.found(before), Self.found(after))
    #expect(foundAfter.subtracting(found) == [] && found.subtracting(foundAfter) == [])
    let skipped = Set(before.skipped.map(\.rule)).symmetricDifference(after.skipped.map(\.rule))
    #expect(skipped.subtracting(Self.fileRules) == [])
    let left = try OriginalValues(path).found(inCopy: copy)
    #expect(left.isEmpty, "\(left.prefix(20))")
  }
}
