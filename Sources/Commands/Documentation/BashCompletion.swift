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
