import Base
import Synchronization

/// A tar file that was compressed, decompressed: for many stores in it, each of which is read by a process of its own, which
/// would have to decompress what comes before. The file goes with this value.
package final class UnpackedArchive {
  package let path: String
  private let folder: PrivateFolder

  /// It is done where nothing limits a store's time and memory. What takes more is left to the processes of its stores.
  private static let (mostBytes, mostSeconds): (Int64, Double) = (4 << 30, 20)

  /// Nil if it is none, or doesn't fit: then it is read as it is, and whoever does so says what is wrong with it.
  /// - Throws: `InterruptedError`
  package init?(_ container: String) throws {
    do {
      let name = "archive.tar"
      guard let file = OpenFile(container, for: .reading), file.status?.kind == .file,
        Archive.format(file.bytes(Archive.beginning)) == .tar
      else { return nil }
      let archive = try StreamedArchive(file, name: container, .ofThisMachine, isWhole: true)
      guard archive.isCompressed, try archive.next() != nil else { return nil }
      let beginning = try archive.beginning(Archive.beginning)
      guard Archive.isTar(beginning) else { return nil }
      folder = try PrivateFolder()
      // The stores are copied out of it to the same disk.
      var left = min(folder.space / 2, Self.mostBytes)
      let end = Platform.monotonicSeconds() + Self.mostSeconds
      let read = archive.reader(behind: beginning)
      try folder.receive(name) { buffer in
        let count = try read(buffer)
        left -= Int64(count)
        guard left >= 0, Platform.monotonicSeconds() < end else {
          throw StoreScopeError(.limit, container, "doesn't fit")
        }
        return count
      }
      path = folder.path(of: name)
    } catch is StoreScopeError { return nil }
  }

  // MARK: - In another process

  private static let known = Mutex<(container: [UInt8], path: String)?>(nil)

  /// Has an archive read from where another process of this program has it decompressed.
  package static func use(_ path: String, for container: String) {
    known.withLock { $0 = (Array(container.utf8), path) }
  }

  static func location(of container: String) -> String {
    known.withLock { known in
      known.flatMap { $0.container == Array(container.utf8) ? $0.path : nil } ?? container
    }
  }
}
