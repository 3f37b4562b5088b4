import Base
import CArchive

/// An archive that is read from beginning to end, as its members come. By libarchive, which knows what the many tools write:
/// the dialects of tar, how it is compressed, and zip files without a list. https://www.libarchive.org
final class StreamedArchive: MemberContent {
  private let archive: OpaquePointer
  private let file: OpenFile
  /// For sentences.
  private let name: String
  private let locale = TextLocale()
  private let limit: ExpansionLimit
  /// Its members are compressed, each for itself.
  private let isZip: Bool

  /// - Parameter isWhole: for what comes of decompressing it as its only member.
  /// - Throws: `StoreScopeError` if it is no archive.
  init(_ file: OpenFile, name: String, _ limit: ExpansionLimit, isWhole: Bool = false) throws {
    guard let archive = archive_read_new() else {
      throw StoreScopeError(.limit, name, "can't be read: there's no memory left")
    }
    self.archive = archive
    self.file = file
    self.name = name
    self.limit = limit
    isZip = file.bytes(2) == Array("PK".utf8)
    // Those that are named, and no more: the others would link libraries that nothing here needs.
    if isWhole {
      archive_read_support_format_raw(archive)
    } else {
      archive_read_support_format_zip_streamable(archive)
      archive_read_support_format_tar(archive)
    }
    archive_read_support_filter_bzip2(archive)
    archive_read_support_filter_gzip(archive)
    archive_read_support_filter_xz(archive)
    if storescope_archive_has_zstd() != 0 {
      archive_read_support_filter_zstd(archive)
    } else if file.bytes(4) == [0x28, 0xB5, 0x2F, 0xFD] {
      throw StoreScopeError(
        .unreadable, name, "is compressed by zstd, which this system's libarchive can't read",
        advice: "unpack it first: zstd -d \(ShellQuotes.word(name))")
    }
    guard archive_read_open_fd(archive, file.descriptor, 1 << 16) >= STORESCOPE_ARCHIVE_WARN else {
      throw problem()
    }
  }

  deinit { archive_read_free(archive) }

  /// Whether it is compressed as a whole, so that what comes before a member has to be read to get there.
  var isCompressed: Bool { archive_filter_count(archive) > 1 }

  /// The next member; nil at the end.
  /// - Throws: `StoreScopeError` if the archive is damaged or cut off here.
  func next() throws -> ArchiveMember? {
    try passRest()
    return try locale.use {
      var entry: OpaquePointer?
      var result = archive_read_next_header(archive, &entry)
      while result == STORESCOPE_ARCHIVE_RETRY { result = archive_read_next_header(archive, &entry) }
      if result == STORESCOPE_ARCHIVE_EOF { return nil }
      guard result >= STORESCOPE_ARCHIVE_WARN, let entry else { throw problem() }
      isInMember = true
      return Self.member(entry)
    }
  }

  private var isInMember = false

  /// What wasn't read of the last member. libarchive would decompress it in one call, which may take hours and can't be
  /// interrupted. In a tar file that isn't compressed, it only moves on in the file.
  private func passRest() throws {
    defer { isInMember = false }
    guard isInMember, isZip || isCompressed else { return }
    var (bytes, count, offset): (UnsafeRawPointer?, Int, Int64) = (nil, 0, 0)
    while true {
      try Interruption.check()
      try checkExpansion()
      // Holes of sparse files aren't filled with zeros here.
      let result = archive_read_data_block(archive, &bytes, &count, &offset)
      // Next to the end, there is damage, which the next header shows.
      guard result == STORESCOPE_ARCHIVE_RETRY || result == STORESCOPE_ARCHIVE_WARN || result == 0 else {
        return
      }
      // libarchive counts what comes out of its filters; a zip file's members are decompressed behind them.
      if result != STORESCOPE_ARCHIVE_RETRY { expanded += Int64(count) }
    }
  }

  private static func member(_ entry: OpaquePointer) -> ArchiveMember {
    let path = archive_entry_pathname_utf8(entry) ?? archive_entry_pathname(entry)
    let isLink = archive_entry_hardlink_utf8(entry) != nil
    return ArchiveMember(
      path: path.map { String(cString: $0) } ?? "",
      kind: isLink ? .link : FileKind(mode: UInt32(archive_entry_filetype(entry))),
      size: archive_entry_size_is_set(entry) == 0 ? nil : archive_entry_size(entry),
      modified: archive_entry_mtime_is_set(entry) == 0 ? nil : Int64(archive_entry_mtime(entry)),
      isEncrypted: archive_entry_is_data_encrypted(entry) == 1)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
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

  /// With the holes of sparse files, which aren't in the archive.
  private var expanded: Int64 = 0

  private func checkExpansion() throws {
    // The last filter is the file itself, the first what comes out of all of them.
    let (packed, unpacked) = (archive_filter_bytes(archive, -1), archive_filter_bytes(archive, 0))
    try limit.check(max(unpacked, expanded), from: packed, name)
  }

  /// What unpacks a compressed file, by libarchive's number of the compression.
  private static let unpackers: [Int32: String] = [
    1: "gunzip -k", 2: "bunzip2 -k", 6: "unxz -k", 14: "unzstd",
  ]

  private static let archiveNames = [".tar.", ".tgz", ".tbz", ".txz", ".tzst"]

  private func problem(isFatal: Bool = true) -> StoreScopeError {
    var reason = archive_error_string(archive).map { String(cString: $0) } ?? "it isn't an archive"
    // What could be decompressed and is no archive is a single file, unless its name says that it was one.
    if isCompressed, archive_format(archive) == 0,
      let unpacker = Self.unpackers[archive_filter_code(archive, 0)],
      !Self.archiveNames.contains(where: name.lowercased().contains)
    {
      return StoreScopeError(
        .foreign, name, "is a single compressed file, not an archive",
        advice: "unpack it first: \(unpacker) \(ShellQuotes.word(name))")
    }
    if isFatal {
      // Their words are about its inside: 'ZIP decompression failed (-5)'.
      reason = "the archive is cut off or damaged (\(reason.prefix { $0 != "(" }.trimmed))"
    }
    return .failed(
      "can't read", name, reason, kind: isFatal ? .damaged : .unreadable, advice: "copy it again")
  }
}
