import Base
import Evidence
import SQLite

/// What can be said, before any lock is taken, of whether a store can be changed where it lies.
package enum Surroundings {
  /// Answers for people; all of them are looked at again under the lock.
  package static func preconditions(_ path: String, backupParent: String?) -> [Precondition] {
    guard let files = try? StoreFiles(path: path) else { return [] }
    let parts = StoreParts(path: files.resolvedPath)
    let parent = backupParent ?? parts.folder
    let holder = (try? LockProbe(files))?.holder() ?? user(of: files)
    let otherNames = OtherNames.problem(with: files.resolvedPath)
    let isWritable = Files.isWritable(files.resolvedPath) && Files.isWritable(parts.folder)
    let needed = Room.needed(mainSize: files.main.size, parts)
    let free = Files.freeBytes(at: parent)
    let problem =
      Room.problem(with: parent, parts)
      ?? free.flatMap {
        $0 < needed
          ? "The backup needs \(Sentence.size(needed)), but only \(Sentence.size($0)) are free." : nil
      }
    return [
      Precondition(
        "not-in-use", holds: holder == nil,
        holder.map { "The store is \($0.inUse(files))." } ?? unused),
      Precondition("one-name", holds: otherNames == nil, otherNames ?? "The store's file has only one name."),
      Precondition(
        "no-hot-journal", holds: !files.hasHotJournal,
        files.hasHotJournal
          ? "A transaction was interrupted; let the app open the store once."
          : "No transaction was interrupted."),
      Precondition(
        "writable", holds: isWritable,
        isWritable ? "The store and its folder are writable." : "The store or its folder isn't writable."),
      Precondition(
        "room", holds: problem == nil, problem ?? "There is enough disk space for the backup."),
    ]
  }

  /// A process that has the store open and holds no lock on it, as an idle one does without a -wal.
  private static func user(of files: StoreFiles) -> LockHolder? {
    FileUsers.lastingProcess(ofStore: files.resolvedPath).map {
      LockHolder(processID: $0, isExclusive: false)
    }
  }

  /// Those of other users show by their locks only, unless an administrator asks; nobody sees out of a container.
  private static let unused =
    "No process that you can see has the store open; other users' processes may be hidden."
}

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
