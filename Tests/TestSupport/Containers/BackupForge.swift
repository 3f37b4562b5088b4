import Archives
import Base
import Forge
import Foundation
import SQLite

#if canImport(CommonCrypto)
  import CommonCrypto
  import CryptoKit
#else
  import CNettle
#endif

/// A backup as Finder makes one, from the format that is published.
package struct BackupForge {
  package var files: [(domain: String, path: String, bytes: [UInt8])] = []

  package init() {}

  /// Adds a store and what belongs to it.
  package mutating func add(_ store: String, domain: String, path: String) throws {
    let folder = (store as NSString).deletingLastPathComponent
    let (name, other) = ((store as NSString).lastPathComponent, (path as NSString).lastPathComponent)
    let parent = (path as NSString).deletingLastPathComponent
    for case let file as String in FileManager.default.enumerator(atPath: folder) ?? .init() {
      guard file.hasPrefix(name) || file.hasPrefix(SideFiles.supportFolder(of: name) + "/"),
        let bytes = FileManager.default.contents(atPath: folder + "/" + file), !file.hasSuffix("-shm")
      else { continue }
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: folder + "/" + file, isDirectory: &isFolder)
      if isFolder.boolValue { continue }
      let renamed =
        file.hasPrefix(name)
        ? other + file.dropFirst(name.count)
        : SideFiles.supportFolder(of: other) + file.dropFirst(SideFiles.supportFolder(of: name).count)
      files.append((domain, parent + "/" + renamed, [UInt8](bytes)))
    }
  }

  /// - Parameters:
  ///   - password: nil for a backup that isn't encrypted.
  ///   - damagedClass: whose key can't be opened.
  ///   - claimedRounds: what the key bag has for a tag, in place of the truth.
  ///   - notesTimes: whether the list says when the files were changed.
  package func make(
    at folder: String, password: String? = nil, damagedClass: UInt32? = nil,
    claimedRounds: [String: UInt32] = [:], notesTimes: Bool = true
  ) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let keys = password.map { Keys(password: $0, damagedClass: damagedClass, claimedRounds) }
    let manifest = folder + "/Manifest.db"
    do {
      let database = try Connection(path: manifest, options: .readWrite(create: true))
      try database.execute(
        """
        CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, file BLOB);
        CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB);
        BEGIN
        """)
      for (domain, path, bytes) in files {
        let name = Hexadecimal.lowercase(Encryption.sha1(Array("\(domain)-\(path)".utf8)))
        let key = keys.map { _ in Encryption.random(32) }
        try FileManager.default.createDirectory(
          atPath: "\(folder)/\(name.prefix(2))", withIntermediateDirectories: true)
        try Data(key.map { Encryption.encrypted(bytes, key: $0) } ?? bytes)
          .write(to: URL(filePath: "\(folder)/\(name.prefix(2))/\(name)"))
        try database.execute(
          "INSERT INTO Files VALUES (?, ?, ?, 1, ?)",
          [
            .text(name), .text(domain), .text(path),
            .blob(
              Self.facts(path, bytes.count, key: key.flatMap { keys?.wrapped($0, class: 3) }, notesTimes)),
          ])
      }
      try database.execute("COMMIT")
    }
    var list: [PropertyListDictionary.Entry] = [
      .init("IsEncrypted", .bool(keys != nil)), .init("Version", .string("10.0")),
    ]
    if let keys {
      let key = Encryption.random(32)
      list += [
        .init("BackupKeyBag", .data(keys.bag)), .init("ManifestKey", .data(keys.wrapped(key, class: 4))),
      ]
      let bytes = [UInt8](try Data(contentsOf: URL(filePath: manifest)))
      try Data(Encryption.encrypted(bytes, key: key)).write(to: URL(filePath: manifest))
    }
    try Data(BinaryPropertyList.write(.dictionary(.init(list)))).write(
      to: URL(filePath: folder + "/Manifest.plist"))
  }

  private static func facts(_ path: String, _ size: Int, key: [UInt8]?, _ notesTimes: Bool) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    let file = writer.object(
      "MBFile",
      fields: [
        ("RelativePath", .string(path)), ("Size", .integer(Int64(size))),
        ("ProtectionClass", .integer(3)),
      ] + (notesTimes ? [("LastModified", .integer(1_700_000_000))] : []))
    if let key {
      let data = writer.object(
        "NSMutableData", superclasses: ["NSData", "NSObject"], fields: [("NS.data", .data(key))])
      writer.set("EncryptionKey", to: .reference(data), of: file)
    }
    return writer.bytes(root: file)
  }

  /// The key bag, and what it opens.
  private struct Keys {
    let classes: [UInt32: [UInt8]] = [3: Encryption.random(32), 4: Encryption.random(32)]
    private(set) var bag: [UInt8] = []

    init(password: String, damagedClass: UInt32?, _ claimedRounds: [String: UInt32]) {
      let (hashSalt, salt) = (Encryption.random(20), Encryption.random(20))
      let rounds: UInt32 = 1000
      let typed = Secret(longest: password.utf8.count) {
        _ = $0.update(fromContentsOf: Array(password.utf8))
        return $0.count
      }
      let first = PasswordKey.derived(from: typed, .sha256, salt: hashSalt, rounds: rounds)
      let key = PasswordKey.derived(from: first, .sha1, salt: salt, rounds: rounds).withBytes(Array.init)
      put("VERS", 4)
      put("TYPE", 1)
      put("UUID", Encryption.random(16))
      put("WRAP", 1)
      put("SALT", salt)
      put("ITER", claimedRounds["ITER"] ?? rounds)
      put("DPWT", 1)
      put("DPIC", claimedRounds["DPIC"] ?? rounds)
      put("DPSL", hashSalt)
      for (number, secret) in classes.sorted(by: { $0.key < $1.key }) {
        put("UUID", Encryption.random(16))
        put("CLAS", number)
        put("WRAP", 2)
        put("WPKY", Encryption.wrapped(secret, with: number == damagedClass ? secret : key))
      }
    }

    private mutating func put(_ tag: String, _ value: [UInt8]) {
      bag += Array(tag.utf8) + Self.bytes(UInt32(value.count)) + value
    }

    private mutating func put(_ tag: String, _ value: UInt32) { put(tag, Self.bytes(value)) }

    private static func bytes(_ number: UInt32) -> [UInt8] {
      withUnsafeBytes(of: number.bigEndian, Array.init)
    }

    func wrapped(_ key: [UInt8], class number: UInt32) -> [UInt8] {
      withUnsafeBytes(of: number.littleEndian, Array.init)
        + Encryption.wrapped(key, with: classes[number] ?? [])
    }
  }
}

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
        &result, result.count, &done)
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
