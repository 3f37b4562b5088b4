import Testing

@testable import Commands

struct AdviceTextTests {
  private static let text =
    "'storescope pending STORE' lists them; see 'storescope repair STORE prune-history' and 'storescope explain CODE'."

  @Test func commandsHaveTheStoresPath() {
    #expect(
      AdviceText(path: "/tmp/My App.store", isInShell: false).filled(Self.text)
        == "'storescope pending '/tmp/My App.store'' lists them; see 'storescope repair '/tmp/My App.store' prune-history' and 'storescope explain CODE'."
        || AdviceText(path: "/tmp/My App.store", isInShell: false).filled(Self.text).contains("My\\ App"))
    #expect(
      AdviceText(path: "a.store", isInShell: false).filled(Self.text)
        == "'storescope pending a.store' lists them; see 'storescope repair a.store prune-history' and 'storescope explain CODE'."
    )
  }

  @Test func inTheShellTheyHaveNone() {
    let advice = AdviceText(path: "a.store", isInShell: true)
    #expect(
      advice.filled(Self.text) == "'pending' lists them; see 'repair prune-history' and 'explain CODE'.")
    #expect(advice.command("doctor --verbose") == "'doctor --verbose'")
  }

  @Test(arguments: ["", "no command", "'storescope ", "'storescope"])
  func otherTextStays(_ text: String) {
    #expect(AdviceText(path: "a.store", isInShell: true).filled(text) == text)
  }
}
