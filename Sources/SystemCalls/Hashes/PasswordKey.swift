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
