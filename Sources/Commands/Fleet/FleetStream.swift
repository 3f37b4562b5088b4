import Archives
import Base
import Discovery
import Evidence
import Fleet
import Rendering

/// Addresses in, a line of JSON out for each, in the same order and as soon as it is known: what `xargs` and engines that
/// work on many machines run.
final class FleetStream {
  private let limits: FleetLimits
  private let password: BackupPassword
  private let opensBackups: Bool
  private let task: FleetTask
  private var input = InputLines()
  private var (taken, written, failed) = (0, 0, 0)
  /// What is done, and has to wait for others before it.
  private var done: [Int: [UInt8]] = [:]
  private var isReaderGone = false

  init(_ invocation: Invocation, _ limits: FleetLimits) {
    self.limits = limits
    password = invocation.password
    opensBackups = invocation.arguments.has(.password) || invocation.arguments[.passwordFile] != nil
    task = FleetTask(invocation, limits, answer: invocation.arguments.has(.rows) ? .rows : .documents)
  }

  private struct Line {
    let index: Int
    let item: FleetTask.Item

    var name: String { item.place.address }
  }

  func run() throws -> Outcome {
    try limits.pool(of: Line.self).run(
      next: next, input: { task.input($0.item, password.keyring) },
      done: { line, result in
        switch result {
        case .success(let bytes): finish(line, bytes)
        case .failure(let failure): finish(line, task.answer.bytes(failure, address: line.name))
        }
      }, progress: {})
    let failure: StoreScopeError? =
      failed > 0 && failed == written
      ? StoreScopeError(.unreadable, "None of the stores could be read") : nil
    return .done(
      nil,
      receipt: "\(Sentence.number(written - failed)) of \(Sentence.count(written, "store")) could be read",
      failure: failure)
  }

  /// So many lines are taken for each that is at work: one that takes long must not let the others fill the memory.
  private static let ahead = 8

  /// A line may be a text of JSON, as names of files may have line ends in them.
  private static func address(_ line: String) -> String {
    guard line.hasPrefix("\"") else { return line }
    return (try? JSONReader.read(line))?.text ?? line
  }

  private var archive = ConsecutiveArchive()

  private func next() throws -> ChildPool<Line>.Next {
    if isReaderGone { return .end }
    guard taken - written < limits.jobs * Self.ahead else { return .later(input: nil) }
    while true {
      switch input.next() {
      case .line(let line):
        if line.isEmpty { continue }
        let name = Self.address(line)
        taken += 1
        openBackup(of: name)
        let item = try FleetTask.Item(FoundPlace(address: name), in: &archive)
        return .item(Line(index: taken - 1, item: item))
      case .later: return .later(input: InputLines.descriptor)
      case .end: return .end
      }
    }
  }

  private var backups: Set<Address> = []

  /// To make the keys of a password takes seconds: once per backup, not for each of its stores.
  private func openBackup(of name: String) {
    guard opensBackups, let backup = StoreAddress(name)?.container, DeviceBackup.isBackup(backup),
      backups.insert(Address(backup)).inserted
    else { return }
    // What is wrong with it shows where its stores are read.
    _ = try? DeviceBackup(backup, password: password)
  }

  private func finish(_ line: Line, _ bytes: [UInt8]) {
    done[line.index] = bytes
    while let bytes = done.removeValue(forKey: written) {
      written += 1
      if !task.answer.isRead(bytes) { failed += 1 }
      if !isReaderGone { isReaderGone = !bytes.withUnsafeBytes { Platform.write($0, to: 1) } }
    }
  }
}

/// Lines of standard input as they come.
private struct InputLines {
  static let descriptor: Int32 = 0

  enum Next {
    case line(String)
    /// The next one isn't there yet.
    case later
    case end
  }

  private var bytes: [UInt8] = []
  private var start = 0
  private var isOver = false

  mutating func next() -> Next {
    while true {
      if let newline = bytes[start...].firstIndex(of: 0x0A) {
        defer { start = newline + 1 }
        return .line(String(decoding: bytes[start..<newline], as: UTF8.self))
      }
      if isOver {
        guard start < bytes.count else { return .end }
        defer { start = bytes.count }
        return .line(String(decoding: bytes[start...], as: UTF8.self))
      }
      guard Platform.isReadable(Self.descriptor, within: 0) else { return .later }
      bytes.removeFirst(start)
      start = 0
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = buffer.withUnsafeMutableBytes { Platform.read(Self.descriptor, into: $0) }
      guard let count else {
        if Platform.lastFailure == .interrupted { return .later }
        isOver = true
        continue
      }
      isOver = count == 0
      bytes += buffer[..<count]
    }
  }
}
