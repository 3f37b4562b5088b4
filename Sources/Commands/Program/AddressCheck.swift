import Containers
import Values

/// Refuses addresses in archives and backups where only stores outside of them are of use: nothing is written there, and
/// nothing but stores is read. As a path, such an address would become a folder that has the archive's name and a `!`, and
/// that stands in the way of every address in it.
enum AddressCheck {
  static func run(_ command: Command, _ arguments: ParsedArguments) throws(UsageError) {
    for option in command.allOptions where [.file, .folder].contains(option.kind) && option.option != .diff {
      for value in arguments.options[option.option] ?? [] {
        guard StoreAddress(value) != nil else { continue }
        throw .conflict(
          "'--\(option.name) \(value)' leads into an archive or a backup, where only stores are read: pass a path outside of it."
        )
      }
    }
    guard command.name == Command.restore.name, let value = arguments.positionals.first,
      let address = StoreAddress(value)
    else { return }
    throw .conflict(
      "'\(value)' is inside an archive, from which nothing is restored. \(takingOut(address))")
  }

  /// How to get something other than a store out of a container.
  private static func takingOut(_ address: StoreAddress) -> String {
    let inner = address.insides.first?.archive ?? address.path
    let command = Archive.format(ofFile: address.container)?.unpacking(inner, from: address.container)
    return "Take it out first\(command.map { ": \($0)" } ?? ".")"
  }
}
