import Values

#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import CNettle
#endif

/// SHA-256 by the system's library: CommonCrypto on Apple's systems, nettle elsewhere.
package struct SHA256 {
  #if canImport(CommonCrypto)
    private var state = CC_SHA256_CTX()

    package init() { CC_SHA256_Init(&state) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      CC_SHA256_Update(&state, bytes.baseAddress, CC_LONG(bytes.count))
    }

    /// The 32 bytes of the hash of all that was given. Call it once.
    package mutating func finish() -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: 32)
      CC_SHA256_Final(&digest, &state)
      return digest
    }
  #else
    private var state = sha256_ctx()

    package init() { nettle_sha256_init(&state) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
      guard let start = bytes.baseAddress else { return }
      nettle_sha256_update(&state, bytes.count, start.assumingMemoryBound(to: UInt8.self))
    }

    /// The 32 bytes of the hash of all that was given. Call it once.
    package mutating func finish() -> [UInt8] {
      var digest = [UInt8](repeating: 0, count: 32)
      nettle_sha256_digest(&state, digest.count, &digest)
      return digest
    }
  #endif

  /// The 32 bytes of the hash of these bytes.
  package static func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var hash = SHA256()
    hash.update(bytes)
    return hash.finish()
  }

  /// The same in lower-case hexadecimal digits.
  package static func hexadecimal(of bytes: UnsafeRawBufferPointer) -> String {
    Hexadecimal.lowercase(digest(of: bytes))
  }
}
