import Evidence
import SQLite
import StoreModel
import SystemCalls
import Values

extension Rule {
  static let fileCutOff = Rule(
    """
    Rule: file-cut-off
    Severity: error
    Title: The file is cut off
    Shows: A main file with fewer pages than its header counts, of which the -wal doesn't have the rest; and an empty
      main file next to a -wal with commits.
    Why: What was in the missing pages can't be read: it isn't in the file.
    Next launch: SQLite refuses the file (NSSQLiteErrorDomain 11), or fails at the first missing page. If the file is
      empty, SQLite deletes the -wal, and the app begins with an empty store.
    Remedy: Copy the store again from where it came, together with its -wal: copying was probably interrupted. If that
      is all that's left, restore a backup; sqlite3's '.recover' finds only what is in the remaining pages.
    False positives: None known. In a store with a -wal that wasn't copied, the rest may be in there: the fix is the
      same.
    Evidence: Documented by SQLite: https://www.sqlite.org/fileformat2.html#in_header_database_size
    Message: {what}.
    """
  ) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    let missing = try opened.missingPages()
    guard missing > 0 || opened.files.isInWALAlone else { return }
    if opened.files.isInWALAlone { findings.remedy = remedyOfEmptyFile }
    findings.add(
      subject: "file",
      [
        "missingPages": .count(missing), "bytes": .integer(opened.files.main.size),
        "what": .text(
          opened.files.isInWALAlone
            ? "The file is empty (0 bytes). What is shown is in its -wal alone, which an app or SQLite deletes when it opens the store"
            : "The file is \(opened.files.cutOff(missing))"),
      ])
  }

  static let remedyOfEmptyFile = """
    Don't open it with an app or sqlite3. Copy both files, then get the main file again from where it came. 'storescope \
    export' saves what is in the -wal.
    """

  /// Damage in one page may show in thousands of lines.
  private static let integrityLines = 100

  static let integrityCheckFailed = Rule(
    """
    Rule: integrity-check-failed
    Severity: error
    Title: SQLite's check finds damage
    Shows: Damage that SQLite's quick check finds in the database's structure: it reads every page of every table and
      index. With --thorough it is SQLite's full integrity check, which also compares each index with its table and
      takes many times as long. The check stops after 100 problems. Expressions that the schema holds aren't
      evaluated: CHECK constraints, and tables with generated columns; with --thorough, indexes on expressions or with
      a condition.
    Why: A damaged page loses rows, and what Core Data reads from it may be wrong. Damage grows with every save.
    Next launch: The store opens as long as its first pages are intact; fetches and saves that touch the damage fail
      with NSSQLiteErrorDomain 11.
    Remedy: Quit the app, copy the store with its -wal and -shm, and restore a backup, or rebuild the copy with
      sqlite3's '.recover'. storescope can't repair damage.
    False positives: If a store was copied while an app wrote to it, or without its -wal, only the copy is damaged:
      copy all its files together, with the app closed.
    Evidence: Documented by SQLite: https://www.sqlite.org/pragma.html#pragma_quick_check
    Message: The file is damaged: SQLite's check finds {count} {problem|problems}, such as "{problem}".
    """
  ) { examination, findings in
    let connection = examination.store.connection
    let check = try connection.damage(isThorough: examination.isThorough, atMost: integrityLines)
    for problem in check.problems { findings.add(subject: problem, ["problem": .text(problem)]) }
    findings.omission = check.omission
  }

  static let metadataUnreadable = Rule(
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
    """
  ) { examination, findings in
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
    findings.add(subject: "Z_METADATA", ["problem": .text(problem)])
  }

  static let storeInCaches = Rule(
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
    """
  ) { examination, findings in
    guard let path = examination.opened?.files.resolvedPath else { throw filesUnknown }
    let folders = path.split(separator: "/").dropLast().map(String.init)
    guard let place = place(folders) else { return }
    findings.add(subject: "path", ["folder": .text(place)])
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

  static let spaceReclaimable = Rule(
    """
    Rule: space-reclaimable
    Severity: info
    Title: Free pages that the file still has
    Shows: Free pages that are worth at least 'bytes', and at least 'share' of the file.
    Why: SQLite keeps the pages of deleted rows for later. After a large clean-up the file stays as large as it was,
      with every backup of it.
    Next launch: Nothing: the free pages are used for new rows.
    Remedy: Open the store once in the app with NSSQLiteManualVacuumOption, or run VACUUM with all programs closed.
      VACUUM copies the file: it needs up to twice its future size.
    False positives: An app that regularly deletes and inserts that much uses the pages again.
    Evidence: Documented by SQLite: https://www.sqlite.org/lang_vacuum.html
    Message: {bytes:size} of the file, {percent}%, are free pages. {what}
    Param bytes: bytes of free pages; less isn't worth a copy of the file, default 10000000
    Param share: part of the file; a database in use has some free pages, default 0.25
    """
  ) { examination, findings in
    func pragma(_ name: String) throws -> Int64 {
      max(0, try examination.store.connection.first("PRAGMA main.\(name)") { $0.integer(0) } ?? 0)
    }
    let (pages, free, size) = try (pragma("page_count"), pragma("freelist_count"), pragma("page_size"))
    let bytes = free.multipliedReportingOverflow(by: size)
    guard pages > 0, !bytes.overflow,
      Double(bytes.partialValue) >= examination.setting("bytes", of: findings.header),
      Double(free) >= examination.setting("share", of: findings.header) * Double(pages)
    else { return }
    let needed = (pages - min(free, pages)) * size
    let folder = examination.opened.map { opened in
      let path = opened.files.resolvedPath
      return String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }
    let room = folder.flatMap { Files.freeBytes(at: $0.isEmpty ? "/" : $0) }
    // The copy is made in a temporary file, and goes through the WAL.
    let fits = room.map { $0 / 2 >= needed }
    let vacuum =
      switch fits {
      case true?: "There is enough disk space for VACUUM."
      case false?: "VACUUM needs \(Sentence.size(needed * 2)), and \(Sentence.size(room ?? 0)) are free here."
      case nil: "VACUUM needs \(Sentence.size(needed * 2)) of disk space."
      }
    findings.add(
      subject: "free pages",
      [
        "bytes": .integer(bytes.partialValue),
        "percent": .integer(Int64((Double(free) / Double(pages) * 100).rounded())),
        "freePages": .integer(free), "pages": .integer(pages), "vacuumBytes": .integer(needed * 2),
        "fits": fits.map(DataValue.bool) ?? .null, "what": .text(vacuum),
      ])
  }
}
