import Base
import Evidence
import SQLite
import StoreModel

extension Rule {
  static let fileCutOff = Rule(
    "file-cut-off"
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
    "integrity-check-failed"
  ) { examination, findings in
    let connection = examination.store.connection
    let check = try connection.damage(isThorough: examination.isThorough, atMost: integrityLines)
    for problem in check.problems { findings.add(subject: problem, ["problem": .text(problem)]) }
    findings.omission = check.omission
  }

  static let metadataUnreadable = Rule(
    "metadata-unreadable"
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
    if case .unreadable = metadata.propertyList {
      findings.remedy =
        "\(findings.header.remedy) Rebuild that copy with sqlite3's '.recover' first: nothing can be written to damaged pages."
    }
    findings.add(subject: "Z_METADATA", ["problem": .text(problem)])
  }

  static let storeInCaches = Rule(
    "store-in-caches"
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
    "space-reclaimable"
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
