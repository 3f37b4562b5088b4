import SystemCalls
import Values

/// The password of an encrypted backup, asked for once. It isn't an option's value: everybody can read command lines.
package final class Password {
  private let arguments: ParsedArguments
  private var known: [UInt8]?

  package init(_ arguments: ParsedArguments) { self.arguments = arguments }

  private static let longest = 1 << 12

  /// Nil if none is needed.
  /// - Throws: `StoreScopeError` if nobody can be asked, or the file can't be read.
  package func given() throws -> [UInt8]? {
    if let known { return known }
    if let path = arguments[.passwordFile] {
      let line = try FileReader.bytes(of: path, limit: Self.longest).prefix { $0 != UInt8(ascii: "\n") }
      known = Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
    } else if arguments.has(.password) {
      known = Platform.readPassword(prompt: "Password of the backup: ")
      guard known != nil else {
        throw StoreScopeError(
          .lacking, "There is no terminal to ask for the password", advice: "use --password-file FILE")
      }
    }
    return known
  }
}
