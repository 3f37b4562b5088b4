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

/// Decryption with a key of 32 bytes.
package struct AES256 {
  package static let keyLength = 32
  package static let block = 16

  private let key: Secret
  /// What the next block is combined with: the last encrypted one; zeros at first.
  private var chain = [UInt8](repeating: 0, count: block)

  /// Nil if it isn't 32 bytes.
  package init?(key: Secret) {
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
      key.withBytes { key in
        _ = CCCrypt(
          CCOperation(kCCDecrypt), CCAlgorithm(kCCAlgorithmAES), 0, key.baseAddress, key.count, chain, start,
          count, start, count, &done)
      }
      chain = last
    #else
      withSchedule { storescope_aes256_cbc_decrypt($0, &chain, count, start, start) }
    #endif
  }

  /// The key that was wrapped with this one; nil if it wasn't. https://www.rfc-editor.org/rfc/rfc3394#section-2.2.2
  package func unwrapped(_ wrapped: [UInt8]) -> Secret? {
    guard wrapped.count >= 24, wrapped.count % 8 == 0 else { return nil }
    let mark = [UInt8](repeating: 0xa6, count: 8)
    var isRight = false
    let result = Secret(longest: wrapped.count - 8) { result in
      #if canImport(CommonCrypto)
        var count = result.count
        key.withBytes { key in
          isRight =
            CCSymmetricKeyUnwrap(
              CCWrappingAlgorithm(kCCWRAPAES), mark, mark.count, key.baseAddress, key.count, wrapped,
              wrapped.count, result.baseAddress, &count) == kCCSuccess
        }
      #else
        withSchedule {
          isRight = nettle_aes256_keyunwrap($0, mark, result.count, result.baseAddress, wrapped) == 1
        }
      #endif
      return result.count
    }
    return isRight ? result : nil
  }

  #if !canImport(Darwin)
    /// What is made of the key before it's used is as good as the key.
    private func withSchedule(_ body: (UnsafeMutablePointer<aes256_ctx>) -> Void) {
      var context = aes256_ctx()
      withUnsafeMutablePointer(to: &context) { context in
        key.withBytes { nettle_aes256_set_decrypt_key(context, $0.baseAddress) }
        body(context)
        Secret.wipe(UnsafeMutableRawBufferPointer(start: context, count: MemoryLayout<aes256_ctx>.size))
      }
    }
  #endif
}

/// Keys made of passwords: PBKDF2, https://www.rfc-editor.org/rfc/rfc8018#section-5.2
package enum PasswordKey {
  package enum Hash: Sendable {
    case sha1, sha256
  }

  /// - Returns: 32 bytes.
  package static func derived(from password: Secret, _ hash: Hash, salt: [UInt8], rounds: UInt32) -> Secret {
    Secret(longest: AES256.keyLength) { key in
      password.withBytes { password in
        #if canImport(CommonCrypto)
          let algorithm = hash == .sha1 ? kCCPRFHmacAlgSHA1 : kCCPRFHmacAlgSHA256
          _ = password.withMemoryRebound(to: CChar.self) { password in
            CCKeyDerivationPBKDF(
              CCPBKDFAlgorithm(kCCPBKDF2), password.baseAddress, password.count, salt, salt.count,
              CCPseudoRandomAlgorithm(algorithm), rounds, key.baseAddress, key.count)
          }
        #else
          switch hash {
          case .sha1:
            nettle_pbkdf2_hmac_sha1(
              password.count, password.baseAddress, rounds, salt.count, salt, key.count, key.baseAddress)
          case .sha256:
            nettle_pbkdf2_hmac_sha256(
              password.count, password.baseAddress, rounds, salt.count, salt, key.count, key.baseAddress)
          }
        #endif
      }
      return key.count
    }
  }
}
