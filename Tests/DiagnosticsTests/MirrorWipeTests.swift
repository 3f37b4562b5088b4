import Base
import Diagnostics
import Forge
import Lens
import TestSupport
import Testing

/// What is said of objects that the mirror deleted.
struct MirrorWipeTests {
  private let folder = TemporaryFolder()

  private func wiped(_ change: (MirrorForge) throws -> Void) throws -> (finding: Finding?, wipe: String?) {
    let path = folder.path("Example.store")
    try ExampleStore.mirrored(path) { try change($0) }
    let finding = try RuleExample.examine(path).findings.first { $0.rule.id == "past-wipe" }
    let open = try OpenStore(at: path)
    return (finding, try MirrorSummary(try #require(try open.mirror())).verdict.wipe)
  }

  /// An empty store with nothing pending looked as if it had never had any objects.
  @Test func aWipeIsSaidWithItsCause() throws {
    let (finding, wipe) = try wiped { try $0.setUp(account: "_other") }
    let cause =
      "because the iCloud account changed (the setup failed with NSCocoaErrorDomain 134405)."
    let message = try #require(finding?.message)
    #expect(message.hasSuffix(", \(cause)"), "\(message)")
    let sentence = try #require(wipe)
    #expect(sentence.hasPrefix("The mirror deleted all ") && sentence.hasSuffix(cause), "\(sentence)")
  }

  @Test func theUserDeletedTheData() throws {
    let (finding, wipe) = try wiped { try $0.userPurgedZone() }
    let cause = "because the user deleted the app's data in the iCloud settings (the import failed with "
    #expect(finding?.message.contains(cause) == true && wipe?.contains(cause) == true, "\(wipe ?? "none")")
  }

  /// What the app itself made or deleted since isn't the mirror's doing.
  @Test func onlyAnEmptyStoreWasEmptied() throws {
    let (finding, wipe) = try wiped { mirror in
      try mirror.setUp(account: "_other")
      try mirror.save(author: "app") { _ = try $0.insert("Person") }
    }
    #expect(finding != nil && wipe == nil)
    let (_, byApp) = try MirrorWipeTests().wiped { mirror in
      try mirror.setUp(account: "_other")
      let person = try mirror.save(author: "app") { try $0.insert("Person") }
      try mirror.save(author: "app") { try $0.delete(person) }
    }
    #expect(byApp == nil)
  }
}
