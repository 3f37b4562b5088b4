import Evidence
import SQLite
import SystemCalls
import Values

/// Whether the backup and the change fit the medium.
enum Room {
  /// What a change adds at most to the backup, for the journal or the WAL.
  private static let margin: Int64 = 16 << 20

  /// Bytes for the backup of everything, and for the change.
  static func needed(mainSize: Int64, _ parts: StoreParts) -> Int64 {
    let others = ((try? parts.all()) ?? []).filter { $0 != parts.name }
    return others.reduce(margin + mainSize) { $0 + (FileReader.size(of: parts.path(of: $1)) ?? 0) }
  }

  /// Why a folder is none for the backup, in a sentence; nil where it is one.
  static func problem(with folder: String, _ parts: StoreParts) -> String? {
    guard FileReader.kind(of: folder) == .folder else {
      return "There is no folder '\(folder)' for the backup."
    }
    guard Files.isWritable(folder) else {
      return "The backup's folder '\(folder)' isn't writable; choose another --backup-to."
    }
    // It would be taken for values of the store's, and be part of the next backup.
    let place = resolved(folder)
    let owner = parts.folders.first { own in
      let own = resolved(parts.path(of: own))
      return place == own || place.hasPrefix(own + "/")
    }
    return owner.map {
      "The backup can't go to '\(folder)', which is in the store's own folder '\($0)'; choose another --backup-to."
    }
  }

  private static func resolved(_ path: String) -> String { Platform.realPath(path) ?? path }

  static func check(for locked: LockedStore, in folder: String, _ freeBytes: (String) -> Int64?) throws {
    let parts = StoreParts(path: locked.path)
    if let problem = problem(with: folder, parts) {
      throw StoreScopeError(.refused, problem, outcome: .unchanged)
    }
    let needed = needed(mainSize: try locked.connection.mainFileSize(), parts)
    if let free = freeBytes(folder), free < needed {
      throw StoreScopeError(
        .limit, "The backup needs \(Sentence.size(needed)), but '\(folder)' has \(Sentence.size(free))",
        about: folder,
        advice: "free disk space or choose another --backup-to", outcome: .unchanged)
    }
  }
}
