import Evidence
import Values

extension LockHolder {
  private var advice: String {
    isOurs ? "leave that storescope first" : "quit the app and its extensions first"
  }

  /// Who has the store open and what to do, as a clause.
  func inUse(_ files: StoreFiles? = nil) -> String {
    guard let files, files.header.usesWAL, files.wal == nil else {
      return "in use by \(description): \(advice)"
    }
    return
      "in use by \(description), whose -wal isn't next to it (that process uses another name of the file, or the -wal was deleted): \(advice)"
  }

  /// Why nothing is done to a store that somebody has open.
  func refusal(of path: String, _ files: StoreFiles? = nil) -> StoreScopeError {
    StoreScopeError(.busy, path, "is \(inUse(files))", outcome: .unchanged)
  }
}
