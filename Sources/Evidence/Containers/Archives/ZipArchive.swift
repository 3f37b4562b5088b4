import Base

/// A zip file read by the list at its end. https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
///
/// Not by libarchive, which reads each entry's own header, anywhere in the file, to get its name: with 200,000 entries in
/// 5 GB that takes four times as long as `unzip` takes to list them and to unpack all databases. Here an entry's bytes are
/// read only if its name and size can be a store's.
///
/// Nothing in the list is believed: places and sizes have to lie within the file, an entry's own header has to agree, and
/// all that is read is no more than the file has, so that no two entries can share their data as in a bomb
/// (https://www.bamsoftware.com/hacks/zipbomb/).
///
/// Its numbers of four bytes may have overflowed: Archive Utility and ditto of older systems, and some libraries, write the
/// lower four bytes of places and sizes, and the lower two of the number of entries
/// (https://github.com/overlookmotel/yauzl-mac). Such a file is read by what fits: its list ends where the last record
/// begins, entries follow each other as they are listed, and each one's own header and checksum show where it is and where
/// it ends. The number of entries isn't needed.
final class ZipArchive {
  /// Where an entry is listed and where it is: enough to read it when its turn comes, as a device has hundreds of thousands.
  struct Listing {
    fileprivate let record: Int64
    let place: Int64
    /// Where the next entry is, or the list; or a multiple of what numbers overflow at before it.
    let next: Int64
  }

  let file: OpenFile
  /// For sentences.
  let name: String
  let limit: ExpansionLimit
  /// The list's place in the file.
  let list: Range<Int64>
  /// Whether the list's place is larger than four bytes can count, and has no more.
  let isOverflowed: Bool
  /// What is left of larger numbers is the rest after dividing by this.
  let modulus: Int64
  private let fileSize: Int64
  private var taken: Int64 = 0
  /// What came out of all entries: small bombs add up.
  private var expanded: Int64 = 0

  private enum Signature {
    static let ownHeader = 0x0403_4B50
    static let listedEntry = 0x0201_4B50
    static let end = 0x0605_4B50
    static let largeEnd = 0x0606_4B50
    static let largeEndPlace = 0x0706_4B50
  }

