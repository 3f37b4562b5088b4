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
    if let command = command(first) {
      typed = TypedCommand(command, words: before, takesStore: place == .program)
    } else if place == .program, let summary = self.command("summary") {
      // `storescope STORE`
      typed = TypedCommand(summary, words: words.dropLast(), takesStore: true)
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
    return (store, typed?.options["model"]?.last)
  }
}
