import Base
import Foundation
import TestSupport
import Testing

/// A1: what its reader didn't take was written by a call that waited, with the store open.
@Suite(.waiting) struct PatientWriterTests {
  private static let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }

  private struct Ends {
    var (reading, writing): (Int32, Int32) = (-1, -1)

    init() throws {
      signal(SIGPIPE, SIG_IGN)
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      // Programs that other tests start must not keep an end open.
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      (reading, writing) = (ends[0], ends[1])
    }
  }

  /// Reads to the end on a thread of its own; `pause` gets the number of bytes that came so far.
  private final class Reader: @unchecked Sendable {
    private var bytes: [UInt8] = []
    private let end = DispatchSemaphore(value: 0)

    init(_ descriptor: Int32, pause: @escaping @Sendable (Int) -> Void = { _ in }) {
      Thread.detachNewThread { [self] in
        var buffer = [UInt8](repeating: 0, count: 200_000)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
          bytes += buffer[..<count]
          pause(bytes.count)
        }
        end.signal()
      }
    }

    func all() -> [UInt8] {
      end.wait()
      return bytes
    }
  }

  /// In memory, and in the file once the memory is full.
  @Test(arguments: [100, 8 << 20]) func asleep(capacity: Int) throws {
    let ends = try Ends()
    let folder = TemporaryFolder("spool")
    let writer = PatientWriter(ends.writing, spool: Spool(capacity: capacity, folder: folder.path))
    // Comes back although nobody reads.
    let isTaken = Self.bytes.withUnsafeBytes { bytes in
      stride(from: 0, to: bytes.count, by: 250_000).allSatisfy { start in
        writer.write(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 250_000]))
      }
    }
    #expect(isTaken)
    // What is kept has no name that somebody could open, and nothing of it stays.
    #expect(try folder.names().isEmpty)
    let reader = Reader(ends.reading)
    writer.finish()
    #expect(writer.ending == nil)
    close(ends.writing)
    let found = reader.all()
    #expect(found == Self.bytes)
    close(ends.reading)
  }

  /// A reader that wakes up again and again gets everything in its order.
  @Test func dozing() throws {
    let ends = try Ends()
    let writer = PatientWriter(ends.writing, spool: Spool(capacity: 300_000, folder: NSTemporaryDirectory()))
    let reader = Reader(ends.reading) { if $0 < 600_000 { usleep(300_000) } }
    Self.bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 1000) {
        #expect(writer.write(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 1000])))
      }
    }
    writer.finish()
    close(ends.writing)
    let found = reader.all()
    #expect(found == Self.bytes)
    close(ends.reading)
  }

  @Test func readerGone() throws {
    let ends = try Ends()
    let writer = PatientWriter(ends.writing)
    let isTaken = Self.bytes.withUnsafeBytes(writer.write)
    close(ends.reading)
    // Known while more is written, not only at the end.
    let isTakenLater = Self.bytes.withUnsafeBytes(writer.write)
    #expect(isTaken && !isTakenLater)
    #expect(writer.ending == .readerLeft)
    close(ends.writing)
  }

  @Test func noRoom() throws {
    let ends = try Ends()
    let folder = TemporaryFolder("spool").path
    let writer = PatientWriter(ends.writing, spool: Spool(capacity: 0, folder: folder))
    let isTaken = Self.bytes.withUnsafeBytes(writer.write)
    #expect(!isTaken)
    guard case .failed(let reason) = writer.ending else {
      Issue.record("\(String(describing: writer.ending))")
      return
    }
    #expect(reason.contains("'\(folder)'") && reason.contains("TMPDIR"))
    close(ends.reading)
    close(ends.writing)
  }
}
