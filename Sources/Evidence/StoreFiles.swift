import Base

/// The files of one store as they are before SQLite looks at them.
package struct StoreFiles: Sendable, Equatable {
  /// As the user wrote it: for sentences.
  package var path: String
  /// Where the file is: another place only for a store that was taken out of a container.
  let location: String
  /// Without symbolic links: SQLite looks for the side files next to the file that a link leads to.
  package var resolvedPath: String
  package var main: FileFacts
  /// Changes that were not yet copied into the main file.
  package var wal: FileFacts?
  /// The index of the WAL that its processes share.
  package var shm: FileFacts?
  /// What a transaction without a WAL overwrites.
  package var journal: FileFacts?
  package var header: StoreHeader
  /// A transaction was cut short, and the main file is of no use before the journal is rolled back. (A process
  /// that is in the middle of one looks the same; its lock shows it.)
  package var hasHotJournal: Bool
  /// The -wal has bytes and no frame, which SQLite takes for empty: what it begins with can't be a WAL's header, or not one
  /// whole frame follows.
  package var hasFramelessWAL: Bool
  /// The first bytes of main file and WAL, in which each checkpoint and each restart of the WAL shows.
  var fingerprint: [UInt8]

  package var walPath: String { resolvedPath + "-wal" }
  package var shmPath: String { resolvedPath + "-shm" }
  package var journalPath: String { resolvedPath + "-journal" }

  /// Looks at the files of the store at `path`. Throws a sentence where that is no SQLite store or can't be
  /// read. Opens and closes the main file: not to be called while this process has the store open.
  package init(path: String, at location: String? = nil) throws {
    let location = location ?? path
    if FileStatus(location) == nil, Platform.lastFailure == .missing,
      FileStatus(ofLink: location)?.kind == .link
    {
      throw StoreScopeError.unreadable(
        path, "it is a symbolic link to a file that doesn't exist", kind: .notFound,
        advice: "name the file itself, or restore what the link points to")
    }
    guard let main = try FileFacts(location), let resolved = Platform.validRealPath(location) else {
      // What isn't UTF-8 on the command line arrives with replacement characters.
      let advice =
        path.unicodeScalars.contains("\u{FFFD}")
        ? "its name doesn't seem to be valid UTF-8, which storescope can't open; rename or copy the file"
        : "check the name, or look for it with 'storescope find'"
      throw StoreScopeError.unreadable(path, "there is no such file", kind: .notFound, advice: advice)
        .naming(Platform.fileName(path), among: Self.neighbors(of: path))
    }
    self.path = path
    self.location = location
    self.main = main
    guard let resolvedPath = resolved else {
      throw StoreScopeError.unreadable(
        path, "it is a link into a place whose name isn't valid UTF-8",
        advice: "rename that place, or copy the store")
    }
    self.resolvedPath = resolvedPath
    wal = try FileFacts(resolvedPath + "-wal", of: path)
    var bytes = try OpenFile.ofStore(resolvedPath).bytes(StoreHeader.size)
    if main.size == 0, let wal {
      bytes = try Self.firstPage(ofEmpty: path, inWALAt: resolvedPath + "-wal", wal)
    }
    header = try StoreHeader(bytes, fileSize: bytes.isEmpty ? main.size : max(main.size, 1), path: path)
    shm = try FileFacts(resolvedPath + "-shm", of: path)
    journal = try FileFacts(resolvedPath + "-journal", of: path)
    fingerprint = bytes
    hasHotJournal = false
    hasFramelessWAL = false
    if let wal, wal.size > 0 {
      if let head = try Self.head(of: resolvedPath + "-wal", WALHeader.size) {
        fingerprint += head
        let header = WALHeader(head)
        let least = header.map { WALHeader.size + WALFrame.headerSize + $0.pageSize }
        hasFramelessWAL = least.map { wal.size < Int64($0) } ?? true
      } else {
        self.wal = nil
      }
    }
    if let journal, journal.size > 0 {
      // A finished transaction deletes the journal, cuts it to nothing, or writes zeros over its header:
      // https://www.sqlite.org/pragma.html#pragma_journal_mode
      let head = try Self.head(of: resolvedPath + "-journal", 1)
      hasHotJournal = head != nil && head != [0]
    }
  }

  /// The files in the folder of one that isn't there.
  private static func neighbors(of path: String) -> [String] {
    let folder = path[..<(path.lastIndex(of: "/").map(path.index(after:)) ?? path.startIndex)]
    let names = (try? FileReader.names(in: folder.isEmpty ? "." : String(folder))) ?? []
    return names.filter { SideFiles.owner(of: $0) == nil && !$0.hasPrefix(".") }
  }

  /// The beginning of the first page of a store whose main file is empty; empty if there are no commits.
  private static func firstPage(ofEmpty path: String, inWALAt wal: String, _ facts: FileFacts) throws
    -> [UInt8]
  {
    let page = try WALIndex.firstPage(path: wal, size: facts.size)
    guard page.isEmpty else { return page }
    let commits = try WALIndex(path: wal, size: facts.size).commits
    guard let last = commits.last else { return [] }
    throw StoreScopeError.unreadable(
      path,
      "it is empty (0 bytes), and the -wal next to it has \(Sentence.count(commits.count, "commit")) to a store of \(Sentence.count(Int(last.pageCount), "page")), but not all of these pages",
      kind: .damaged,
      advice:
        "Copy both files before an app or SQLite opens them, which deletes the -wal, and get the main file again from where it came"
    )
  }

  /// The first bytes of a side file; nil where its process has taken it away since it was looked at.
  private static func head(of path: String, _ count: Int) throws -> [UInt8]? {
    // Another one may have its name by now, so it isn't asked for again.
    do { return try OpenFile.ofStore(path).bytes(count) } catch is VanishedFile { return nil }
  }

  /// The main file is empty, and all that there is of the store is in its -wal. SQLite and the app would delete that:
  /// https://www.sqlite.org/src/file/src/pager.c (pagerOpenWalIfPresent)
  package var isInWALAlone: Bool { main.size == 0 }

  /// What that means, without a capital letter and without a full stop.
  package static let inWALAlone =
    "it is empty (0 bytes), and what is shown is in its -wal alone, which an app or SQLite deletes when it opens the store"

  /// How many pages the header promises and the main file does not have, where nothing else holds them.
  package var missingPages: Int {
    guard let pageCount = header.pageCount, (wal?.size ?? 0) == 0, !hasHotJournal else { return 0 }
    return max(0, Int(pageCount) - Int(main.size / Int64(header.pageSize)))
  }

  /// `cut off: 3 of its 120 pages are missing`
  package func cutOff(_ missing: Int) -> String {
    "cut off: \(missing) of its \(Sentence.count(Int(header.pageCount ?? 0), "page")) \(Sentence.form(missing, "is", "are")) missing"
  }

  /// Whether a path leads to one of these files, under whatever name.
  package func includes(_ path: String) -> Bool {
    guard let other = try? FileFacts(path) else { return false }
    return [main, wal, shm, journal].contains { $0?.identity == other.identity }
  }

  /// Whether what was read of `earlier` in that way is what these files hold.
  func shows(_ earlier: StoreFiles, _ way: OpenedStore.Way) -> Bool {
    guard resolvedPath == earlier.resolvedPath, main == earlier.main, fingerprint == earlier.fingerprint
    else { return false }
    guard case .past = way else { return wal == earlier.wal && journal == earlier.journal }
    // Commits may be added behind the part that was read.
    return wal?.identity == earlier.wal?.identity && (wal?.size ?? 0) >= (earlier.wal?.size ?? 0)
  }
}
