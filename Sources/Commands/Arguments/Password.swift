import Containers
import SystemCalls
import Values

extension BackupPassword {
  private static let longest = 1 << 12

  /// As the options say: from a file, or asked for on the terminal. It isn't an option's value: everybody can read command
  /// lines.
  convenience init(_ arguments: ParsedArguments, _ keyring: BackupKeyring) {
    self.init(keyring) {
      if let path = arguments[.passwordFile] {
        return try Secret(firstLineOf: path, longest: Self.longest)
      }
      guard arguments.has(.password) else { return nil }
      if !Interruption.isWatched { Interruption.watch() }
      guard let typed = try Platform.readPassword(prompt: "Password of the backup: ", longest: Self.longest)
      else {
        throw StoreScopeError(
          .lacking, "There is no terminal to ask for the password", advice: "use --password-file FILE")
      }
      return typed
    }
  }
}
