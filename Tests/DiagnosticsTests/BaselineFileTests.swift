import TestSupport
import Testing
import Values

@testable import Diagnostics

/// Whose findings a baseline of several stores has.
struct BaselineFileTests {
  private static func diagnosis(_ count: Int) -> Diagnosis {
    var diagnosis = Diagnosis()
    diagnosis.findings = [
      Finding(
        rule: RuleRegistry.all[0].header, message: "", count: count, known: 0, objects: [], evidence: [],
        marks: [])
    ]
    return diagnosis
  }

  private static let several = BaselineFile([
    ("a/App.store", "A", diagnosis(1)), ("b/App.store", "B", diagnosis(2)),
    ("c/Copy.store", "B", diagnosis(3)),
  ])

  @Test(
    arguments: [
      ("a/App.store", "X", 1), ("elsewhere/x.store", "A", 1), ("elsewhere/Copy.store", "X", 3),
      // Of two that fit, neither is meant.
      ("elsewhere/App.store", "X", nil), ("elsewhere/x.store", "B", nil), ("elsewhere/x.store", nil, nil),
    ] as [(String, String?, Int?)])
  func aStoreIsRecognized(_ path: String, _ uuid: String?, _ count: Int?) throws {
    let read = try BaselineFile(json: JSONText.compact(Self.several.value), path: "x")
    #expect(read == Self.several)
    #expect(read.baseline(ofStoreAt: path, uuid: uuid)?[RuleRegistry.all[0].id].count == count)
  }

  /// Each run of a test makes a store with another identifier.
  @Test func oneStoresBaselineHoldsForAny() throws {
    let file = BaselineFile([("a", "A", Self.diagnosis(1))])
    let read = try BaselineFile(json: JSONText.compact(file.value), path: "x")
    #expect(read == file && read.baseline(ofStoreAt: "b", uuid: "B")?[RuleRegistry.all[0].id].count == 1)
  }

  @Test(arguments: [
    "{}", "[]", "{\"schema\":\"storescope/baseline/1\"}",
    "{\"schema\":\"storescope/baseline/1\",\"stores\":[1]}",
    "{\"schema\":\"storescope/baseline/1\",\"stores\":[{\"path\":\"a\"}]}",
  ]) func anythingElseIsRefused(_ text: String) {
    #expect(throws: StoreScopeError.self) { try BaselineFile(json: text, path: "x") }
  }

  @Test(arguments: [
    (["a/App.store", "App2.store"], ["App.store", "App2.store"]),
    (["x/a/App.store", "./x/b/App.store", "C.store"], ["a/App.store", "b/App.store", "C.store"]),
    (["App.store", "a/App.store"], ["App.store", "a/App.store"]), (["/"], ["/"]), ([], []),
  ]) func namesDistinguishStores(_ paths: [String], _ names: [String]) {
    #expect(ExaminedStore.names(of: paths) == names)
  }
}
