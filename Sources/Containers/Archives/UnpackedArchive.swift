import Synchronization
import SystemCalls
import Values

/// A tar file that was compressed, decompressed: for many stores in it, each of which is read by a process of its own, which
/// would have to decompress what comes before. The file goes with this value.
package final class UnpackedArchive {
  package let path: String
  private let folder: PrivateFolder

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
      var left = folder.space / 2
      let read = archive.reader(behind: beginning)
      try folder.receive(name) { buffer in
        let count = try read(buffer)
        left -= Int64(count)
        guard left >= 0 else { throw StoreScopeError(.limit, container, "doesn't fit") }
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

/// The archive that consecutive addresses lie in. From the second one on it is worth decompressing.
package struct ConsecutiveArchive {
  private var container: String?
  private var unpacked: UnpackedArchive?
  private var isTried = false

  package init() {}

  /// The decompressed archive that has the store; nil if it is to be read from where it is.
  /// - Throws: `InterruptedError`
  package mutating func unpacked(for address: String) throws -> UnpackedArchive? {
    let former = container
    container = StoreAddress(address)?.container
    guard let container, let former, container.utf8.elementsEqual(former.utf8) else {
      (unpacked, isTried) = (nil, false)
      return nil
    }
    if !isTried { unpacked = try UnpackedArchive(container) }
    isTried = true
    return unpacked
  }
}
