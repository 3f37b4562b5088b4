import Base
import CSQLite

/// What SQLite holds of one open file: its table of functions first, as https://www.sqlite.org/c3ref/file.html
/// demands, then ours.
struct OverlayHandle {
  private var methods: UnsafePointer<sqlite3_io_methods>?
  private var content: Unmanaged<OverlayFile>
  private var sharedMemory: Unmanaged<OverlaySharedMemory>

  static func initialize(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ content: OverlayFile,
    _ methods: UnsafePointer<sqlite3_io_methods>
  ) {
    UnsafeMutableRawPointer(file).initializeMemory(
      as: OverlayHandle.self,
      to: OverlayHandle(
        methods: methods, content: .passRetained(content), sharedMemory: .passRetained(OverlaySharedMemory()))
    )
  }

  private static func at(_ file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<OverlayHandle> {
    UnsafeMutableRawPointer(file).assumingMemoryBound(to: OverlayHandle.self)
  }

  fileprivate static func content(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OverlayFile? {
    file.map { at($0).pointee.content.takeUnretainedValue() }
  }

  fileprivate static func sharedMemory(_ file: UnsafeMutablePointer<sqlite3_file>?) -> OverlaySharedMemory? {
    file.map { at($0).pointee.sharedMemory.takeUnretainedValue() }
  }

  fileprivate static func close(_ file: UnsafeMutablePointer<sqlite3_file>) {
    at(file).pointee.content.release()
    at(file).pointee.sharedMemory.release()
    at(file).pointee.methods = nil
  }
}

/// What would be the -shm: only the one connection ever looks at it.
final class OverlaySharedMemory {
  private var regions: [UnsafeMutableRawPointer] = []

  deinit { removeAll() }

  func region(_ index: Int, size: Int, extending: Bool) -> UnsafeMutableRawPointer? {
    while extending, regions.count <= index {
      let region = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
      region.initializeMemory(as: UInt8.self, repeating: 0, count: size)
      regions.append(region)
    }
    return index < regions.count ? regions[index] : nil
  }

  func removeAll() {
    for region in regions { region.deallocate() }
    regions = []
  }
}

/// Result codes that the header writes as expressions, which Swift does not import.
enum OverlayCode {
  static let failedRead = SQLITE_IOERR | (1 << 8)
  static let shortRead = SQLITE_IOERR | (2 << 8)
  static let failedWrite = SQLITE_IOERR | (3 << 8)
  static let failedTruncation = SQLITE_IOERR | (6 << 8)
  static let deletedNothing = SQLITE_IOERR | (23 << 8)
}

/// The functions of an open file. Syncs and locks have nothing to do: nobody else sees these bytes.
func overlayMethods() -> sqlite3_io_methods {
  var methods = sqlite3_io_methods()
  methods.iVersion = 2
  methods.xClose = { file in
    if let file { OverlayHandle.close(file) }
    return SQLITE_OK
  }
  methods.xRead = { file, buffer, count, offset in
    // SQLite reads all of a WAL when it opens a store, and asks nobody meanwhile whether to go on.
    guard !Interruption.isRequested else { return SQLITE_INTERRUPT }
    guard let content = OverlayHandle.content(file), let buffer, count >= 0, offset >= 0 else {
      return OverlayCode.failedRead
    }
    return
      switch content.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)), at: offset)
    {
    case .whole: SQLITE_OK
    case .short: OverlayCode.shortRead
    case .failed: OverlayCode.failedRead
    }
  }
  methods.xWrite = { file, bytes, count, offset in
    guard let content = OverlayHandle.content(file), let bytes, count >= 0, offset >= 0 else {
      return OverlayCode.failedWrite
    }
    let written = content.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)), at: offset)
    return written ? SQLITE_OK : OverlayCode.failedWrite
  }
  methods.xTruncate = { file, size in
    guard let content = OverlayHandle.content(file) else { return OverlayCode.failedTruncation }
    return content.truncate(to: max(0, size)) ? SQLITE_OK : OverlayCode.failedTruncation
  }
  methods.xSync = { _, _ in SQLITE_OK }
  methods.xFileSize = { file, size in
    size?.pointee = OverlayHandle.content(file)?.size ?? 0
    return SQLITE_OK
  }
  methods.xLock = { _, _ in SQLITE_OK }
  methods.xUnlock = { _, _ in SQLITE_OK }
  methods.xCheckReservedLock = { _, result in
    result?.pointee = 0
    return SQLITE_OK
  }
  methods.xFileControl = { _, _, _ in SQLITE_NOTFOUND }
  methods.xSectorSize = { _ in 4096 }
  methods.xDeviceCharacteristics = { _ in SQLITE_IOCAP_POWERSAFE_OVERWRITE }
  methods.xShmMap = { file, index, size, extending, result in
    result?.pointee = OverlayHandle.sharedMemory(file)?.region(
      Int(index), size: Int(size), extending: extending != 0)
    return SQLITE_OK
  }
  methods.xShmLock = { _, _, _, _ in SQLITE_OK }
  methods.xShmBarrier = { _ in }
  methods.xShmUnmap = { file, _ in
    OverlayHandle.sharedMemory(file)?.removeAll()
    return SQLITE_OK
  }
  return methods
}
