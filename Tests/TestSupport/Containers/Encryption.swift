#if canImport(CommonCrypto)
  import CommonCrypto
  import CryptoKit
#else
  import CNettle
#endif

/// What an encrypted backup is made with. The tool itself only decrypts.
enum Encryption {
  static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in .random(in: 0...255) } }

  static func sha1(_ bytes: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 20)
    #if canImport(CommonCrypto)
      digest = Array(Insecure.SHA1.hash(data: bytes))
    #else
      var state = sha1_ctx()
      nettle_sha1_init(&state)
      nettle_sha1_update(&state, bytes.count, bytes)
      nettle_sha1_digest(&state, digest.count, &digest)
    #endif
    return digest
  }

  /// CBC with zeros to begin with, padded as PKCS #7 has it.
  static func encrypted(_ bytes: [UInt8], key: [UInt8]) -> [UInt8] {
    let padding = 16 - bytes.count % 16
    let padded = bytes + [UInt8](repeating: UInt8(padding), count: padding)
    var result = [UInt8](repeating: 0, count: padded.count)
    var chain = [UInt8](repeating: 0, count: 16)
    #if canImport(CommonCrypto)
      var done = 0
      _ = CCCrypt(
        CCOperation(kCCEncrypt), CCAlgorithm(kCCAlgorithmAES), 0, key, key.count, chain, padded, padded.count,
        &result,
        result.count, &done)
    #else
      var context = aes256_ctx()
      nettle_aes256_set_encrypt_key(&context, key)
      nettle_cbc_aes256_encrypt(&context, &chain, padded.count, &result, padded)
    #endif
    return result
  }

  /// https://www.rfc-editor.org/rfc/rfc3394#section-2.2.1
  static func wrapped(_ secret: [UInt8], with key: [UInt8]) -> [UInt8] {
    let mark = [UInt8](repeating: 0xa6, count: 8)
    var result = [UInt8](repeating: 0, count: secret.count + 8)
    #if canImport(CommonCrypto)
      var count = result.count
      _ = CCSymmetricKeyWrap(
        CCWrappingAlgorithm(kCCWRAPAES), mark, mark.count, key, key.count, secret, secret.count, &result,
        &count)
    #else
      var context = aes256_ctx()
      nettle_aes256_set_encrypt_key(&context, key)
      nettle_aes256_keywrap(&context, mark, result.count, &result, secret)
    #endif
    return result
  }
}
