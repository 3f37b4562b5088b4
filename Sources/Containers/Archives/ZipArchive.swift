import SystemCalls
import Values

/// A zip file read by the list at its end. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
///
/// Not by libarchive, which reads each entry's own header, anywhere in the file, to get its name: with 200,000 entries in
/// 5 GB that takes four times as long as `unzip` takes to list them and to unpack all databases. Here an entry's bytes are
/// read only if its name and size can be a store's.
///
/// Nothing in the list is believed: places and sizes have to lie within the file, an entry's own header has to agree, and
/// all that is read is no more than the file has, so that no two entries can share their data as in a bomb
/// (https://www.bamsoftware.com/hacks/zipbomb/).
final class ZipArchive {
  struct Entry {
    let member: ArchiveMember
    let name: [UInt8]
    /// Of its own header.
    let place: Int64
    let packed: Int64
    let size: Int64
    let method: Int
    let checksum: UInt32
  }

  let file: OpenFile
  /// For sentences.
  let name: String
  let limit: ExpansionLimit
  /// The list's place in the file.
  let list: Range<Int64>
  private let fileSize: Int64
  private var taken: Int64 = 0
  /// What came out of all entries: small bombs add up.
  private var expanded: Int64 = 0

  private enum Signature {
    static let listedEntry = 0x0201_4B50
    static let end = 0x0605_4B50
    static let largeEnd = 0x0606_4B50
    static let largeEndPlace = 0x0706_4B50
  }

  /// Nil if the file has no list.
  /// - Throws: `StoreScopeError` if there is one that can't be used.
  init?(_ file: OpenFile, name: String, _ limit: ExpansionLimit) throws {
    self.file = file
    self.name = name
    self.limit = limit
    fileSize = file.status?.size ?? 0
    guard let end = Self.end(of: file, fileSize) else { return nil }
    guard let list = Self.list(file, end) else {
      throw StoreScopeError(
        .damaged, name, "has a damaged list of its entries, or is one of several parts",
        advice: "copy it again, or join its parts first")
    }
    self.list = list
    file.expectJumps()
  }

  // MARK: - The list's place

  /// Where the last record begins: behind it there's nothing but a comment, of 65,535 bytes at most.
  private static func end(of file: OpenFile, _ fileSize: Int64) -> Int64? {
    let most = Int(min(fileSize, Int64(endSize + 0xFFFF)))
    let start = fileSize - Int64(most)
    let bytes = file.bytes(most, at: start)
    guard bytes.count >= endSize else { return nil }
    var rest = bytes.count - endSize
    while rest >= 0 {
      if bytes[rest] == 0x50, number(bytes, rest, 4) == Signature.end,
        rest + endSize + number(bytes, rest + 20, 2) == bytes.count
      {
        return start + Int64(rest)
      }
      rest -= 1
    }
    return nil
  }

  private static let endSize = 22
  private static let largeEndSize = 56
  private static let largeEndPlaceSize = 20

  /// Nil if it doesn't lie before its end, or in another file.
  private static func list(_ file: OpenFile, _ end: Int64) -> Range<Int64>? {
    let record = file.bytes(endSize, at: end)
    guard record.count == endSize else { return nil }
    var (disks, size, place) = (
      [number(record, 4, 2), number(record, 6, 2)], number(record, 12, 4), number(record, 16, 4)
    )
    var limit = end
    let locator =
      end >= Int64(largeEndPlaceSize)
      ? file.bytes(largeEndPlaceSize, at: end - Int64(largeEndPlaceSize)) : []
    if locator.count == largeEndPlaceSize, number(locator, 0, 4) == Signature.largeEndPlace {
      limit = Int64(number(locator, 8, 8))
      guard limit >= 0, limit <= end - Int64(largeEndPlaceSize + largeEndSize) else { return nil }
      let large = file.bytes(largeEndSize, at: limit)
      guard large.count == largeEndSize, number(large, 0, 4) == Signature.largeEnd else { return nil }
      disks = [number(large, 16, 4), number(large, 20, 4)]
      (size, place) = (number(large, 40, 8), number(large, 48, 8))
    }
    guard disks == [0, 0], size >= 0, place >= 0, Int64(size) <= limit, Int64(place) <= limit - Int64(size)
    else { return nil }
    return Int64(place)..<Int64(place) + Int64(size)
  }

