import Base
import Diagnostics
import Evidence
import Rendering

/// Refuses too few and too many words, and those that an argument doesn't take.
struct ArgumentCheck {
  let command: Command
  let arguments: ParsedArguments
  /// The stores, where the words name them; empty in the shell.
  let paths: [String]
  /// The names of the store's entities; none where it can't be read, which is then said another time.
  let entities: () -> [String]

  func run() throws(UsageError) {
    try checkAddresses()
    try checkOrder()
    if let word = paths.dropFirst().first(where: {
      RuleRegistry.rule($0) != nil && FileReader.kind(of: $0) == nil
    }) {
      throw .surplusArgument(word, command: command.name, meant: "--\(OptionName.rule.rawValue) \(word)")
    }
    let (known, given) = (command.arguments, arguments.positionals)
    let required = known.filter { !$0.isOptional }
    if given.count < required.count {
      let missing = required[given.count]
      if let path = paths.first, !path.contains(where: { "./".contains($0) }),
        FileReader.kind(of: path) == nil
      {
        throw .conflict(
          "There is no file '\(path)'; the store comes first, as in 'storescope \(command.name) App.store \(ShellQuotes.readable(path))'."
        )
      }
      throw .missingArgument(
        missing.name, command: command.name, known: missing.kind == .entity ? entities() : missing.choices)
    }
    if given.count > known.count, !(known.last?.isRepeatable ?? false) {
      let word = given[known.count]
      throw .surplusArgument(word, command: command.name, meant: option(for: word))
    }
    for (argument, word) in zip(known, given)
    where !argument.choices.isEmpty && !argument.choices.contains(word) {
      throw .badArgument(word, command: command.name, choices: argument.choices, hint: argument.hint(word))
    }
  }

  /// Refuses a store that isn't the first word.
  private func checkOrder() throws(UsageError) {
    guard !command.takesSeveralStores, let path = paths.first, let second = arguments.positionals.first,
      FileReader.kind(of: StoreSource.file(of: path)) == nil, FileReader.kind(of: second) == .file
    else { return }
    throw .conflict(
      "There is no file '\(path)'; the store comes first, as in 'storescope \(command.name) \(ShellQuotes.readable(second)) \(ShellQuotes.readable(path))'."
    )
  }

  /// The option that is called like the word, or that takes it as its value: `resync STORE push`, `history STORE Entry`.
  private func option(for word: String) -> String? {
    if let option = command.allOptions.first(where: { $0.name == word }) {
      return "--\(option.name)\(option.value.map { " \($0)" } ?? "")"
    }
    if let option = command.options.first(where: { $0.choices.contains(word) }) {
      return "--\(option.name) \(word)"
    }
    func option(_ kind: ValueKind) -> String? {
      command.options.first { $0.kind == kind }.map { "--\($0.name) \(ShellQuotes.readable(word))" }
    }
    if ObjectNumbers.isObject(word) { return option(.object) }
    return entities().contains { $0.lowercased() == word.lowercased() } ? option(.entity) : nil
  }

  /// Refuses addresses in archives and backups where only stores outside of them are of use: nothing is written there, and
  /// nothing but stores is read. As a path, such an address would become a folder that has the archive's name and a `!`, and
  /// that stands in the way of every address in it.
  private func checkAddresses() throws(UsageError) {
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
      "'\(value)' is inside an archive, from which nothing is restored. \(Self.takingOut(address))")
  }

  /// How to get something other than a store out of a container.
  private static func takingOut(_ address: StoreAddress) -> String {
    let inner = address.insides.first?.archive ?? address.path
    let command = Archive.format(ofFile: address.container)?.unpacking(inner, from: address.container)
    return "Take it out first\(command.map { ": \($0)" } ?? ".")"
  }
}
