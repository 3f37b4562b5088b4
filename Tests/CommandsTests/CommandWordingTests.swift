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
    ("'storescope doctor STORE --rule x'", "'storescope doctor a.store --rule x'"),
    ("'storescope rows --help'", "'storescope rows --help'"),
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
    #expect(wording.worded("'storescope entities STORE'") == "'storescope entities \"My Store.sqlite\"'")
  }
}
