import StoreModel
import SystemCalls
import Values

extension Rule {
  static let externalDataOrphaned = Rule(about) { examination, findings in
    var names = Set(try examination.store.externalFiles.names(.externalData))
    guard !names.isEmpty else { return }
    try ExternalReferences(examination).forEach { names.remove($0.file) }
    for name in names.sorted() {
      findings.add(subject: name, [.init("file", .text(name))])
    }
  }
}

private let about = RuleHeader(
  "external-data-orphaned", .warning,
  title: "Files that no value names",
  looksFor: """
    A file in the folder for external storage next to the store that no value of an attribute with external \
    storage, and no record's copy in the mirror, names.
    """,
  why: "It takes room on every device, in every backup, and nothing will ever remove it.",
  nextLaunch: "Nothing: Core Data removes a file with its value only.",
  remedy: """
    With the app closed and a copy of the store and its folder at hand, remove the files. Find out what \
    deletes rows outside Core Data, or ends the app in the middle of saves.
    """,
  needs: [.model],
  falsePositives: """
    A file of a value that was just written, where the save isn't committed yet. Two stores of one name in a \
    folder share it. With '--as-of-commit' or without its -wal the store may be older than its files.
    """,
  evidence: "App authors report it.",
  message: "{count} {file|files} for external storage {belongs|belong} to no value.")
