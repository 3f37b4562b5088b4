import Archives
import Base

/// One entry as the list of a zip file describes it.
struct ZipEntry {
  let member: ArchiveMember
  let name: [UInt8]
  /// Of its own header.
  let place: Int64
  let packed: Int64
  let size: Int64
  /// Whether the size was written in eight bytes; of others, the upper four may be missing.
  let isSizeWhole: Bool
  let method: Int
  let checksum: UInt32

  private static let (unix, macOS) = (3, 19)
  private static let isUTF8 = 1 << 11

  /// Nil if it has a size or place that no file has.
  init?(_ header: [UInt8], name: ArraySlice<UInt8>, fields: ArraySlice<UInt8>) {
    var (packed, size, place) = (
      ZipArchive.number(header, 20, 4), ZipArchive.number(header, 24, 4), ZipArchive.number(header, 42, 4)
    )
    let fields = ExtraFields(Array(fields))
    var isSizeWhole = false
    // Of these three, the ones are there that don't fit into four bytes.
    if var large = fields[0x0001]?[...] {
      func next() -> Int {
        defer { large = large.dropFirst(8) }
        return large.count < 8 ? -1 : ZipArchive.number(Array(large.prefix(8)), 0, 8)
      }
      isSizeWhole = size == 0xFFFF_FFFF
      if isSizeWhole { size = next() }
      if packed == 0xFFFF_FFFF { packed = next() }
      if place == 0xFFFF_FFFF { place = next() }
    }
    guard packed >= 0, size >= 0, place >= 0 else { return nil }
    let flags = ZipArchive.number(header, 8, 2)
    var kind: FileKind = name.last == UInt8(ascii: "/") ? .folder : .file
    let mode = ZipArchive.number(header, 38, 4) >> 16
    // Many tools leave the mode's kind out.
    if [Self.unix, Self.macOS].contains(Int(header[5])), mode & 0o170000 != 0, kind == .file {
      kind = FileKind(mode: UInt32(mode))
    }
    self.name = Array(name)
    self.isSizeWhole = isSizeWhole
    (self.place, self.packed, self.size) = (Int64(place), Int64(packed), Int64(size))
    method = ZipArchive.number(header, 10, 2)
    checksum = UInt32(ZipArchive.number(header, 16, 4))
    member = ArchiveMember(
      path: Self.path(self.name, fields, isUTF8: flags & Self.isUTF8 != 0), kind: kind, size: self.size,
      modified: fields.modified ?? Self.time(header), isEncrypted: flags & 1 != 0)
  }

  /// macOS writes UTF-8 without saying so; what isn't UTF-8 is in the letters of the first PCs, or whoever packed it has
  /// added the name in UTF-8.
  private static func path(_ name: [UInt8], _ fields: ExtraFields, isUTF8: Bool) -> String {
    if !isUTF8, let path = fields.path(of: name) { return path }
    if let text = String(validating: name, as: UTF8.self) { return text }
    return isUTF8
      ? String(decoding: name, as: UTF8.self) : String(String.UnicodeScalarView(name.map(CodePage437.scalar)))
  }

  /// In the time zone of whoever packed it, which isn't known: ours is the best guess.
  private static func time(_ header: [UInt8]) -> Int64? {
    let (time, date) = (ZipArchive.number(header, 12, 2), ZipArchive.number(header, 14, 2))
    let (year, month, day) = (1980 + date >> 9, date >> 5 & 15, date & 31)
    guard 1...12 ~= month, day > 0 else { return nil }
    let days = ISO8601.days(year: Int64(year), month: Int64(month), day: Int64(day))
    let seconds = days * 86_400 + Int64((time >> 11) * 3600 + (time >> 5 & 63) * 60 + (time & 31) * 2)
    return seconds - Platform.secondsFromUTC(atUnixSeconds: seconds)
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

  /// The name in UTF-8, if the field was made for this one: tools that rename an entry leave it as it was.
  /// APPNOTE 4.6.9
  func path(of name: [UInt8]) -> String? {
    guard let field = self[0x7075], field.count > 5, field[0] == 1 else { return nil }
    var checksum = CRC32()
    name.withUnsafeBytes { checksum.add($0) }
    return checksum.value == UInt32(ZipArchive.number(field, 1, 4))
      ? String(validating: field.dropFirst(5), as: UTF8.self) : nil
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
