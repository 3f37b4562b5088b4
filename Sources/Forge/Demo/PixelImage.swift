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

  /// Grain that no compression makes smaller: a picture of a known, large size.
  static func grain(width: Int, height: Int, seed: UInt64) -> PixelImage {
    var state = seed
    let pixels = (0..<width * height * 3).map { _ in
      // Knuth's linear congruential generator; its high bits are good enough for grain.
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    return PixelImage(width: width, height: height, pixels: pixels)
  }

  var png: [UInt8] {
    var rows: [UInt8] = []
    for row in 0..<height {
      // Filter 0: the row as it is.
      rows.append(0)
      rows += pixels[row * width * 3..<(row + 1) * width * 3]
    }
    // A zlib stream (RFC 1950) around DEFLATE.
    let content = [0x78, 0x9C] + Deflate.raw(rows) + Self.bigEndian(Self.adler32(rows))
    let header = Self.bigEndian(UInt32(width)) + Self.bigEndian(UInt32(height)) + [8, 2, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Self.chunk("IHDR", header)
      + Self.chunk("IDAT", content) + Self.chunk("IEND", [])
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
