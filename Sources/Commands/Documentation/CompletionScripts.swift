import Values

/// The script for bash: 3.2, as macOS has it, and all newer ones.
/// https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html
struct BashCompletion {
  let commands: [Command]

  var text: String {
    """
    # Completion of storescope for bash; made by `storescope completions bash`.

    _storescope() {
      COMPREPLY=()
      # Bash cuts words at '=' and ':'; what no blank separates is one word again.
      local -a words=()
      local word blanks rest=${COMP_LINE:0:COMP_POINT} index
      for ((index = 0; index <= COMP_CWORD; index++)); do
        blanks=${rest%%[![:blank:]]*}
        rest=${rest:${#blanks}}
        word=${COMP_WORDS[index]}
        if ((index == COMP_CWORD)); then word=$rest; fi
        rest=${rest:${#word}}
        if [[ -z $blanks ]] && ((${#words[@]} > 0)); then
          words[${#words[@]}-1]+=$word
        else
          words+=("$word")
        fi
      done
      local count=${#words[@]}
      if ((count < 2)); then return; fi
      local current=${words[count-1]} previous=${words[count-2]} command=${words[1]} known=

      if ((count > 2)); then
        case $command in
    \(commands.map(optionCase).joined(separator: "\n"))
        esac
        if [[ $current != -* || " ${words[*]:2:count-3} " == *' -- '* ]]; then known=; fi
        case "$command $previous" in
    \(commands.flatMap(choiceCases).joined(separator: "\n"))
        esac
      fi

      local candidate
      while IFS= read -r candidate; do
        if [[ $candidate == *[=/.] || $candidate == */p ]]; then
          if type compopt >/dev/null 2>&1; then compopt -o nospace 2>/dev/null; fi
        fi
        COMPREPLY+=("$candidate")
      done < <(
        if [[ -n $known && $current != *=* ]]; then
          compgen -W "$known" -- "$current"
        else
          "${words[0]/#\\~\\//$HOME/}" __complete --bash "$COMP_WORDBREAKS" -- "${words[@]:1}" 2>/dev/null
        fi
      )
    }

    complete -F _storescope storescope

    """
  }

  private func optionCase(_ command: Command) -> String {
    "      \(command.name)) known='\(command.allOptions.map { "--" + $0.name }.joined(separator: " "))' ;;"
  }

  /// Behind an option with choices they are all there is.
  private func choiceCases(_ command: Command) -> [String] {
    command.allOptions.filter { $0.value != nil }.map { option in
      var patterns = ["'\(command.name) --\(option.name)'"]
      if let short = option.short { patterns.append("'\(command.name) -\(short)'") }
      return "      \(patterns.joined(separator: "|"))) known='\(option.choices.joined(separator: " "))' ;;"
    }
  }
}

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

/// The script for fish: https://fishshell.com/docs/current/cmds/complete.html
struct FishCompletion {
  let commands: [Command]

  var text: String {
    """
    # Completion of storescope for fish; made by `storescope completions fish`.

    # Words that only storescope can list: it gets the line up to the cursor.
    function __storescope_ask
      set -l words (string escape -- (commandline -opc)) (commandline -ct)
      command storescope __complete --quoted -- $words[2..-1] 2>/dev/null
    end

    # The same for an option's value: only the part after '=' of a word such as --author=app.
    function __storescope_ask_value
      __storescope_ask | string replace -r -- '^--[a-z-]+=' ''
    end

    function __storescope_is_first
      test (count (commandline -opc)) -eq 1
    end

    function __storescope_has_command
      set -l words (commandline -opc)
      test (count $words) -gt 1; and contains -- $words[2] $argv
    end

    complete -c storescope -f
    complete -c storescope -n __storescope_is_first -F
    complete -c storescope -n 'not __storescope_is_first' -a '(__storescope_ask)'
    complete -c storescope -n '__storescope_has_command help' -a \(quoted(commands.map(\.name).joined(separator: " ")))
    \(commands.map(command).joined(separator: "\n"))

    """
  }

  private func command(_ command: Command) -> String {
    let first =
      "complete -c storescope -n __storescope_is_first -a \(command.name) -d \(quoted(command.summary))"
    let options = command.allOptions.map { option in
      var line = "complete -c storescope -n '__storescope_has_command \(command.name)' -l \(option.name)"
      if let short = option.short { line += " -s \(short)" }
      if option.value != nil {
        line += takesFile(option) ? " -r -F" : " -x"
        if !option.choices.isEmpty {
          line += " -a \(quoted(option.choices.joined(separator: " ")))"
        } else if !takesFile(option) {
          line += " -a '(__storescope_ask_value)'"
        }
      }
      return line + " -d \(quoted(option.help))"
    }
    return ([first] + options).joined(separator: "\n")
  }

  private func takesFile(_ option: OptionDefinition) -> Bool {
    switch option.kind {
    case .store, .file, .folder: true
    default: false
    }
  }

  private func quoted(_ text: String) -> String {
    "'" + ShellQuotes.escaping(text) { $0 == "'" || $0 == "\\" ? "\\\($0)" : nil } + "'"
  }
}
