import StoreModel
import Values

extension Rule {
  static let metadataUnreadable = Rule(about) { examination, findings in
    let metadata = examination.store.metadata
    guard let problem = metadata.problem else { return }
    // A real store that was published has that.
    let isEmpty =
      switch metadata.propertyList {
      case .missing: true
      case .decoded: metadata.keys.isEmpty
      default: false
      }
    if isEmpty, metadata.uuid != nil { findings.severity = .warning }
    findings.add(subject: "Z_METADATA", [.init("problem", .text(problem))])
  }
}

private let about = RuleHeader(
  """
  Rule: metadata-unreadable
  Severity: error
  Title: Unreadable metadata
  Shows: A Z_METADATA that is missing, empty or unreadable, and metadata in it that can't be decoded or lacks the
    version hashes of the model. If only the metadata's column is empty, it is a warning.
  Why: Core Data compares the version hashes with those of the app's model before it opens the store. Without them,
    the model that wrote the store is unknown.
  Next launch: The store doesn't open: Core Data finds the model incompatible (134100), or no source model to
    migrate from (134130). Apps that then delete the store lose its data.
  Remedy: Restore a backup. Without one: have the app create an empty store with the same version of its model, and
    copy the row of that store's Z_METADATA to a copy of this one with sqlite3, with this store's Z_UUID if it is
    known.
  False positives: A store in a public collection whose metadata was removed on purpose.
  Evidence: Measured on real stores, one of which has an empty column; how an app fails is inferred from Apple's
    documentation of the errors.
  Message: {problem}: Core Data can't find out which model wrote the store.
  """)
