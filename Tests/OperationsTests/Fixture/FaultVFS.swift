import Base
import CSQLite
import Foundation
import Synchronization

/// A layer between SQLite and the system that counts what changes a file, and lets it go wrong.
/// https://www.sqlite.org/vfs.html
final class FaultVFS {
  enum Fault {
    case none
    /// From the n-th change on nothing is changed any more; of a write half is done.
    case dies(at: Int)
    /// The n-th change finds the disk full; later ones go well.
    case isFull(at: Int)
  }

  let name: String
  private let vfs: UnsafeMutablePointer<sqlite3_vfs>
  private let registeredName: UnsafeMutablePointer<CChar>
  fileprivate let methods: UnsafeMutablePointer<sqlite3_io_methods>
  fileprivate let system: UnsafeMutablePointer<sqlite3_vfs>
  private let fault: Fault
  /// Called before each change that is let through.
  private let before: () -> Void
  /// Writes, cuts, syncs and deletions so far.
  private(set) var count = 0

  private static let counter = Atomic(0)

  init(_ fault: Fault = .none, before: @escaping () -> Void = {}) throws {
    guard let system = sqlite3_vfs_find(nil) else { throw StoreScopeError(.failed, "no VFS") }
    self.system = system
    self.fault = fault
    self.before = before
    vfs = .allocate(capacity: 1)
    methods = .allocate(capacity: 1)
    name = "fault-\(Self.counter.add(1, ordering: .relaxed).newValue)"
    registeredName = .allocate(capacity: name.utf8.count + 1)
    _ = name.withCString { strcpy(registeredName, $0) }
    methods.initialize(to: fileMethods())
    vfs.initialize(to: system.pointee)
    vfs.pointee.pNext = nil
    vfs.pointee.szOsFile = Int32(MemoryLayout<FaultFile>.size)
    vfs.pointee.zName = UnsafePointer(registeredName)
    vfs.pointee.pAppData = Unmanaged.passUnretained(self).toOpaque()
    vfs.pointee.xOpen = { vfs, name, file, flags, outFlags in
      guard let faults = faults(of: vfs), let file else { return SQLITE_MISUSE }
      return faults.open(name, file, flags, outFlags)
    }
    vfs.pointee.xDelete = { vfs, name, syncs in
      guard let faults = faults(of: vfs) else { return SQLITE_MISUSE }
      guard faults.permits() == .permitted else { return SQLITE_IOERR | (10 << 8) }
      return faults.system.pointee.xDelete(faults.system, name, syncs)
    }
    // Everything else takes the system's VFS as it finds it, which looks at its own application data.
    vfs.pointee.xAccess = { vfs, name, flags, result in
      guard let system = faults(of: vfs)?.system else { return SQLITE_MISUSE }
      return system.pointee.xAccess(system, name, flags, result)
    }
    vfs.pointee.xFullPathname = { vfs, name, size, result in
      guard let system = faults(of: vfs)?.system else { return SQLITE_MISUSE }
      return system.pointee.xFullPathname(system, name, size, result)
    }
    guard sqlite3_vfs_register(vfs, 0) == SQLITE_OK else {
      throw StoreScopeError(.failed, "the VFS can't be registered")
    }
  }

  deinit {
    sqlite3_vfs_unregister(vfs)
    vfs.deallocate()
    methods.deallocate()
    registeredName.deallocate()
  }

  fileprivate enum Answer { case permitted, full, dies, dead }

  fileprivate func permits() -> Answer {
    count += 1
    switch fault {
    case .dies(let number) where count == number: return .dies
    case .dies(let number) where count > number: return .dead
    case .isFull(let number) where count == number: return .full
    default:
      before()
      return .permitted
    }
  }

  private func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    file.pointee.pMethods = nil
    let size = Int(system.pointee.szOsFile)
    let memory = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    let real = memory.assumingMemoryBound(to: sqlite3_file.self)
    let code = system.pointee.xOpen(system, name, real, flags, outFlags)
    guard code == SQLITE_OK else {
      memory.deallocate()
      return code
    }
    UnsafeMutableRawPointer(file).initializeMemory(
      as: FaultFile.self,
      to: FaultFile(methods: UnsafePointer(methods), real: real, faults: .passUnretained(self)))
    return SQLITE_OK
  }
}

