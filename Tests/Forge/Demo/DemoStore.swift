import Archives
import Base

/// Makes the built-in demo: the store of a travel journal after a spring of use by an app, its widget and its
/// importer. The same content in every run.
package enum DemoStore {
  /// The store's file name.
  package static let fileName = "Journeys.store"

  /// Makes the store in the folder, which is made where it isn't there.
  /// - Returns: the store's path.
  /// - Throws: `StoreScopeError`, where there is such a store already or the folder can't be written.
  package static func make(in directory: String) throws -> String {
    let forge = try forge(in: directory)
    try forge.close(leaving: .wal)
    return forge.path
  }

  /// The store, still open, with the truth of what it holds. Its last three commits are only in the WAL.
  package static func forge(in directory: String) throws -> StoreForge { try mirror(in: directory).forge }

  /// The store with its mirror, still open: a private database, and a full iCloud account, so that what was saved in
  /// April waits. Three saves aren't processed yet.
  package static func mirror(in directory: String) throws -> MirrorForge {
    try Files.makeFolder(directory, mode: 0o755)
    let folder = directory.hasSuffix("/") ? String(directory.dropLast()) : directory
    let forge = try StoreForge(
      path: "\(folder)/\(fileName)", model: DemoModel.model,
      options: ForgeOptions(
        uuid: "7D3B51C4-0F2E-4C55-9A61-5E2C8D40B7A9",
        metadata: [
          .init("JourneysLastExport", .date(try moment("2026-04-11T07:30:00Z"))),
          .init("JourneysSchema", .integer(3)),
        ]))
    let mirror = try MirrorForge(forge, layout: .v17)
    var story = DemoStory(forge)
    try story.importPlacesAndPeople()
    try mirror.setUp(at: moment("2026-03-02T19:38:02.300Z"))
    try mirror.importChanges(at: moment("2026-03-02T19:38:05.120Z")) { _ in }
    try mirror.export(at: moment("2026-03-02T19:38:09.447Z"))
    try story.planTrips()
    try mirror.export(.failure(.networkUnavailable), at: moment("2026-03-19T21:12:30.066Z"))
    try mirror.export(at: moment("2026-03-20T07:02:11.900Z"))
    try story.travel()
    try mirror.importChanges(at: moment("2026-03-29T02:59:40.512Z")) { _ in }
    try mirror.export(at: moment("2026-03-29T02:59:51.008Z"))
    try story.tidyUp()
    try mirror.setUp(at: moment("2026-04-15T19:20:00.741Z"))
    try mirror.importChanges(at: moment("2026-04-15T19:20:04.250Z")) { _ in }
    try mirror.export(.failure(.quotaExceeded), at: moment("2026-04-15T19:20:09.635Z"))
    try mirror.run(.export, failing: .deferred, at: moment("2026-04-16T02:00:00.018Z"))
    try mirror.export(.failure(.quotaExceeded), at: moment("2026-04-16T06:45:22.871Z"))
    try forge.checkpoint()
    try story.leaveInWAL()
    return mirror
  }

  static func moment(_ text: String) throws -> CoreDataDate {
    guard let date = ISO8601.parse(text) else {
      throw StoreScopeError(.invalid, "Cannot make the demo: '\(text)' is no date")
    }
    return date
  }
}

/// Small pictures for the demo, as PNG (https://www.w3.org/TR/png-3/): eight bits each of red, green and blue.
struct PixelImage {
  let width: Int
  let height: Int
  /// Three bytes a pixel, row by row.
  let pixels: [UInt8]

  /// From one color at the top to another at the bottom.
  static func gradient(width: Int, height: Int, from top: [Int], to bottom: [Int]) -> PixelImage {
    var pixels: [UInt8] = []
    for row in 0..<height {
      let colour = zip(top, bottom).map { UInt8(clamping: $0 + ($1 - $0) * row / max(height - 1, 1)) }
      for _ in 0..<width { pixels += colour }
    }
    return PixelImage(width: width, height: height, pixels: pixels)
  }

  /// - Parameter isPacked: false for a file as large as its pixels.
  func png(isPacked: Bool = true) -> [UInt8] {
    var rows: [UInt8] = []
    let rowBytes = width * 3
    for row in 0..<height {
      // Filter 0: the row as it is.
      rows.append(0)
      rows += pixels[row * rowBytes..<(row + 1) * rowBytes]
    }
    // A zlib stream (RFC 1950) around DEFLATE.
    let blocks = isPacked ? Deflate.raw(rows) : Self.stored(rows)
    let content = [0x78, 0x9C] + blocks + Self.bigEndian(Self.adler32(rows))
    let header = Self.bigEndian(UInt32(width)) + Self.bigEndian(UInt32(height)) + [8, 2, 0, 0, 0]
    let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let chunks = [Self.chunk("IHDR", header), Self.chunk("IDAT", content), Self.chunk("IEND", [])]
    return signature + chunks.flatMap { $0 }
  }

  /// Blocks that are stored as they are, https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let most = 0xFFFF
    return stride(from: 0, to: bytes.count, by: most).flatMap { start in
      let block = bytes[start..<min(start + most, bytes.count)]
      let length = [UInt8(truncatingIfNeeded: block.count), UInt8(truncatingIfNeeded: block.count >> 8)]
      let isLast: UInt8 = block.endIndex == bytes.count ? 1 : 0
      return [[isLast], length, length.map { ~$0 }, Array(block)].flatMap { $0 }
    }
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let named = Array(type.utf8) + content
    return bigEndian(UInt32(content.count)) + named + bigEndian(crc32(named))
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }
}
