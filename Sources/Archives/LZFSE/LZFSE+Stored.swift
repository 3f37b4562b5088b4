extension LZFSE {
  /// Wraps bytes without compressing them: one block of the kind that holds its content as it is, and the block that
  /// ends a stream. https://github.com/lzfse/lzfse
  package static func stored(_ bytes: [UInt8]) -> [UInt8] {
    let size = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> ($0 * 8)) }
    return Array("bvx-".utf8) + size + bytes + Array("bvx$".utf8)
  }
}
