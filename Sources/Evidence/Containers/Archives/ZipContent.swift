import Archives
import Base

/// The data of one entry of a zip file. Nothing is read before it is asked for.
final class ZipContent: MemberContent {
  private let entry: ZipEntry
  /// Of its own header; or a multiple of what numbers overflow at before it.
  private let place: Int64
  /// Of the next entry, likewise.
  private let next: Int64
  private let archive: ZipArchive
  /// What wasn't read yet of the entry's bytes in the file; nil before its own header was.
  private var rest: Range<Int64>?
  private var buffer = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  private var inflater: InflateReader?
  private var checksum = CRC32()
  private var produced: Int64 = 0

  init(of entry: ZipEntry, _ listing: ZipArchive.Listing, in archive: ZipArchive) {
    self.entry = entry
    (place, next) = (listing.place, listing.next)
    self.archive = archive
  }

  deinit { buffer.deallocate() }

  private static let headerSize = 30
  private static let signature = 0x0403_4B50
  private static let (stored, deflated) = (0, 8)
  /// APPNOTE 4.4.5
  private static let otherMethods = [9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ"]
  /// A page of a database is enough to know most of them; who goes on wants all.
  private static let (firstPiece, largestPiece) = (1 << 12, 1 << 18)

  func read(into target: UnsafeMutableRawBufferPointer) throws -> Int {
    if rest == nil { try open() }
    let count: Int
    do {
      count = try inflater?.read(into: target) ?? copy(into: target)
    } catch let error as ArchiveError { throw damage("\(error)") }
    produced += Int64(count)
    checksum.add(UnsafeRawBufferPointer(rebasing: target.prefix(count)))
    guard produced <= largestSize,
      count > 0 || (produced - entry.size) % archive.modulus == 0 && checksum.value == entry.checksum
    else { throw damage("its data isn't what the archive lists") }
    try archive.expand(count, rest: rest.map { $0.upperBound - $0.lowerBound } ?? 0)
    return count
  }

  /// DEFLATE makes 258 bytes of two bits at most.
  private static let mostExpansion: Int64 = 1032

  /// The size that is listed, and as many times what numbers overflow at as the bytes that weren't unpacked yet can still
  /// make: a small entry can't be larger than it says.
  private var largestSize: Int64 {
    if archive.isOverflowed { return .max }
    if entry.isSizeWhole || entry.method != Self.deflated { return entry.size }
    // What the buffer has may not be unpacked yet.
    let left = (rest.map { $0.upperBound - $0.lowerBound } ?? 0) + Int64(buffer.count)
    let (more, overflow) = min(left, entry.packed).multipliedReportingOverflow(by: Self.mostExpansion)
    guard !overflow, more < .max - produced else { return .max }
    return entry.size + max(produced + more - entry.size, 0) / archive.modulus * archive.modulus
  }

  private func damage(_ reason: String) -> StoreScopeError {
    .failed("can't read", entry.member.path, reason, kind: .unreadable, advice: "copy the archive again")
  }

  /// The entry's own header has to say the same as the list: tools that go by the one would otherwise see another file than
  /// tools that go by the other.
  private func open() throws {
    guard [Self.stored, Self.deflated].contains(entry.method) else {
      let name = Self.otherMethods[entry.method].map { " (\($0))" } ?? ""
      throw StoreScopeError(
        .unreadable, entry.member.path,
        "uses compression method \(entry.method)\(name), which isn't supported",
        advice: "unpack it with another tool")
    }
    let end = archive.list.lowerBound
    guard entry.packed <= end else { throw mismatch }
    var place = place
    var start = try dataPlace(behindHeaderAt: place, before: end)
    // Behind an entry that is itself larger than numbers count.
    while start == nil, archive.isOverflowed, place <= end - archive.modulus {
      place += archive.modulus
      start = try dataPlace(behindHeaderAt: place, before: end)
    }
    guard let start, start <= end - entry.packed else { throw mismatch }
    rest = start..<start + entry.packed
    if entry.method == Self.deflated {
      inflater = try InflateReader { [unowned self] in try more() }
    } else if entry.packed != entry.size {
      throw mismatch
    }
  }

  /// Nil if the entry's own header isn't there.
  private func dataPlace(behindHeaderAt place: Int64, before end: Int64) throws -> Int64? {
    guard place <= end - Int64(Self.headerSize) else { return nil }
    var header = [UInt8](repeating: 0, count: Self.headerSize + entry.name.count)
    let count = try header.withUnsafeMutableBytes { try archive.take($0.count, at: place, into: $0) }
    guard count == header.count, ZipArchive.number(header, 0, 4) == Self.signature,
      ZipArchive.number(header, 8, 2) == entry.method,
      header[6] & 1 == (entry.member.isEncrypted ? 1 : 0),
      ZipArchive.number(header, 26, 2) == entry.name.count,
      header[Self.headerSize...].elementsEqual(entry.name)
    else { return nil }
    return place + Int64(header.count + ZipArchive.number(header, 28, 2))
  }

  private var mismatch: StoreScopeError {
    damage("its header in the archive doesn't match the list of entries")
  }

  /// The next piece of what is packed; empty at its end.
  private func more() throws -> UnsafeRawBufferPointer {
    guard goesOn() else { return UnsafeRawBufferPointer(start: nil, count: 0) }
    let size = buffer.count == 0 ? Self.firstPiece : min(buffer.count * 8, Self.largestPiece)
    if size > buffer.count {
      buffer.deallocate()
      buffer = .allocate(byteCount: size, alignment: 16)
    }
    let count = try take(into: buffer)
    return UnsafeRawBufferPointer(rebasing: buffer[..<count])
  }

  private func copy(into target: UnsafeMutableRawBufferPointer) throws -> Int {
    guard produced < entry.size || checksum.value != entry.checksum, goesOn() else { return 0 }
    return try take(into: target)
  }

  /// Whether bytes of the entry weren't read yet. If it isn't whole at its size, it is larger than numbers count.
  private func goesOn() -> Bool {
    guard let rest else { return false }
    guard rest.isEmpty, archive.isOverflowed, rest.upperBound <= archive.list.lowerBound - archive.modulus,
      !archive.continues(at: rest.upperBound, with: next)
    else { return !rest.isEmpty }
    self.rest = rest.upperBound..<rest.upperBound + archive.modulus
    return true
  }

  private func take(into target: UnsafeMutableRawBufferPointer) throws -> Int {
    guard let rest else { return 0 }
    let wanted = Int(min(Int64(target.count), rest.upperBound - rest.lowerBound))
    let count = try archive.take(wanted, at: rest.lowerBound, into: target)
    guard count > 0 || wanted == 0 else { throw damage("the archive is cut off") }
    self.rest = rest.lowerBound + Int64(count)..<rest.upperBound
    return count
  }
}
