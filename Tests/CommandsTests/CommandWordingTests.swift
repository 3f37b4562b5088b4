import Commands
import Testing

/// Texts quote commands as `storescope COMMAND STORE …`; where they are read, the commands can be pasted.
struct CommandWordingTests {
  @Test(arguments: [
    ("'storescope entities' lists them all", "'entities' lists them all"),
    ("'storescope doctor STORE --rule x'.", "'doctor --rule x'."),
    ("'storescope rows App.store Person'", "'rows Person'"), ("'storescope rows /a/b.store X'", "'rows X'"),
    ("See 'storescope rows --help'.", "See 'help rows'."), ("See 'storescope --help'.", "See 'help'."),
    ("'storescope help options'", "'help options'"),
    ("  storescope query STORE \"SELECT 1\"", "  query \"SELECT 1\""),
    ("Fix: storescope repair STORE raise-max", "Fix: repair raise-max"),
    ("'storescope explain CODE' and 'storescope man'", "'explain CODE' and 'man'"),
    ("'storescope shell STORE'", "'storescope shell STORE'"),
    ("'storescope shell a/b.store' opens it", "'open a/b.store' opens it"),
    ("storescope reads stores", "storescope reads stores"),
    ("/opt/storescope rows STORE", "/opt/storescope rows STORE"),
    ("'storescope COMMAND --help'", "'help COMMAND'"),
    ("a storescope", "a storescope"), ("", ""), ("'storescope ", "'storescope "),
    ("'storescope", "'storescope"),
    (
      "'storescope pending STORE' lists them; see 'storescope repair STORE prune-history'.",
      "'pending' lists them; see 'repair prune-history'."
    ),
    (
      "the SQL took longer than 1 second. --timeout SECONDS gives it more time, --timeout 0 as much as it needs",
      "the SQL took longer than 1 second. 'timeout SECONDS' gives it more time, 'timeout none' as much as it needs"
    ),
  ]) func inTheShellNoStoreIsNamed(_ text: String, _ worded: String) {
    #expect(CommandWording(place: .shell, store: "/a/b.store").worded(text) == worded)
  }

  @Test(arguments: [
    ("'storescope entities' lists them all", "'storescope entities a.store' lists them all"),
    ("'storescope doctor STORE --rule x'", "'storescope doctor a.store --rule x'"),
    ("'storescope rows --help'", "'storescope rows --help'"),
    ("'storescope resync --pull'", "'storescope resync a.store --pull'"),
    ("'storescope rows X Person'", "'storescope rows X Person'"),
    ("'storescope explain 1'", "'storescope explain 1'"),
    ("storescope summary prints", "storescope summary prints"),
    ("'storescope help sql'", "'storescope help sql'"),
    (
      "'storescope pending STORE' lists them; see 'storescope repair STORE prune-history'.",
      "'storescope pending a.store' lists them; see 'storescope repair a.store prune-history'."
    ),
  ]) func elsewhereTheStoreIsFilledIn(_ text: String, _ worded: String) {
    #expect(CommandWording(place: .program, store: "a.store").worded(text) == worded)
    #expect(CommandWording(place: .program).worded(text) == text)
  }

  @Test func aPathWithBlanksIsQuoted() {
    let wording = CommandWording(place: .program, store: "My Store.sqlite")
    #expect(wording.worded("'storescope entities'") == "'storescope entities \"My Store.sqlite\"'")
  }

  /// A shell expands the exclamation mark of an address in double quotes, and single quotes in single quotes end them.
  @Test func anAddressStandsInNoOtherQuotes() {
    let wording = CommandWording(place: .program, store: "a.zip!/b.store")
    #expect(
      wording.worded("See 'storescope pending STORE' and 'storescope events', 'rows X' too.")
        == "See storescope pending 'a.zip!/b.store' and storescope events 'a.zip!/b.store', 'rows X' too.")
    #expect(
      wording.worded("'storescope doctor STORE --rule x' explains it")
        == "storescope doctor 'a.zip!/b.store' --rule x explains it")
    #expect(
      wording.worded("'storescope search STORE 'Two words'' also looks")
        == "storescope search 'a.zip!/b.store' 'Two words' also looks")
  }

  /// The quotes around the command ended at the first one within it.
  @Test(arguments: [
    ("'storescope find 'a b!c.zip' --app x' lists", "storescope find 'a b!c.zip' --app x lists"),
    ("'storescope find 'a!/Tom'\\''s' --app x'?", "storescope find 'a!/Tom'\\''s' --app x?"),
    ("'storescope find 'a!/b'', and 'x'", "storescope find 'a!/b', and 'x'"),
    ("'storescope find \"Tom's files\" --app x' lists", "'storescope find \"Tom's files\" --app x' lists"),
    ("'storescope find PATH' isn't 'it'", "'storescope find PATH' isn't 'it'"),
  ]) func quotesWithinACommandNeedNoneAroundIt(_ text: String, _ worded: String) {
    #expect(CommandWording(place: .program).worded(text) == worded)
  }
}