  /// Nil if the file has no list, or is so large that its place isn't known.
  /// - Parameter modulus: a smaller one makes a small file one whose numbers have overflowed.
  /// - Throws: `StoreScopeError` if there is a list that can't be used.
  init?(_ file: OpenFile, name: String, _ limit: ExpansionLimit, modulus: Int64) throws {
    self.file = file
    self.name = name
    self.limit = limit
    self.modulus = modulus
    fileSize = file.status?.size ?? 0
    guard let end = Self.end(of: file, fileSize) else { return nil }
    if let list = Self.overflowedList(file, end, modulus) {
      (self.list, isOverflowed) = (list, true)
    } else if let list = Self.list(file, end, modulus) {
      (self.list, isOverflowed) = (list, false)
    } else if end > modulus, Self.largeEndPlace(file, end) == nil {
      return nil
    } else {
      throw StoreScopeError(
        .damaged, name, "has a damaged list of its entries, or is one of several parts",
        advice: "copy it again, or join its parts first")
    }
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
  private static func list(_ file: OpenFile, _ end: Int64, _ modulus: Int64) -> Range<Int64>? {
    let record = file.bytes(endSize, at: end)
    guard record.count == endSize else { return nil }
    var (disks, size, place) = (
      [number(record, 4, 2), number(record, 6, 2)], number(record, 12, 4), number(record, 16, 4)
    )
    var limit = end
    if let largeEnd = largeEndPlace(file, end) {
      limit = largeEnd
      guard limit >= 0, limit <= end - Int64(largeEndPlaceSize + largeEndSize) else { return nil }
      let large = file.bytes(largeEndSize, at: limit)
      guard large.count == largeEndSize, number(large, 0, 4) == Signature.largeEnd else { return nil }
      disks = [number(large, 16, 4), number(large, 20, 4)]
      (size, place) = (number(large, 40, 8), number(large, 48, 8))
    }
    guard disks == [0, 0], size >= 0, place >= 0, Int64(size) <= limit, Int64(place) <= limit - Int64(size)
    else { return nil }
    // What is left of a place that has overflowed is a place in any large file: it counts if the list is there.
    guard end <= modulus || limit < end || isEntry(file, Int64(place)) else { return nil }
    return Int64(place)..<Int64(place) + Int64(size)
  }

  /// What stands before the last record shows where a larger one is; nil if there is none. A wrong place is any number.
  private static func largeEndPlace(_ file: OpenFile, _ end: Int64) -> Int64? {
    let start = end - Int64(largeEndPlaceSize)
    let locator = start >= 0 ? file.bytes(largeEndPlaceSize, at: start) : []
    guard locator.count == largeEndPlaceSize, number(locator, 0, 4) == Signature.largeEndPlace else {
      return nil
    }
    return Int64(number(locator, 8, 8))
  }

  /// Nil if its place needn't have overflowed, or isn't the one that it would be then.
  private static func overflowedList(_ file: OpenFile, _ end: Int64, _ modulus: Int64) -> Range<Int64>? {
    let record = file.bytes(endSize, at: end)
    guard record.count == endSize, largeEndPlace(file, end) == nil else { return nil }
    let start = end - Int64(number(record, 12, 4))
    guard start >= modulus, start % modulus == number(record, 16, 4), isEntry(file, start) else { return nil }
    return start..<end
  }

  private static func isEntry(_ file: OpenFile, _ place: Int64) -> Bool {
    let bytes = file.bytes(4, at: place)
    return bytes.count == 4 && number(bytes, 0, 4) == Signature.listedEntry
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
  func forEachEntry(_ body: (ZipEntry, Listing) throws -> Void) throws {
    var (bytes, start, next): ([UInt8], Int, Int64) = ([], 0, list.lowerBound)
    var lastPlace: Int64 = 0
    /// It is handed over when the place of the next one is known.
    var last: (entry: ZipEntry, record: Int64, place: Int64)?
    func handOver(before next: Int64) throws {
      guard let (entry, record, place) = last else { return }
      last = nil
      try body(entry, Listing(record: record, place: place, next: next))
    }
    /// Nil if the list hasn't that many more bytes.
    func take(_ count: Int) -> ArraySlice<UInt8>? {
      if bytes.count - start < count {
        bytes.removeFirst(start)
        start = 0
        let more = file.bytes(Int(min(Int64(Self.piece), list.upperBound - next)), at: next)
        next += Int64(more.count)
        bytes += more
      }
      guard bytes.count - start >= count else { return nil }
      defer { start += count }
      return bytes[start..<start + count]
    }
    while start < bytes.count || next < list.upperBound {
      let record = next - Int64(bytes.count - start)
      guard let entry = Self.entry(take) else {
        try handOver(before: list.lowerBound)
        throw damage
      }
      var place = entry.place
      if isOverflowed, place <= fileSize {
        if place < lastPlace { place += (lastPlace - place + modulus - 1) / modulus * modulus }
        lastPlace = place
      }
      try handOver(before: place)
      last = (entry, record, place)
    }
    try handOver(before: list.lowerBound)
  }

  /// Nil if there is no entry, or one that no file has.
  private static func entry(_ take: (Int) -> ArraySlice<UInt8>?) -> ZipEntry? {
    guard let header = take(entrySize).map(Array.init), number(header, 0, 4) == Signature.listedEntry else {
      return nil
    }
    // Of the name, the fields behind it, and the comment.
    let lengths = [28, 30, 32].map { number(header, $0, 2) }
    guard let rest = take(lengths.reduce(0, +)) else { return nil }
    return ZipEntry(
      header, name: rest.prefix(lengths[0]), fields: rest.dropFirst(lengths[0]).prefix(lengths[1]))
  }

  private var damage: StoreScopeError {
    .failed(
      "can't read", name, "the list of its entries is damaged", kind: .damaged, advice: "copy it again")
  }

  // MARK: - Data

  /// Whether an entry that ends there is followed by what is listed next, with at most a descriptor between them.
  func continues(at end: Int64, with next: Int64) -> Bool {
    let place = end + ((next - end) % modulus + modulus) % modulus
    guard place - end <= Self.largestDescriptor else { return false }
    if place == list.lowerBound { return true }
    let bytes = file.bytes(4, at: place)
    return bytes.count == 4 && Self.number(bytes, 0, 4) == Signature.ownHeader
  }

  /// APPNOTE 4.3.9
  private static let largestDescriptor: Int64 = 24

  /// An entry as it is listed, and its data.
  /// - Throws: `StoreScopeError` if the list has changed.
  func member(_ listing: Listing) throws -> (ArchiveMember, ZipContent) {
    var next = listing.record
    let entry = Self.entry { count in
      let bytes = file.bytes(count, at: next)
      next += Int64(count)
      return bytes.count == count ? bytes[...] : nil
    }
    guard let entry else { throw damage }
    return (entry.member, ZipContent(of: entry, listing, in: self))
  }

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
