import Base
import CSQLite

/// A layer between SQLite and the files of one connection (https://www.sqlite.org/vfs.html): what SQLite reads
/// comes from the disk, what it writes stays in memory, the shared memory of WAL mode is heap, and locks are
/// none. So a hot journal can be rolled back, a WAL recovered and a repair tried out, while no file changes.
///
/// Each connection has a VFS of its own, so that nothing is shared and everything is freed with it.
final class OverlayVFS {
  /// The name to open with, unique among the living.
  let name: String
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>
  private let registeredName: UnsafeMutablePointer<CChar>
  fileprivate let methods: UnsafeMutablePointer<sqlite3_io_methods>
  /// The system's VFS, which does everything that has nothing to do with the store's files.
  fileprivate let system: UnsafeMutablePointer<sqlite3_vfs>
  private let options: OpenOptions.Overlay
  private var hasOpenedMain = false
  /// Every file that was opened or deleted; nil stands for a deleted one.
  private var files: [String: OverlayFile?] = [:]

  /// The options are for the database that is opened first, not for attached ones.
  init(_ options: OpenOptions.Overlay) throws(SQLiteError) {
    guard let system = sqlite3_vfs_find(nil) else {
      throw SQLiteError(code: SQLITE_ERROR, message: "SQLite has no default VFS")
    }
    self.system = system
    self.options = options
    vfs = .allocate(capacity: 1)
    methods = .allocate(capacity: 1)
    name = "storescope-overlay-\(UInt(bitPattern: vfs))"
    let text = name.utf8CString
    registeredName = .allocate(capacity: text.count)
    _ = UnsafeMutableBufferPointer(start: registeredName, count: text.count).initialize(fromContentsOf: text)
    methods.initialize(to: overlayMethods())
    vfs.initialize(to: overlayFunctions())
    vfs.pointee.szOsFile = max(system.pointee.szOsFile, Int32(MemoryLayout<OverlayHandle>.size))
    // The system's VFS has buffers for 512 bytes; ours opens files by itself.
    vfs.pointee.mxPathname = Platform.longestPath
    vfs.pointee.zName = UnsafePointer(registeredName)
    vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    let code = sqlite3_vfs_register(vfs, 0)
    guard code == SQLITE_OK else {
      throw SQLiteError(code: code, message: "the overlay VFS can't be registered")
    }
  }

  deinit {
    sqlite3_vfs_unregister(vfs)
    vfs.deallocate()
    methods.deallocate()
    registeredName.deallocate()
  }

  /// The file of that name, made where `creating`; nil where there is none.
  fileprivate func open(_ path: String, isMain: Bool, creating: Bool) -> OverlayFile? {
    if isMain, !hasOpenedMain {
      hasOpenedMain = true
      if let limit = options.walLimit {
        files[path + "-wal"] = OverlayFile(path: path + "-wal", limit: limit)
      }
      if let size = options.minimumMainSize, let main = OverlayFile(path: path, limit: nil) {
        main.extend(to: size)
        files[path] = main
      }
      if let only = options.files { take(only, path) }
    }
    if let known = files[path] {
      if let known { return known }
    } else if options.files == nil {
      if let found = OverlayFile(path: path, limit: nil) {
        files[path] = found
        return found
      }
      // What can't be read must not pass for an empty file.
      guard !Files.exists(path) else { return nil }
    }
    guard creating else { return nil }
    let made = OverlayFile()
    files[path] = made
    return made
  }

  fileprivate var knowsOnlyOpenFiles: Bool { options.files != nil }

  private func take(_ only: OpenOptions.Files, _ path: String) {
    files[path] = OverlayFile(only.main, isWritten: only.writesMain)
    if let wal = only.wal { files[path + "-wal"] = OverlayFile(wal, isWritten: false) }
    if let journal = only.journal { files[path + "-journal"] = OverlayFile(journal, isWritten: false) }
  }

  /// As the system's VFS, that counts an empty file as none when it looks for a journal.
  fileprivate func exists(_ path: String) -> Bool {
    if let known = files[path] { return (known?.size ?? 0) > 0 }
    guard options.files == nil else { return false }
    return FileStatus(ofLink: path).map { $0.kind != .file || $0.size > 0 } ?? false
  }

  fileprivate func delete(_ path: String) { files[path] = .some(nil) }
}

private func overlay(of vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> OverlayVFS? {
  (vfs?.pointee.pAppData).map { Unmanaged<OverlayVFS>.fromOpaque($0).takeUnretainedValue() }
}

private func overlayFunctions() -> sqlite3_vfs {
  var functions = sqlite3_vfs()
  functions.iVersion = 2
  functions.xOpen = { vfs, name, file, flags, outFlags in
    guard let overlay = overlay(of: vfs), let file else { return SQLITE_MISUSE }
    file.pointee.pMethods = nil
    // Temporary files have no name, and go where the system puts them.
    guard let name else { return overlay.system.pointee.xOpen(overlay.system, nil, file, flags, outFlags) }
    let opened = overlay.open(
      String(cString: name), isMain: flags & SQLITE_OPEN_MAIN_DB != 0,
      creating: flags & SQLITE_OPEN_CREATE != 0)
    guard let opened else { return SQLITE_CANTOPEN }
    OverlayHandle.initialize(file, opened, overlay.methods)
    outFlags?.pointee = flags
    return SQLITE_OK
  }
  functions.xDelete = { vfs, name, _ in
    guard let overlay = overlay(of: vfs), let name else { return SQLITE_MISUSE }
    let path = String(cString: name)
    guard overlay.exists(path) else { return OverlayCode.deletedNothing }
    overlay.delete(path)
    return SQLITE_OK
  }
  functions.xAccess = { vfs, name, _, result in
    guard let overlay = overlay(of: vfs), let name else { return SQLITE_MISUSE }
    result?.pointee = overlay.exists(String(cString: name)) ? 1 : 0
    return SQLITE_OK
  }
  functions.xFullPathname = { vfs, name, size, result in
    guard let overlay = overlay(of: vfs), let name, let result else { return SQLITE_MISUSE }
    if overlay.knowsOnlyOpenFiles {
      // A name only, which isn't looked for; not even its length matters to the system.
      var length = 0
      while name[length] != 0 { length += 1 }
      guard length < Int(size) else { return SQLITE_CANTOPEN }
      result.update(from: name, count: length + 1)
      return SQLITE_OK
    }
    return overlay.system.pointee.xFullPathname(overlay.system, name, size, result)
  }
  functions.xRandomness = { vfs, size, result in
    guard let system = overlay(of: vfs)?.system else { return 0 }
    return system.pointee.xRandomness(system, size, result)
  }
  functions.xSleep = { vfs, microseconds in
    guard let system = overlay(of: vfs)?.system else { return 0 }
    return system.pointee.xSleep(system, microseconds)
  }
  functions.xCurrentTime = { vfs, result in
    guard let system = overlay(of: vfs)?.system else { return SQLITE_MISUSE }
    return system.pointee.xCurrentTime(system, result)
  }
  functions.xCurrentTimeInt64 = { vfs, result in
    guard let system = overlay(of: vfs)?.system else { return SQLITE_MISUSE }
    return system.pointee.xCurrentTimeInt64(system, result)
  }
  functions.xGetLastError = { _, _, _ in 0 }
  return functions
}
