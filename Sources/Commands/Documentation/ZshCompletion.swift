import Values

/// The script for zsh: https://zsh.sourceforge.io/Doc/Release/Completion-System.html#Completion-Functions
struct ZshCompletion {
  let commands: [Command]

  var text: String {
    """
    #compdef storescope
    # Completion of storescope for zsh; made by `storescope completions zsh`.

    # Words that only storescope can list: it gets the line up to the cursor.
    _storescope_ask() {
      local -a answers whole begun
      local answer
      answers=("${(@f)$("${(Q)storescope_line[1]}" __complete --quoted -- \
        "${(@)storescope_line[2,storescope_cursor]}" 2>/dev/null)}")
      # Of --author=app only the value is being completed.
      answers=("${(@)answers#$IPREFIX}")
      for answer in $answers; do
        if [[ $answer == *[=/.] || $answer == */p ]]; then begun+=("$answer"); else whole+=("$answer"); fi
      done
      local expl
      _wanted values expl "${1:-value}" compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a whole
      _wanted values expl "${1:-value}" compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -S '' -a begun
      (($#whole + $#begun))
    }

    _storescope() {
      local curcontext=$curcontext state line
      local -a storescope_line commands
      storescope_line=("${(@)words[1,CURRENT]}")
      local storescope_cursor=$CURRENT
      commands=(
    \(commands.map { "    \(ShellQuotes.single($0.name + ":" + $0.summary))" }.joined(separator: "\n"))
        'help:show a command'\\''s arguments and options'
      )
      if ((CURRENT == 2)); then
        _describe -t commands 'command' commands
        _files
        return
      fi
      local command=$words[2]
      shift words
      ((CURRENT--))
      case $command in
    \(commands.map(commandCase).joined(separator: "\n"))
        help) _describe -t commands 'command' commands ;;
        *) _arguments '*::value:_storescope_ask' ;;
      esac
    }

    _storescope "$@"

    """
  }

  private func commandCase(_ command: Command) -> String {
    var specifications = command.allOptions.flatMap(specifications)
    if command.store == .required {
      specifications.append("'\(command.takesSeveralStores ? "*" : "1"):store:_files'")
    }
    let first = command.store == .required ? 2 : 1
    for (index, argument) in command.arguments.enumerated() {
      let position = argument.isRepeatable ? "*" : "\(index + first)"
      let message = escaped(argument.name.lowercased())
      specifications.append(
        ShellQuotes.single(
          "\(position):\(argument.isOptional ? ":" : "")\(message):\(action(argument.kind, argument.choices, message))"
        ))
    }
    return """
          \(command.name))
            _arguments -s \\
              \(specifications.joined(separator: " \\\n          "))
            ;;
      """
  }

  private func specifications(_ option: OptionDefinition) -> [String] {
    let names = ["--" + option.name] + (option.short.map { ["-\($0)"] } ?? [])
    return names.map { name in
      let repeats = option.isRepeatable ? "*" : names.count > 1 ? "(\(names.joined(separator: " ")))" : ""
      let attached = option.value == nil ? "" : name.hasPrefix("--") ? "=" : "+"
      var text = "\(repeats)\(name)\(attached)[\(escaped(option.help))]"
      if let value = option.value {
        let message = escaped(value.lowercased())
        text += ":\(message):\(action(option.kind ?? .word, option.choices, message))"
      }
      return ShellQuotes.single(text)
    }
  }

  private func action(_ kind: ValueKind, _ choices: [String], _ message: String) -> String {
    if !choices.isEmpty { return "(\(choices.joined(separator: " ")))" }
    return switch kind {
    case .store, .file: "_files"
    case .folder: "_files -/"
    case .date, .number, .word: " "
    default: "_storescope_ask \(message.filter { $0.isLetter || $0 == "-" })"
    }
  }

  /// Colons and brackets end the parts of a specification.
  private func escaped(_ text: String) -> String {
    text.reduce(into: "") { $0 += ":[]\\".contains($1) ? "\\\($1)" : String($1) }
  }
}
