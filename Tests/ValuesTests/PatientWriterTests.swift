import Foundation
import TestSupport
import Testing
import Values

/// A1: what its reader didn't take was written by a call that waited, with the store open.
@Suite struct PatientWriterTests {
  private static let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 251) }

  private struct Ends {
    var (reading, writing): (Int32, Int32) = (-1, -1)

    init() throws {
      signal(SIGPIPE, SIG_IGN)
      var ends: [Int32] = [0, 0]
      try #require(pipe(&ends) == 0)
      (reading, writing) = (ends[0], ends[1])
    }
  }

  private func all(_ descriptor: Int32) -> [UInt8] {
    [UInt8](FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).readDataToEndOfFile())
  }

  /// In memory, and in the file once the memory is full.
  @Test(arguments: [100, 8 << 20]) func asleep(capacity: Int) async throws {
    let ends = try Ends()
    let folder = try TemporaryFolder("spool")
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
    let reader = Task.detached { self.all(ends.reading) }
    writer.finish()
    #expect(writer.ending == nil)
    close(ends.writing)
    let found = await reader.value
    #expect(found == Self.bytes)
    close(ends.reading)
  }

  /// A reader that wakes up again and again gets everything in its order.
  @Test func dozing() async throws {
    let ends = try Ends()
    let writer = PatientWriter(ends.writing, spool: Spool(capacity: 300_000, folder: NSTemporaryDirectory()))
    let reader = Task.detached {
      var found: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 200_000)
      while case let count = read(ends.reading, &buffer, buffer.count), count > 0 {
        found += buffer[..<count]
        if found.count < 600_000 { usleep(300_000) }
      }
      return found
    }
    Self.bytes.withUnsafeBytes { bytes in
      for start in stride(from: 0, to: bytes.count, by: 1000) {
        #expect(writer.write(UnsafeRawBufferPointer(rebasing: bytes[start..<start + 1000])))
      }
    }
    writer.finish()
    close(ends.writing)
    let found = await reader.value
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
    let folder = try TemporaryFolder("spool").path
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
