#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import CNettle
#endif

/// Decryption with a key of 32 bytes.
package struct AES256 {
  package static let keyLength = 32
  package static let block = 16

  private let key: [UInt8]
  /// What the next block is combined with: the last encrypted one; zeros at first.
  private var chain = [UInt8](repeating: 0, count: block)

  /// Nil if it isn't 32 bytes.
  package init?(key: [UInt8]) {
    guard key.count == Self.keyLength else { return nil }
    self.key = key
  }

  /// Decrypts the next blocks (CBC) where they are, which are whole ones.
  package mutating func decrypt(_ bytes: UnsafeMutableRawBufferPointer) {
    guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count >= Self.block else {
      return
    }
    let count = bytes.count / Self.block * Self.block
    #if canImport(CommonCrypto)
      let last = Array(bytes[(count - Self.block)..<count])
      var done = 0
      _ = CCCrypt(
        CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), 0, key, key.count, chain, start, count, start,
        count,
        &done)
      chain = last
    #else
      var context = aes256_ctx()
      nettle_aes256_set_decrypt_key(&context, key)
      storescope_aes256_cbc_decrypt(&context, &chain, count, start, start)
    #endif
  }

  /// The key that was wrapped with this one; nil if it wasn't. https://www.rfc-editor.org/rfc/rfc3394#section-2.2.2
  package func unwrapped(_ wrapped: [UInt8]) -> [UInt8]? {
    guard wrapped.count >= 24, wrapped.count % 8 == 0 else { return nil }
    var result = [UInt8](repeating: 0, count: wrapped.count - 8)
    let mark = [UInt8](repeating: 0xa6, count: 8)
    #if canImport(CommonCrypto)
      var count = result.count
      let isRight =
        CCSymmetricKeyUnwrap(
          CCWrappingAlgorithm(kCCWRAPAES), mark, mark.count, key, key.count, wrapped, wrapped.count, &result,
          &count)
        == kCCSuccess
    #else
      var context = aes256_ctx()
      nettle_aes256_set_decrypt_key(&context, key)
      let isRight = nettle_aes256_keyunwrap(&context, mark, result.count, &result, wrapped) == 1
    #endif
    return isRight ? result : nil
  }
}
