#if canImport(CommonCrypto)
  import CommonCrypto
#else
  import CNettle
#endif

/// Keys made of passwords: PBKDF2, https://www.rfc-editor.org/rfc/rfc8018#section-5.2
package enum PasswordKey {
  package enum Hash: Sendable {
    case sha1, sha256
  }

  /// - Returns: 32 bytes.
  package static func derived(from password: [UInt8], _ hash: Hash, salt: [UInt8], rounds: UInt32) -> [UInt8]
  {
    var key = [UInt8](repeating: 0, count: 32)
    #if canImport(CommonCrypto)
      let algorithm = hash == .sha1 ? kCCPRFHmacAlgSHA1 : kCCPRFHmacAlgSHA256
      password.withUnsafeBytes { password in
        _ = CCKeyDerivationPBKDF(
          CCPBKDFAlgorithm(kCCPBKDF2), password.baseAddress?.assumingMemoryBound(to: CChar.self),
          password.count,
          salt, salt.count, CCPseudoRandomAlgorithm(algorithm), rounds, &key, key.count)
      }
    #else
      switch hash {
      case .sha1:
        nettle_pbkdf2_hmac_sha1(password.count, password, rounds, salt.count, salt, key.count, &key)
      case .sha256:
        nettle_pbkdf2_hmac_sha256(password.count, password, rounds, salt.count, salt, key.count, &key)
      }
    #endif
    return key
  }
}
