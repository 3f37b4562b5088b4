import Base
import Bulk
import Diagnostics
import Forge
import Lens
import SQLite
import StoreModel
import TestSupport
import Testing

/// Two threads share the rules of a large store. What they find together is what one finds.
struct RuleLaneTests {
  private let folder = TemporaryFolder("lanes")

  /// All of it but the times, as text.
  private func diagnosis(_ path: String, sizeForThreads: Int64) throws -> String {
    let open = try OpenStore(at: path)
    open.sizeForThreads = sizeForThreads
    var diagnosis = try Doctor().examine(Examination(open, now: CoreDataDate(seconds: 900_000_000)))
    diagnosis.seconds = [:]
    return "\(diagnosis)"
  }

  /// Values are searched by more threads, which look only for where a URI may be.
  @Test func manyValues() throws {
    let forge = try StoreForge(path: folder.path("App.store"), model: FixtureModels.library)
    try BulkForge.fill(forge) { try $0.insert("Book", count: 5000, ["title": "'Book ' || i"]) }
    let temporary = "x-coredata:///Book/t5C1B7E0C-1D3B-4E55-8C5C-0D9C7B1F2A10"
    for key in [1, 17, 2600, 2601, 5000] {
      try forge.connection.execute("UPDATE ZBOOK SET ZTITLE = '\(temporary)\(key)' WHERE Z_PK = \(key)")
    }
    try forge.close()
    func finding(sizeForThreads: Int64) throws -> String {
      let open = try OpenStore(at: forge.path)
      open.sizeForThreads = sizeForThreads
      var doctor = Doctor()
      doctor.rules = doctor.rules.filter { $0.id == "temporary-object-id" }
      var diagnosis = try doctor.examine(Examination(open, now: CoreDataDate(seconds: 900_000_000)))
      diagnosis.seconds = [:]
      #expect(diagnosis.findings.first?.count == 5)
      return "\(diagnosis)"
    }
    #expect(try finding(sizeForThreads: 0) == finding(sizeForThreads: .max))
  }

  @Test func demoStore() throws {
    let path = try DemoStore.copy(in: folder.path)
    #expect(try diagnosis(path, sizeForThreads: 0) == diagnosis(path, sizeForThreads: .max))
  }

  /// Of rules of which another thread has one half and this one the other.
  @Test(
    arguments: RuleExamples.values
      + RuleExamples.history.filter { if case .broken = $0.verdict { true } else { false } })
  func brokenStores(_ example: RuleExample) throws {
    let path = folder.path("Example.store")
    try example.make(path)
    #expect(try diagnosis(path, sizeForThreads: 0) == diagnosis(path, sizeForThreads: .max))
  }
}
