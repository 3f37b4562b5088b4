#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Writes to a reader that may be slow or asleep, and never makes the writer wait for long: what isn't taken within a
/// second is kept, and `finish` waits for the reader when nothing else does any more. So a person who reads in a pager
/// doesn't keep a store locked. https://www.sqlite.org/lockingv3.html#shared_lock
package final class PatientWriter {
  package enum Ending: Equatable, Sendable {
    /// A reader that had enough, such as `head`.
    case readerLeft
    case interrupted
    /// What the system said.
    case failed(String)
  }

  /// Why no more bytes are taken; nil as long as they are.
  package private(set) var ending: Ending?
  private let descriptor: Int32
  /// The same opened again.
  private let own: OpenFile?
  private let canStall: Bool
  /// How many bytes are written at once: no more than can be without waiting, nor than Ctrl-C may wait for.
  private let piece: Int
  private let spool: Spool
  /// Seconds spent waiting since the last `pace` bytes were taken.
  private var waited = 0.0
  private var taken = 0

  private static let patience = 1.0
  /// A reader that takes less than this in a second of waiting counts as stalled.
  private static let pace = 65_536

  /// - Parameters:
  ///   - descriptor: stays open.
  ///   - spool: keeps what isn't taken in time.
  package init(_ descriptor: Int32, spool: Spool = Spool()) {
    canStall = Platform.canStall(descriptor)
    own = Platform.isTerminal(descriptor) ? Platform.openTerminalAgain(descriptor) : nil
    self.descriptor = own?.descriptor ?? descriptor
    piece = canStall ? Platform.pipeAtom : 65_536
    self.spool = spool
  }

  /// False once nobody takes any more; see `ending`.
  package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if !spool.isEmpty { drain(waiting: false) }
    var rest = bytes[...]
    while ending == nil, !rest.isEmpty, spool.isEmpty, waited < Self.patience {
      let count = send(UnsafeRawBufferPointer(rebasing: rest), seconds: Self.patience - waited)
      rest = rest.dropFirst(count)
    }
    if ending == nil, !rest.isEmpty {
      do { try spool.append(UnsafeRawBufferPointer(rebasing: rest)) } catch { ending = .failed(error.clause) }
    }
    return ending == nil
  }

  /// Waits until the reader has taken everything, or wants no more.
  package func finish() { drain(waiting: true) }

  private func drain(waiting: Bool) {
    while ending == nil, !spool.isEmpty {
      do {
        var count = 0
        try spool.take { bytes in
          count = send(bytes, seconds: waiting ? .infinity : 0)
          return count
        }
        if count == 0, !waiting { return }
      } catch { ending = .failed(error.clause) }
    }
  }

  /// How many bytes the reader took within so many seconds.
  private func send(_ bytes: UnsafeRawBufferPointer, seconds: Double) -> Int {
    let isReady: Bool = !canStall || Platform.isWritable(descriptor) || wait(seconds)
    if Interruption.isRequested { ending = .interrupted }
    guard ending == nil, isReady else { return 0 }
    switch Platform.writeSome(UnsafeRawBufferPointer(rebasing: bytes.prefix(piece)), to: descriptor) {
    case .some(0):
      // Ready, and yet not for this: not to be asked again at once.
      Interruption.wait(seconds: 0.01)
      waited += 0.01
      return 0
    case .some(let count):
      taken += count
      if taken >= Self.pace { (taken, waited) = (0, 0) }
      return count
    case .none:
      ending = Platform.lastFailure == .closedPipe ? .readerLeft : .failed(Platform.lastError())
      return 0
    }
  }

  private func wait(_ seconds: Double) -> Bool {
    let start = Platform.monotonicSeconds()
    defer { waited += Platform.monotonicSeconds() - start }
    while !Interruption.isRequested {
      let rest = seconds - (Platform.monotonicSeconds() - start)
      if rest <= 0 { return false }
      // A signal that comes just before a wait must not be slept over.
      if Platform.isWritable(descriptor, within: min(rest, 0.2)) { return true }
    }
    return false
  }
}

/// Bytes that wait for a slow reader, first in, first out: some megabytes in memory, what is more in a temporary file
/// without a name, which nobody else can open and which is gone when this process is.
package final class Spool {
  private let capacity: Int
  private let folder: String
  private var memory: [UInt8] = []
  /// Where in `memory` the first waiting byte is.
  private var start = 0
  /// Takes over once the memory is full, until all of it was taken: nil before.
  private var file: OpenFile?
  private var (fileStart, fileEnd): (Int64, Int64) = (0, 0)
  private static let piece = 65_536

  /// - Parameters:
  ///   - capacity: how many bytes are kept in memory.
  ///   - folder: where the file is made; TMPDIR by default.
  package init(capacity: Int = 8 << 20, folder: String = Platform.temporaryFolder) {
    self.capacity = capacity
    self.folder = folder
  }

  package var isEmpty: Bool { start == memory.count && fileStart == fileEnd }

  /// - Throws: `StoreScopeError` if the file can't be written.
  package func append(_ bytes: UnsafeRawBufferPointer) throws(StoreScopeError) {
    if fileStart == fileEnd, memory.count - start + bytes.count <= capacity {
      if start > 0 { memory.removeFirst(start) }
      start = 0
      memory += bytes
      return
    }
    if file == nil { file = try Self.makeFile(in: folder) }
    guard file?.write(bytes, at: fileEnd) == true else { throw Self.problem(folder) }
    fileEnd += Int64(bytes.count)
  }

  /// Offers the first waiting bytes, as many as are at hand; `take` returns how many of them are done with.
  /// - Throws: `StoreScopeError` if the file can't be read.
  package func take(_ take: (UnsafeRawBufferPointer) -> Int) throws(StoreScopeError) {
    if start == memory.count { try refill() }
    let (first, count) = (start, min(Self.piece, memory.count - start))
    start += memory.withUnsafeBytes { take(UnsafeRawBufferPointer(rebasing: $0[first..<first + count])) }
    if start == memory.count { (memory, start) = ([], 0) }
  }

  /// Reads the next piece of the file into memory, which is empty.
  private func refill() throws(StoreScopeError) {
    guard fileStart < fileEnd else { return }
    let wanted = min(Int64(Self.piece), fileEnd - fileStart)
    memory = [UInt8](repeating: 0, count: Int(wanted))
    start = 0
    let count = memory.withUnsafeMutableBytes { file?.read(into: $0, at: fileStart).count }
    guard count == memory.count else { throw Self.problem(folder) }
    fileStart += wanted
    guard fileStart == fileEnd else { return }
    (fileStart, fileEnd) = (0, 0)
    file?.truncate(to: 0)
  }

  /// A new file that only this process has, without a name at once.
  private static func makeFile(in folder: String) throws(StoreScopeError) -> OpenFile {
    for _ in 0..<10 {
      let path = "\(folder)/storescope-output-\(String(UInt64.random(in: 0 ... .max), radix: 36))"
      if let file = OpenFile(path, for: .making) {
        unlink(path)
        return file
      }
      if Platform.lastFailure != .taken { break }
    }
    throw problem(folder)
  }

  private static func problem(_ folder: String) -> StoreScopeError {
    StoreScopeError(
      .unwritable,
      "Output that hasn't been read yet can't be buffered in '\(folder)': \(Platform.lastError())",
      about: folder, advice: "Write the output to a file, or set TMPDIR to a folder with more space")
  }
}
