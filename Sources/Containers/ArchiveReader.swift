import CArchive
package import SystemCalls
import Values

/// What is packed in a zip or tar file, also if the latter is compressed (gzip, bzip2, xz, zstd), one after the other from
/// beginning to end. By libarchive, which knows what the many tools write: Zip64, data behind which its size stands,
/// the dialects of tar. https://www.libarchive.org
package final class ArchiveReader {
  /// One file, folder or link.
  package struct Member {
    /// As it stands there.
    package let path: String
    package let kind: FileKind
    /// In bytes; nil if the archive has it behind the data.
    package let size: Int64?
    /// Seconds since 1970.
    package let modified: Int64?
    package let isEncrypted: Bool
  }

  /// What can be opened, by the first bytes of a file.
  package enum Format: String, Sendable {
    case zip, tar
  }

  private let archive: OpaquePointer
  private let file: OpenFile
  /// For sentences.
  private let name: String
  private let locale = TextLocale()

  /// What the data of an archive may become, as a multiple of its own bytes, once it is more than `freely`: deflate makes
  /// at most 1,032 times as much (https://zlib.net/zlib_tech.html), and no store is nothing but zeros.
  private static let mostExpanded: Int64 = 250
  private static let freely: Int64 = 256 << 20
  private var expanded: Int64 = 0

  /// - Parameter name: for sentences; the path by default.
  /// - Throws: `StoreScopeError` if it can't be read, or is no archive.
  package convenience init(_ path: String, name: String? = nil) throws {
    guard let file = OpenFile(path, for: .reading), file.status?.kind == .file else {
      throw StoreScopeError.failed("can't open", name ?? path, Platform.lastError())
    }
    try self.init(file, name: name ?? path)
  }

  private init(_ file: OpenFile, name: String) throws {
    guard let archive = archive_read_new() else {
      throw StoreScopeError(.limit, name, "can't be read: there's no memory left")
    }
    self.archive = archive
    self.file = file
    self.name = name
    // Those that are named, and no more: the others would link libraries that nothing here needs.
    archive_read_support_format_zip(archive)
    archive_read_support_format_tar(archive)
    archive_read_support_filter_bzip2(archive)
    archive_read_support_filter_gzip(archive)
    archive_read_support_filter_xz(archive)
    archive_read_support_filter_zstd(archive)
    // Of a zip file, a block is read for each entry, however little of it is needed; a tar file is read as a whole.
    let block = Self.format(file.bytes(Self.beginning)) == .zip ? 1 << 12 : 1 << 16
    guard archive_read_open_fd(archive, file.descriptor, block) >= STORESCOPE_ARCHIVE_WARN else {
      throw problem()
    }
  }

  deinit { archive_read_free(archive) }

  /// Nil where nothing in the first bytes of a file speaks for an archive.
  package static func format(_ beginning: [UInt8]) -> Format? {
    let compressed: [[UInt8]] = [
      [0x1f, 0x8b], Array("BZh".utf8), [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], [0x28, 0xb5, 0x2f, 0xfd],
    ]
    // An empty zip file has nothing but its end; one that was cut into pieces begins with a mark of its own.
    let zip: [[UInt8]] = [
      [0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6], [0x50, 0x4b, 0x30, 0x30, 0x50, 0x4b, 3, 4],
    ]
    if zip.contains(where: beginning.starts) { return .zip }
    if compressed.contains(where: beginning.starts) { return .tar }
    // https://www.gnu.org/software/tar/manual/html_node/Standard.html
    return beginning.dropFirst(257).starts(with: Array("ustar".utf8)) ? .tar : nil
  }

  /// How many first bytes show the format.
  package static let beginning = 262

  /// More than any device has.
  private static let mostMembers = 5_000_000
  private var members = 0

  /// The next member; nil at the end.
  /// - Throws: `StoreScopeError` if the archive is damaged or cut off here.
  package func next() throws -> Member? {
    try Interruption.check()
    try checkExpansion()
    members += 1
    guard members <= Self.mostMembers else {
      throw StoreScopeError(
        .limit, name, "has more than \(Sentence.count(Self.mostMembers, "entry", "entries"))")
    }
    return try locale.use {
      var entry: OpaquePointer?
      var result = archive_read_next_header(archive, &entry)
      while result == STORESCOPE_ARCHIVE_RETRY { result = archive_read_next_header(archive, &entry) }
      if result == STORESCOPE_ARCHIVE_EOF { return nil }
      guard result >= STORESCOPE_ARCHIVE_WARN, let entry else { throw problem() }
      return Self.member(entry)
    }
  }

  private static func member(_ entry: OpaquePointer) -> Member {
    let path = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
    let isLink = archive_entry_hardlink_utf8(entry) != nil
    return Member(
      path: path.map { String(cString: $0) } ?? "",
      kind: isLink ? .link : FileKind(mode: UInt32(archive_entry_filetype(entry))),
      size: archive_entry_size_is_set(entry) == 0 ? nil : archive_entry_size(entry),
      modified: archive_entry_mtime_is_set(entry) == 0 ? nil : Int64(archive_entry_mtime(entry)),
      isEncrypted: archive_entry_is_data_encrypted(entry) == 1)
  }

  /// Fills the buffer with what follows of the last member's data.
  /// - Returns: how many bytes; 0 at the end.
  /// - Throws: `StoreScopeError` if the data is encrypted, cut off, out of all proportion, or damaged; of kind `.damaged`
  ///   if nothing behind it can be read.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    var count = archive_read_data(archive, buffer.baseAddress, buffer.count)
    while count == Int(STORESCOPE_ARCHIVE_RETRY) {
      count = archive_read_data(archive, buffer.baseAddress, buffer.count)
    }
    // After anything but that the next member can still be read.
    guard count >= 0 else { throw problem(isFatal: count <= Int(STORESCOPE_ARCHIVE_FATAL)) }
    expanded += Int64(count)
    try checkExpansion()
    return count
  }

  private func checkExpansion() throws {
    guard expanded > Self.freely else { return }
    // The last filter is the file itself.
    let taken = max(archive_filter_bytes(archive, -1), 1)
    guard expanded / taken > Self.mostExpanded else { return }
    throw StoreScopeError(
      .limit, name, "expands to more than \(Self.mostExpanded) times its size, as no archive of stores does",
      advice: "unpack it with another tool, and look at what is in it")
  }

  /// The first bytes of the last member's data, as many as there are up to `count`.
  package func beginning(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let more = try bytes.withUnsafeMutableBytes {
        try read(into: UnsafeMutableRawBufferPointer(rebasing: $0[filled...]))
      }
      if more == 0 { break }
      filled += more
    }
    return Array(bytes.prefix(filled))
  }

  private func problem(isFatal: Bool = true) -> StoreScopeError {
    let reason = archive_error_string(archive).map { String(cString: $0) } ?? "it isn't an archive"
    return .failed(
      "can't read", name, reason, kind: isFatal ? .damaged : .unreadable, advice: "copy it again")
  }
}
