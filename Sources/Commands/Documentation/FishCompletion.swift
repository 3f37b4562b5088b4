import Values

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
