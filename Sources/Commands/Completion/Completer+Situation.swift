extension Completer {
  /// What the last word is meant to be.
  enum Situation {
    /// The first word of all.
    case beginning
    case option([OptionDefinition])
    /// A value of that kind; `kept` is what stands before it in the same word, as in `--format=`.
    case value(ValueKind, choices: [String], TypedCommand?, kept: String)
    case commandName
    case nothing
  }

  func situation(_ words: [String]) -> Situation {
    let word = words[words.count - 1]
    guard var first = words.first, words.count > 1 else { return .beginning }
    if place == .shell, first.hasPrefix(".") { first.removeFirst() }
    if place == .program, first == "help" { return words.count == 2 ? .commandName : .nothing }
    let before = words.dropFirst().dropLast()
    let typed: TypedCommand
    if let command = CommandTable.command(named: first) {
      typed = TypedCommand(command, words: before, takesStore: place == .program)
    } else if place == .program {
      // `storescope STORE`
      typed = TypedCommand(.summary, words: words.dropLast(), takesStore: true)
    } else {
      return builtin(first).map { situation($0, words) } ?? .nothing
    }
    if let option = typed.awaited { return value(of: option, typed, kept: "") }
    if typed.takesOptions, word.hasPrefix("-") {
      guard let (option, value) = ArgumentParser.option(in: word, among: typed.command.allOptions), let value
      else { return .option(typed.optionsLeft) }
      return self.value(of: option, typed, kept: String(word.dropLast(value.count)))
    }
    if typed.expectsStore { return .value(.store, choices: [], typed, kept: "") }
    guard let argument = typed.argument else {
      return typed.takesOptions ? .option(typed.optionsLeft) : .nothing
    }
    return .value(argument.kind, choices: argument.choices, typed, kept: "")
  }

  private func situation(_ builtin: Builtin, _ words: [String]) -> Situation {
    let word = words[words.count - 1]
    var rest: [String] = []
    var left = builtin.options
    var awaited: OptionDefinition?
    for word in words.dropFirst().dropLast() {
      if awaited != nil {
        awaited = nil
      } else if let (option, value) = ArgumentParser.option(in: word, among: builtin.options) {
        left.removeAll { $0 == option }
        awaited = value == nil ? option : nil
      } else {
        rest.append(word)
      }
    }
    if let awaited { return value(of: awaited, nil, kept: "") }
    if case let (option, begun?)? = ArgumentParser.option(in: word, among: builtin.options) {
      return value(of: option, nil, kept: String(word.dropLast(begun.count)))
    }
    if builtin.takesCommand {
      switch situation(rest + [word]) {
      case .option(let options): return .option(left + options)
      case .beginning where word.hasPrefix("-"): return .option(left)
      case let other: return other
      }
    }
    if word.hasPrefix("-") { return .option(left) }
    guard builtin.arguments.indices.contains(rest.count) else {
      return left.isEmpty ? .nothing : .option(left)
    }
    return .value(
      builtin.arguments[rest.count].kind, choices: builtin.arguments[rest.count].choices, nil, kept: "")
  }

  private func value(of option: OptionDefinition, _ typed: TypedCommand?, kept: String) -> Situation {
    option.kind.map { .value($0, choices: option.choices, typed, kept: kept) } ?? .nothing
  }

  /// The store that the words name, and its model, where what is typed can't be completed without it.
  package func storeNeeded(words: [String]) -> (path: String, model: String?)? {
    guard case .value(let kind, let choices, let typed, _) = situation(words), kind.needsStore,
      choices.isEmpty,
      let store = typed?.store
    else { return nil }
    return (store, typed?.options[.model]?.last)
  }
}

/// The words of a command before the one that is being typed, sorted as `ArgumentParser` would, mistakes ignored.
struct TypedCommand {
  let command: Command
  /// The store's file, where the words name one.
  private(set) var store: String?
  private(set) var positionals: [String] = []
  private(set) var options: [OptionName: [String]] = [:]
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
      options[option.option, default: []].append(word)
      awaited = nil
    } else if takesOptions, word == "--" {
      takesOptions = false
    } else if takesOptions, word.hasPrefix("-"), word.count > 1 {
      guard let (option, value) = ArgumentParser.option(in: word, among: command.allOptions) else { return }
      if option.value == nil || value != nil {
        options[option.option, default: []].append(value ?? "")
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
    command.allOptions.filter { $0.isRepeatable || options[$0.option] == nil }
  }

  var expectsStore: Bool { takesStore && (store == nil || command.takesSeveralStores) }

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
