import Evidence
import Values

extension Rule {
  static let storeInCaches = Rule(about) { examination, findings in
    guard let path = examination.opened?.files.resolvedPath else { throw filesUnknown }
    let folders = path.split(separator: "/").dropLast().map(String.init)
    guard let place = place(folders) else { return }
    findings.add(subject: "path", [.init("folder", .text(place))])
  }

  /// Folders that the system empties by itself, as apps see them. A copy under /tmp lies where its maker put it.
  private static func place(_ folders: [String]) -> String? {
    func follows(_ index: Int, _ names: Set<String>) -> Bool {
      index > 0 && names.contains(folders[index - 1])
    }
    for (index, folder) in folders.enumerated() {
      switch folder {
      case "Caches" where follows(index, ["Library", "AppData"]): return "Library/Caches"
      case "tmp"
      where follows(index, ["Data", "AppData"]) || (index > 1 && folders[index - 2] == "Application"):
        return "tmp"
      case "T" where index > 2 && folders.contains("folders"): return "the temporary folder"
      default: break
      }
    }
    return nil
  }
}

private let about = RuleHeader(
  """
  Rule: store-in-caches
  Severity: info
  Title: The store is where the system deletes files
  Shows: A store in an app's Library/Caches or tmp, or in the system's temporary folder.
  Why: The system empties these folders when it needs disk space, between two launches and without notice. The app
    then starts with an empty store.
  Next launch: If the system has deleted the file, the app makes a new, empty store.
  Next launch mirrored: A new store fetches everything from CloudKit again; changes that weren't exported are lost.
  Remedy: Keep stores in Application Support or in an app group's container; only what can be made again belongs
    here.
  False positives: A store that really is a cache. A copy that somebody put there; other temporary folders aren't
    reported.
  Evidence: Documented by Apple:
    https://developer.apple.com/library/archive/documentation/FileManagement/Conceptual/FileSystemProgrammingGuide/FileSystemOverview/FileSystemOverview.html
  Message: The store is in {folder}, which the system may empty at any time.
  """)
