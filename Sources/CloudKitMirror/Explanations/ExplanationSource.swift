/// Where explanations come from: what a reader can look up.
enum ExplanationSource {
  static let none = "no public documentation"
  static let appAuthors = "reports of app authors"
  static let cloudKitErrors = "CKError.h (CloudKit)"
  static let foundationErrors = "FoundationErrors.h (Foundation)"

  static let tn3162 = technote("tn3162-understanding-cloudkit-throttles")
  static let tn3163 = technote("tn3163-understanding-the-synchronization-of-nspersistentcloudkitcontainer")
  static let tn3164 = technote("tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer")
  static let persistentHistory = coreData("persistent-history")
  static let queryGenerations = coreData("accessing-data-when-the-store-changes")
  static let cloudKitModel = coreData("creating-a-core-data-model-for-cloudkit")
  static let readingRecords = coreData("reading-cloudkit-records-for-core-data")
  static let deployingSchema = cloudKit("deploying-an-icloud-container-s-schema")
  static let writeAheadLog = "https://www.sqlite.org/wal.html"
  static let sqliteResultCodes = "https://www.sqlite.org/rescode.html"
  static let historyPurgeReport = "https://github.com/fatbobman/PersistentHistoryTrackingKit/issues/7"

  static func coreData(_ page: String) -> String { documentation + "coredata/" + page }
  static func cloudKit(_ page: String) -> String { documentation + "cloudkit/" + page }

  private static let documentation = "https://developer.apple.com/documentation/"
  private static func technote(_ page: String) -> String { documentation + "technotes/" + page }
}
