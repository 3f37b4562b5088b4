package import SystemCalls
package import Values

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
