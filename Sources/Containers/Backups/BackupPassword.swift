package import SystemCalls

/// The password of encrypted backups. It is asked for once, when the first of them needs it, and the keys that it opens are
/// kept: to make them of it takes seconds.
package final class BackupPassword {
  private let ask: () throws -> Secret?
  private var known: Secret?
  /// By what they were opened from.
  private var opened: [[UInt8]: BackupKeys] = [:]

  /// - Parameter ask: gives nil if there is none.
  package init(_ ask: @escaping () throws -> Secret?) { self.ask = ask }

  /// - Parameter bag: `BackupKeyBag` of the backup.
  /// - Returns: nil without a password.
  /// - Throws: `StoreScopeError` if it is another one, or the bag isn't understood.
  func keys(_ bag: [UInt8], backup: String) throws -> BackupKeys? {
    if let keys = opened[bag] { return keys }
    if known == nil { Secret.preventDumps() }
    guard let password = try known ?? ask() else { return nil }
    known = password
    let keys = try BackupKeys(bag: bag, password: password, backup: backup)
    opened[bag] = keys
    return keys
  }
}
