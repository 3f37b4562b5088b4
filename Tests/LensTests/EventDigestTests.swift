import Explanations
import Testing
import Values

@testable import Lens

@Suite struct EventDigestTests {
  private func digest(_ runs: [(MirrorEvent.Kind, Int64?)]) -> EventDigest {
    var digest = EventDigest()
    for (index, (kind, code)) in runs.enumerated() {
      let at = CoreDataDate(seconds: Double(index) * 60)
      digest.add(
        MirrorEvent(
          primaryKey: Int64(index + 1), rawKind: kind.rawValue, started: at, ended: at,
          succeeded: code == nil, errorDomain: code.map { _ in "CKErrorDomain" }, errorCode: code))
    }
    return digest
  }

  @Test func failuresAreGroupedByErrorSinceTheLastSuccess() {
    let digest = digest([
      (.export, 2), (.export, nil), (.export, 25), (.export, 2), (.import, nil), (.export, 2), (.setup, 9),
    ])
    let failures = digest.unresolved(.export)
    #expect(failures.map(\.last.errorCode) == [2, 25])
    #expect(failures.map(\.unresolved) == [2, 1])
    #expect(failures.first?.since?.primaryKey == 4)
    #expect(failures.first?.last.primaryKey == 6)
    #expect(digest.failures.map(\.count) == [3, 1, 1])
    #expect(digest.failures.first?.first.primaryKey == 1)
    #expect(digest.lastSuccess?.primaryKey == 5)
  }

  @Test(arguments: [MirrorEvent.Kind.import, .export])
  func whatComesAfterASetupShowsThatOneGotThrough(_ kind: MirrorEvent.Kind) {
    #expect(digest([(.setup, 9), (kind, nil)]).unresolved(.setup).isEmpty)
    #expect(digest([(.setup, 9), (kind, 9)]).unresolved(.setup).count == 1)
    #expect(digest([(kind, 9), (.setup, nil)]).unresolved(kind).count == 1)
  }

  @Test func manyDifferentErrorsAreNotKept() {
    #expect(digest((0..<300).map { (.export, 1_000 + Int64($0)) }).failures.count == 100)
  }
}
