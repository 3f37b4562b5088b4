import Base
import TestSupport
import Testing

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

  /// Updating one store of several made a baseline for any store of the file, and lost what was accepted of the others.
  @Test(
    arguments: [
      ([("a/App.store", "A")], [5, 2, 3]), ([("elsewhere/x.store", "A")], [5, 2, 3]),
      ([("new.store", "C")], [1, 2, 3, 5]),
      // Two copies, of which the file has one.
      ([("c/Copy.store", "B"), ("x/Copy.store", "C")], [1, 2, 5, 5]),
    ] as [([(String, String?)], [Int])])
  func otherStoresKeepTheirPart(_ stores: [(String, String?)], _ counts: [Int]) throws {
    let file = BaselineFile(
      stores.map { ($0.0, $0.1, Self.diagnosis(5)) }, replacing: Self.several)
    guard case .array(let parts) = file.value["stores"] else {
      Issue.record("The baseline has no stores.")
      return
    }
    let found = parts.compactMap { part -> Int? in
      guard case .array(let findings) = part["findings"], case .integer(let count) = findings.first?["count"]
      else { return nil }
      return Int(count)
    }
    #expect(found == counts)
  }

  @Test(arguments: [
    "{}", "[]", "{\"schema\":\"storescope/baseline/1\"}",
    "{\"schema\":\"storescope/baseline/1\",\"stores\":[1]}",
    "{\"schema\":\"storescope/baseline/1\",\"stores\":[{\"path\":\"a\"}]}",
  ]) func anythingElseIsRefused(_ text: String) {
    #expect(throws: StoreScopeError.self) { try BaselineFile(json: text, path: "x") }
  }

  /// Of two runs with one category a code host keeps the later.
  @Test func absoluteAndRelativePathsHaveTheirCategories() {
    let stores = ["/data/A.store", "data/A.store"].map {
      ExaminedStore(path: $0, uuid: nil, outcome: .failed(""))
    }
    guard case .array(let runs) = SARIFLog(stores, rules: [], version: "").value["runs"] else {
      Issue.record("The log has no runs.")
      return
    }
    let categories = runs.compactMap { $0["automationDetails"]?["id"]?.text }
    #expect(categories == ["storescope/file:/data/A.store/", "storescope/data/A.store/"])
  }

  @Test(arguments: [
    (["a/App.store", "App2.store"], ["App.store", "App2.store"]),
    (["x/a/App.store", "./x/b/App.store", "C.store"], ["a/App.store", "b/App.store", "C.store"]),
    (["App.store", "a/App.store"], ["App.store", "a/App.store"]), (["/"], ["/"]), ([], []),
  ]) func namesDistinguishStores(_ paths: [String], _ names: [String]) {
    #expect(ExaminedStore.names(of: paths) == names)
  }
}
