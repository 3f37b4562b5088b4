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
  """
  Rule: external-data-orphaned
  Severity: warning
  Title: Orphaned external data files
  Shows: A file in the folder for external storage next to the store that no value of an attribute with external
    storage, and no record's copy in the mirror, refers to.
  Why: It uses disk space on every device and in every backup, and Core Data never removes it.
  Next launch: Nothing: Core Data removes a file only together with its value.
  Remedy: Close the app, make a copy of the store and its folder, then remove the files. Find out what deletes rows
    outside Core Data, or kills the app in the middle of saves.
  Needs: model
  False positives: A file of a value that was just written, if the save isn't committed yet. Two stores with the
    same name in a folder share their external storage. With '--as-of-commit' or without its -wal, the store may be
    older than its files.
  Evidence: App authors report it.
  Message: {count} {file|files} for external storage {belongs|belong} to no value.
  """)
