import Diagnostics
import Forge
import Lens
import StoreModel
import TestSupport
import Testing
import Values

/// Two threads share the rules of a large store. What they find together is what one finds.
struct RuleLaneTests {
  /// All of it but the times, as text.
  private func diagnosis(_ path: String, sizeForThreads: Int64) throws -> String {
    var doctor = Doctor()
    doctor.sizeForThreads = sizeForThreads
    var diagnosis = try doctor.examine(
      Examination(OpenStore(at: path), now: CoreDataDate(seconds: 900_000_000)))
    diagnosis.seconds = [:]
    return "\(diagnosis)"
  }

  @Test func demoStore() throws {
    let folder = try TemporaryFolder("lanes")
    let path = try DemoStore.copy(in: folder.path)
    #expect(try diagnosis(path, sizeForThreads: 0) == diagnosis(path, sizeForThreads: .max))
  }

  /// Of rules of which another thread has one half and this one the other.
  @Test(
    arguments: RuleExamples.values
      + RuleExamples.history.filter { if case .broken = $0.verdict { true } else { false } })
  func brokenStores(_ example: RuleExample) throws {
    let folder = try TemporaryFolder("lanes")
    let path = folder.path("Example.store")
    try example.make(path)
    #expect(try diagnosis(path, sizeForThreads: 0) == diagnosis(path, sizeForThreads: .max))
  }
}
