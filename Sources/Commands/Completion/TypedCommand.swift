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
      guard let (option, value) = ArgumentParser.option(in: word, among: command.allOptions) else { return }
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

  /// Those that may still be given.
  var optionsLeft: [OptionDefinition] {
    command.allOptions.filter { $0.isRepeatable || options[$0.name] == nil }
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
