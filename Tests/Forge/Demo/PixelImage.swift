import Archives

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
    for row in 0..<height {
      // Filter 0: the row as it is.
      rows.append(0)
      rows += pixels[row * width * 3..<(row + 1) * width * 3]
    }
    // A zlib stream (RFC 1950) around DEFLATE.
    let blocks = isPacked ? Deflate.raw(rows) : Self.stored(rows)
    let content = [0x78, 0x9C] + blocks + Self.bigEndian(Self.adler32(rows))
    let header = Self.bigEndian(UInt32(width)) + Self.bigEndian(UInt32(height)) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
      + Self.chunk("IDAT", content) + Self.chunk("IEND", [])
  }

  /// Blocks that are stored as they are, https://www.rfc-editor.org/rfc/rfc1951#section-3.2.4
  private static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let most = 0xFFFF
    return stride(from: 0, to: bytes.count, by: most).flatMap { start in
      let block = bytes[start..<min(start + most, bytes.count)]
      let length = [UInt8(truncatingIfNeeded: block.count), UInt8(truncatingIfNeeded: block.count >> 8)]
      return [block.endIndex == bytes.count ? 1 : 0] + length + length.map { ~$0 } + block
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