/// What SQLite holds of an open file: its functions first.
private struct FaultFile {
  var methods: UnsafePointer<sqlite3_io_methods>?
  var real: UnsafeMutablePointer<sqlite3_file>
  var faults: Unmanaged<FaultVFS>
}

private func faults(of vfs: UnsafeMutablePointer<sqlite3_vfs>?) -> FaultVFS? {
  (vfs?.pointee.pAppData).map { Unmanaged<FaultVFS>.fromOpaque($0).takeUnretainedValue() }
}

private typealias File = UnsafeMutablePointer<sqlite3_file>?

/// Calls the system's function for the file.
private func pass(
  _ file: File, _ body: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32
) -> Int32 {
  guard let file else { return SQLITE_MISUSE }
  let real = UnsafeMutableRawPointer(file).assumingMemoryBound(to: FaultFile.self).pointee.real
  guard let methods = real.pointee.pMethods else { return SQLITE_MISUSE }
  return body(real, methods.pointee)
}

/// As `pass`, where the fault lets it; else the code for the kind of change.
private func change(
  _ file: File, _ kind: Int32,
  half: ((UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32)? = nil,
  _ body: (UnsafeMutablePointer<sqlite3_file>, sqlite3_io_methods) -> Int32
) -> Int32 {
  guard let file else { return SQLITE_MISUSE }
  let faults = UnsafeMutableRawPointer(file).assumingMemoryBound(to: FaultFile.self).pointee.faults
  switch faults.takeUnretainedValue().permits() {
  case .permitted: return pass(file, body)
  case .full: return SQLITE_FULL
  case .dies:
    if let half { _ = pass(file, half) }
    return SQLITE_IOERR | (kind << 8)
  case .dead: return SQLITE_IOERR | (kind << 8)
  }
}

private func fileMethods() -> sqlite3_io_methods {
  var methods = sqlite3_io_methods()
  methods.iVersion = 2
  methods.xClose = { file in
    let code = pass(file) { $1.xClose($0) }
    if let file {
      UnsafeMutableRawPointer(
        UnsafeMutableRawPointer(file).assumingMemoryBound(to: FaultFile.self).pointee.real
      )
      .deallocate()
      file.pointee.pMethods = nil
    }
    return code
  }
  methods.xRead = { file, buffer, count, offset in pass(file) { $1.xRead($0, buffer, count, offset) } }
  methods.xWrite = { file, bytes, count, offset in
    change(file, 3, half: { $1.xWrite($0, bytes, count / 2, offset) }) { $1.xWrite($0, bytes, count, offset) }
  }
  methods.xTruncate = { file, size in change(file, 6) { $1.xTruncate($0, size) } }
  methods.xSync = { file, flags in change(file, 4) { $1.xSync($0, flags) } }
  methods.xFileSize = { file, size in pass(file) { $1.xFileSize($0, size) } }
  methods.xLock = { file, kind in pass(file) { $1.xLock($0, kind) } }
  methods.xUnlock = { file, kind in pass(file) { $1.xUnlock($0, kind) } }
  methods.xCheckReservedLock = { file, result in pass(file) { $1.xCheckReservedLock($0, result) } }
  methods.xFileControl = { file, operation, argument in
    pass(file) { $1.xFileControl($0, operation, argument) }
  }
  methods.xSectorSize = { file in pass(file) { $1.xSectorSize($0) } }
  methods.xDeviceCharacteristics = { file in pass(file) { $1.xDeviceCharacteristics($0) } }
  methods.xShmMap = { file, index, size, extending, result in
    pass(file) { $1.xShmMap($0, index, size, extending, result) }
  }
  methods.xShmLock = { file, offset, count, flags in pass(file) { $1.xShmLock($0, offset, count, flags) } }
  methods.xShmBarrier = { file in
    _ = pass(file) {
      $1.xShmBarrier($0)
      return SQLITE_OK
    }
  }
  methods.xShmUnmap = { file, deletes in pass(file) { $1.xShmUnmap($0, deletes) } }
  return methods
}
