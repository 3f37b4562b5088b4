/// The words of a command before the one that is being typed, sorted as `ArgumentParser` would, mistakes passed over.
struct TypedCommand {
  let command: Command
  /// The store's file, where the words name one.
  private(set) var store: String?
  private(set) var positionals: [String] = []
  private(set) var options: [String: [String]] = [:]
  /// The option whose value is being typed.
  private(set) var awaited: OptionDefinition?
  private(set) var takesOptions = true
  private let takesStore: Bool

  init(_ command: Command, words: some Sequence<String>, takesStore: Bool) {
    self.command = command
    self.takesStore = takesStore && command.store == .required
    for word in words { take(word) }
  }

  private mutating func take(_ word: String) {
    if let option = awaited {
      options[option.name, default: []].append(word)
      awaited = nil
    } else if takesOptions, word == "--" {
      takesOptions = false
    } else if takesOptions, word.hasPrefix("-"), word.count > 1 {
      guard let (option, value) = Self.option(in: word, of: command) else { return }
      if option.value == nil || value != nil {
        options[option.name, default: []].append(value ?? "")
      } else {
        awaited = option
      }
    } else if takesStore, store == nil {
      store = word
    } else {
      positionals.append(word)
    }
  }

  /// The option that a word names, and the value that stands in the same word.
  static func option(in word: String, of command: Command) -> (OptionDefinition, String?)? {
    if word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = command.allOptions.first(where: { $0.name == parts[0] }) else { return nil }
      return (option, parts.count > 1 ? String(parts[1]) : nil)
    }
    let letters = word.dropFirst()
    guard let option = command.allOptions.first(where: { $0.short == letters.first }) else { return nil }
    return (option, letters.count > 1 ? String(letters.dropFirst()) : nil)
  }

  var expectsStore: Bool { takesStore && store == nil }

  /// What the positional argument being typed is; nil where the command takes no more.
  var argument: Command.Argument? {
    if positionals.count < command.arguments.count { return command.arguments[positionals.count] }
    return command.arguments.last.flatMap { $0.isRepeatable ? $0 : nil }
  }

  /// The positional of that kind that was typed before.
  func positional(_ kinds: ValueKind...) -> String? {
    zip(command.arguments, positionals).first { kinds.contains($0.0.kind) }?.1
  }
}
