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
  title: "Orphaned external data files",
  looksFor: """
    A file in the folder for external storage next to the store that no value of an attribute with external \
    storage, and no record's copy in the mirror, refers to.
    """,
  why: "It uses disk space on every device and in every backup, and Core Data never removes it.",
  nextLaunch: "Nothing: Core Data removes a file only together with its value.",
  remedy: """
    Close the app, make a copy of the store and its folder, then remove the files. Find out what deletes \
    rows outside Core Data, or kills the app in the middle of saves.
    """,
  needs: [.model],
  falsePositives: """
    A file of a value that was just written, if the save isn't committed yet. Two stores with the same name \
    in a folder share their external storage. With '--as-of-commit' or without its -wal, the store may be \
    older than its files.
    """,
  evidence: "App authors report it.",
  message: "{count} {file|files} for external storage {belongs|belong} to no value.")
