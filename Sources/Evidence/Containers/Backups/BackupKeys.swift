import Archives
package import Base

/// The keys of an encrypted backup, opened with its password. `BackupKeyBag` of Manifest.plist is a list of tags of four
/// letters with a length and a value each; from the second `UUID` on, each one begins a class of files with its key.
/// https://github.com/avibrazil/iOSbackup, https://theapplewiki.com/wiki/Keybag
struct BackupKeys {
  private let classKeys: [UInt32: Secret]

  /// - Parameter bag: `BackupKeyBag`.
  /// - Throws: `StoreScopeError` if the password is another one, or the bag isn't understood.
  init(bag: [UInt8], password: Secret, backup: String) throws {
    let bag = try KeyBag(bag, backup: backup)
    // Since iOS 10.2 the password is hashed with SHA-256 first.
    var secret = password
    if let salt = bag.header["DPSL"], let rounds = try bag.rounds("DPIC", atMost: KeyBag.mostHashRounds) {
      secret = try Self.derived(from: secret, .sha256, salt, rounds)
    }
    guard let salt = bag.header["SALT"], let rounds = try bag.rounds("ITER", atMost: KeyBag.mostKeyRounds)
    else { throw KeyBag.problem(backup) }
    secret = try Self.derived(from: secret, .sha1, salt, rounds)
    guard let key = AES256(key: secret) else { throw KeyBag.problem(backup) }
    var hasOther = false
    var keys: [UInt32: Secret] = [:]
    for entry in bag.classes {
      // Other classes are wrapped with a key of the device.
      guard let number = entry.number("CLAS"), let wrap = entry.number("WRAP"), wrap & 2 != 0,
        let wrapped = entry["WPKY"]
      else { continue }
      // Where others open, this one is damaged, and with it only its own files.
      if let opened = key.unwrapped(wrapped) { keys[number] = opened } else { hasOther = true }
    }
    guard !keys.isEmpty else {
      throw hasOther
        ? StoreScopeError(.refused, backup, "is encrypted with another password", advice: "try another one")
        : KeyBag.problem(backup)
    }
    classKeys = keys
  }

  /// For another process of this program, through a pipe.
  var value: DataValue {
    .array(
      classKeys.sorted { $0.key < $1.key }.map { number, key in
        [
          "class": .integer(Int64(number)), "key": .text(key.withBytes { Hexadecimal.lowercase(Array($0)) }),
        ]
      })
  }

  /// Reads `value`; nil if it is anything else.
  init?(_ value: DataValue) {
    guard case .array(let entries) = value else { return nil }
    var keys: [UInt32: Secret] = [:]
    for entry in entries {
      guard case .integer(let number)? = entry["class"], let number = UInt32(exactly: number),
        let bytes = entry["key"]?.text.flatMap(Hexadecimal.bytes)
      else { return nil }
      keys[number] = Secret(longest: bytes.count) { $0.update(fromContentsOf: bytes) }
    }
    classKeys = keys
  }

  /// Takes seconds, and a hostile bag can make it hours.
  private static func derived(
    from secret: Secret, _ hash: PasswordKey.Hash, _ salt: [UInt8], _ rounds: UInt32
  ) throws -> Secret {
    try Threads.interruptible { PasswordKey.derived(from: secret, hash, salt: salt, rounds: rounds) }
  }

  /// What decrypts a file, from its class and its wrapped key as the manifest has them: four bytes, the lowest first, and
  /// the key behind them. Nil if they don't fit.
  func cipher(for stored: [UInt8]) -> AES256? {
    guard stored.count > 4 else { return nil }
    let number = stored[..<4].reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    guard let classKey = classKeys[number].flatMap(AES256.init(key:)) else { return nil }
    return classKey.unwrapped(Array(stored[4...])).flatMap(AES256.init(key:))
  }
}

private typealias Tags = [String: [UInt8]]

extension Tags {
  fileprivate func number(_ tag: String) -> UInt32? {
    guard let bytes = self[tag], bytes.count == 4 else { return nil }
    return bytes.reduce(0) { $0 << 8 | UInt32($1) }
  }
}

private struct KeyBag {
  var header: Tags = [:]
  var classes: [Tags] = []

  /// As many as Apple's have: a hostile bag could keep us busy for hours.
  static let (mostHashRounds, mostKeyRounds): (UInt32, UInt32) = (10_000_000, 10_000)
  private let backup: String

  init(_ bytes: [UInt8], backup: String) throws {
    self.backup = backup
    var rest = bytes[...]
    while rest.count >= 8 {
      let tag = String(decoding: rest.prefix(4), as: UTF8.self)
      let length = rest.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(8)
      guard length <= rest.count else { throw Self.problem(backup) }
      let value = Array(rest.prefix(length))
      rest = rest.dropFirst(length)
      if tag == "UUID", header["UUID"] != nil { classes.append([:]) }
      if classes.isEmpty { header[tag] = value } else { classes[classes.count - 1][tag] = value }
    }
  }

  /// Nil if it has none.
  /// - Throws: `StoreScopeError` if they are more than Apple's, without which the key would be another one.
  func rounds(_ tag: String, atMost most: UInt32) throws -> UInt32? {
    guard let rounds = header.number(tag), rounds > 0 else { return nil }
    guard rounds <= most else {
      throw StoreScopeError(
        .refused, backup,
        "wants \(Sentence.number(Int(rounds))) rounds of hashing to check a password, more than the \(Sentence.number(Int(most))) of Apple's backups",
        advice: "check where it comes from")
    }
    return rounds
  }

  static func problem(_ backup: String) -> StoreScopeError {
    StoreScopeError(.damaged, backup, "has a key bag that storescope doesn't understand")
  }
}

/// The keys of encrypted backups whose password was given: the shell keeps them to its end, in memory alone.
package final class BackupKeyring {
  /// By what they were opened from.
  fileprivate var opened: [[UInt8]: BackupKeys] = [:]

  package init() {}

  /// All keys, for another process of this program.
  package var value: DataValue {
    .array(
      opened.map { bag, keys in ["bag": .text(Hexadecimal.lowercase(bag)), "keys": keys.value] })
  }

  /// Reads `value`.
  package init(_ value: DataValue) {
    guard case .array(let entries) = value else { return }
    for entry in entries {
      guard let bag = entry["bag"]?.text.flatMap(Hexadecimal.bytes) else { continue }
      opened[bag] = entry["keys"].flatMap(BackupKeys.init)
    }
  }
}

/// The password of encrypted backups. It is asked for once, when the first of them needs it, and the keys that it opens are
/// kept: to make them of it takes seconds.
package final class BackupPassword {
  private let ask: () throws -> Secret?
  private var known: Secret?
  package let keyring: BackupKeyring

  /// - Parameters:
  ///   - keyring: keys that need no password, and where others are kept.
  ///   - ask: gives nil if there is none.
  package init(_ keyring: BackupKeyring = BackupKeyring(), _ ask: @escaping () throws -> Secret?) {
    self.keyring = keyring
    self.ask = ask
  }

  /// - Parameter bag: `BackupKeyBag` of the backup.
  /// - Returns: nil without a password.
  /// - Throws: `StoreScopeError` if it is another one, or the bag isn't understood.
  func keys(_ bag: [UInt8], backup: String) throws -> BackupKeys? {
    if let keys = keyring.opened[bag] { return keys }
    if known == nil { Secret.preventDumps() }
    guard let password = try known ?? ask() else { return nil }
    known = password
    let keys = try BackupKeys(bag: bag, password: password, backup: backup)
    keyring.opened[bag] = keys
    return keys
  }
}
