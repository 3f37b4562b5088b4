import Evidence
import SystemCalls
import Values

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