  /// A number of up to eight bytes, the lowest first; a negative one is too large for any file.
  static func number(_ bytes: [UInt8], _ offset: Int, _ count: Int) -> Int {
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(bytes[offset + index]) << (UInt64(index) * 8) }
    return Int(truncatingIfNeeded: value)
  }

  // MARK: - Entries

  private static let entrySize = 46
  private static let piece = 1 << 20

  /// Calls `body` with each entry, in the order of the list.
  /// - Throws: `StoreScopeError` if the list is damaged from there on; what `body` throws.
  func forEachEntry(_ body: (Entry) throws -> Void) throws {
    var (bytes, start, next): ([UInt8], Int, Int64) = ([], 0, list.lowerBound)
    /// Nil if the list hasn't that many more bytes.
    func take(_ count: Int) -> Int? {
      if bytes.count - start < count {
        bytes.removeFirst(start)
        start = 0
        let more = file.bytes(Int(min(Int64(Self.piece), list.upperBound - next)), at: next)
        next += Int64(more.count)
        bytes += more
      }
      guard bytes.count - start >= count else { return nil }
      defer { start += count }
      return start
    }
    while start < bytes.count || next < list.upperBound {
      guard let header = take(Self.entrySize), Self.number(bytes, header, 4) == Signature.listedEntry
      else { throw damage }
      // The next lines move what is there.
      let fixed = Array(bytes[header..<header + Self.entrySize])
      let lengths = (28...32).filter { $0 % 2 == 0 }.map { Self.number(fixed, $0, 2) }
      guard let variable = take(lengths.reduce(0, +)) else { throw damage }
      let extra = variable + lengths[0]
      let entry = Self.entry(
        fixed, Array(bytes[variable..<extra]), Array(bytes[extra..<extra + lengths[1]]))
      guard let entry else { throw damage }
      try body(entry)
    }
  }

  private var damage: StoreScopeError {
    .failed(
      "can't read", name, "the list of its entries is damaged", kind: .damaged, advice: "copy it again")
  }

  private static let (unix, macOS) = (3, 19)
  private static let isUTF8 = 1 << 11

  /// Nil if it has a size or place that no file has.
  private static func entry(_ header: [UInt8], _ name: [UInt8], _ extra: [UInt8]) -> Entry? {
    var (packed, size, place) = (number(header, 20, 4), number(header, 24, 4), number(header, 42, 4))
    let fields = ExtraFields(extra)
    // Of these three, the ones are there that don't fit into four bytes.
    if var large = fields[0x0001]?[...] {
      func next() -> Int {
        defer { large = large.dropFirst(8) }
        return large.count < 8 ? -1 : number(Array(large.prefix(8)), 0, 8)
      }
      if size == 0xFFFF_FFFF { size = next() }
      if packed == 0xFFFF_FFFF { packed = next() }
      if place == 0xFFFF_FFFF { place = next() }
    }
    guard packed >= 0, size >= 0, place >= 0 else { return nil }
    let flags = number(header, 8, 2)
    let path = text(name, isUTF8: flags & isUTF8 != 0)
    var kind: FileKind = name.last == UInt8(ascii: "/") ? .folder : .file
    let mode = number(header, 38, 4) >> 16
    // Many tools leave the mode's kind out.
    if [unix, macOS].contains(Int(header[5])), mode & 0o170000 != 0, kind == .file {
      kind = FileKind(mode: UInt32(mode))
    }
    return Entry(
      member: ArchiveMember(
        path: path, kind: kind, size: Int64(size), modified: fields.modified ?? time(header),
        isEncrypted: flags & 1 != 0),
      name: name, place: Int64(place), packed: Int64(packed), size: Int64(size),
      method: number(header, 10, 2), checksum: UInt32(number(header, 16, 4)))
  }

  /// macOS writes UTF-8 without saying so; what isn't UTF-8 is in the letters of the first PCs.
  private static func text(_ name: [UInt8], isUTF8: Bool) -> String {
    if let text = String(validating: name, as: UTF8.self) { return text }
    return isUTF8
      ? String(decoding: name, as: UTF8.self) : String(String.UnicodeScalarView(name.map(CodePage437.scalar)))
  }

  /// In the time zone of whoever packed it, which isn't known: ours is the best guess.
  private static func time(_ header: [UInt8]) -> Int64? {
    let (time, date) = (number(header, 12, 2), number(header, 14, 2))
    let (year, month, day) = (1980 + date >> 9, date >> 5 & 15, date & 31)
    guard 1...12 ~= month, day > 0 else { return nil }
    let days = ISO8601.days(year: Int64(year), month: Int64(month), day: Int64(day))
    let seconds = days * 86_400 + Int64((time >> 11) * 3600 + (time >> 5 & 63) * 60 + (time & 31) * 2)
    return seconds - Platform.secondsFromUTC(atUnixSeconds: seconds)
  }

  // MARK: - Data

  func content(of entry: Entry) -> ZipContent { ZipContent(of: entry, in: self) }

  /// Reads bytes of an entry.
  /// - Throws: `StoreScopeError` if they can't be read, or more of them have been read than there are.
  func take(_ count: Int, at place: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let read = file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count)), at: place)
    guard !read.hasFailed else { throw StoreScopeError.failed("can't read", name, Platform.lastError()) }
    taken += Int64(read.count)
    guard taken <= fileSize else {
      throw StoreScopeError(
        .damaged, name, "has entries that share their data, as only zip bombs do",
        advice: "don't unpack it; check where it comes from")
    }
    return read.count
  }

  /// Counts what came out of an entry.
  /// - Parameter rest: how many of the entry's bytes weren't read yet.
  /// - Throws: `StoreScopeError` if all entries together expand out of all proportion.
  func expand(_ count: Int, rest: Int64) throws {
    expanded += Int64(count)
    try limit.check(expanded, from: taken + rest, name)
  }
}

/// What stands behind an entry's name: fields, each with a number and a length of two bytes before its content.
private struct ExtraFields {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  subscript(wanted: Int) -> [UInt8]? {
    var offset = 0
    while offset + 4 <= bytes.count {
      let (kind, length) = (ZipArchive.number(bytes, offset, 2), ZipArchive.number(bytes, offset + 2, 2))
      guard offset + 4 + length <= bytes.count else { return nil }
      if kind == wanted { return Array(bytes[offset + 4..<offset + 4 + length]) }
      offset += 4 + length
    }
    return nil
  }

  /// In seconds since 1970, as Info-ZIP notes it: https://libzip.org/specifications/extrafld.txt
  var modified: Int64? {
    guard let field = self[0x5455], field.count >= 5, field[0] & 1 != 0 else { return nil }
    return Int64(Int32(truncatingIfNeeded: ZipArchive.number(field, 1, 4)))
  }
}

/// The letters of the first PCs, which zip files have if nothing says otherwise.
/// https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/PC/CP437.TXT
private enum CodePage437 {
  private static let upper = Array(
    ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀"
      + "αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)

  static func scalar(_ byte: UInt8) -> Unicode.Scalar {
    byte < 128 ? Unicode.Scalar(byte) : upper[Int(byte) - 128]
  }
}
