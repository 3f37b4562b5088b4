import Base
import CSQLite
import Synchronization

/// All memory that SQLite takes in this process, counted and bounded for all connections together.
///
/// SQLite's own count needs one mutex for every allocation, and threads that read side by side spend most of their time
/// waiting for it: the test suite took 1.3 times as long. This one adds to an atomic number.
/// https://www.sqlite.org/malloc.html#_memory_statistics
enum SQLiteMemory {
  private static let used = Atomic<Int>(0)
  /// 0 as long as there's no limit, as SQLite has it.
  private static let most = Atomic<Int>(0)

  /// Whether the count is ours. It can be given to SQLite only before the first use in the process, and a system's SQLite
  /// may have been used by something else: then its own count holds the limit.
  static let isCountedHere: Bool = {
    var methods = sqlite3_mem_methods()
    methods.xMalloc = { size in SQLiteMemory.take(Int(size)) }
    methods.xFree = { piece in if let piece { SQLiteMemory.giveBack(piece) } }
    methods.xRealloc = { piece, size in
      guard let piece else { return SQLiteMemory.take(Int(size)) }
      return SQLiteMemory.resize(piece, to: Int(size))
    }
    methods.xSize = { piece in piece.map { Int32(clamping: SQLiteMemory.size(of: $0)) } ?? 0 }
    methods.xRoundup = { size in size > .max - 7 ? size : (size + 7) & ~7 }
    methods.xInit = { _ in SQLITE_OK }
    methods.xShutdown = { _ in }
    return storescope_config_memory(&methods) == SQLITE_OK
  }()

  /// How many bytes all connections may take together: https://www.sqlite.org/c3ref/hard_heap_limit64.html
  static var limit: Int {
    get { isCountedHere ? most.load(ordering: .relaxed) : Int(sqlite3_hard_heap_limit64(-1)) }
    set {
      if isCountedHere {
        most.store(newValue, ordering: .relaxed)
      } else {
        sqlite3_hard_heap_limit64(sqlite3_int64(newValue))
      }
    }
  }

  /// In front of each piece stands its size; SQLite wants all pieces at multiples of 8:
  /// https://www.sqlite.org/c3ref/mem_methods.html
  private static let header = 8

  private static func take(_ size: Int) -> UnsafeMutableRawPointer? {
    guard hasRoom(for: size), let piece = HeapMemory.take(header + size) else { return nil }
    return counted(piece, size)
  }

  private static func resize(_ piece: UnsafeMutableRawPointer, to size: Int) -> UnsafeMutableRawPointer? {
    let before = Self.size(of: piece)
    guard size <= before || hasRoom(for: size - before),
      let moved = HeapMemory.resize(piece - header, to: header + size)
    else { return nil }
    used.subtract(before, ordering: .relaxed)
    return counted(moved, size)
  }

  private static func giveBack(_ piece: UnsafeMutableRawPointer) {
    used.subtract(size(of: piece), ordering: .relaxed)
    HeapMemory.giveBack(piece - header)
  }

  private static func size(of piece: UnsafeMutableRawPointer) -> Int { (piece - header).load(as: Int.self) }

  private static func counted(_ piece: UnsafeMutableRawPointer, _ size: Int) -> UnsafeMutableRawPointer {
    piece.storeBytes(of: size, as: Int.self)
    used.add(size, ordering: .relaxed)
    return piece + header
  }

  private static func hasRoom(for size: Int) -> Bool {
    let most = most.load(ordering: .relaxed)
    return most == 0 || used.load(ordering: .relaxed) + size <= most
  }
}
