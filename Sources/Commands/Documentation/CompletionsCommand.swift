import Base
import Rendering

extension Command {
  static let completions = Command(
    "completions", summary: "print a completion script for bash, zsh or fish", store: .none,
    arguments: [
      .init(
        "SHELL", kind: .choice, choices: CompletionScript.allCases.map(\.rawValue),
        help: "bash, zsh or fish")
    ],
    printsRows: false,
    discussion: """
      The scripts complete commands, options and their choices on their own. For entities, authors, queries and the
      like they run storescope, which reads the store on the command line and changes nothing in it.

      Examples:
        storescope completions bash > ~/.local/share/bash-completion/completions/storescope
        storescope completions zsh > ~/.zfunc/_storescope
        storescope completions fish > ~/.config/fish/completions/storescope.fish
      """,
    formats: Command.textFormats,
    documents: [DocumentForm(store: .never, scriptFields.keys())]
  ) { invocation in
    let script = invocation.argument(0).flatMap(CompletionScript.init(rawValue:)) ?? .bash
    // The script speaks of this command too, so it can't be taken from the table while that is made.
    let text = script.text(for: CommandTable.all)
    return Outcome(
      Document(
        command: "completions", scriptFields, of: (script, text),
        blocks: [.verbatim(text)]))
  }
}

private let scriptFields: [Field<(shell: CompletionScript, text: String)>] = [
  Field("shell", "the shell") { $0.shell }, Field("script", "what it reads") { $0.text },
]

/// The shells that words can be completed in.
enum CompletionScript: String, FieldWord {
  case bash, zsh, fish

  func text(for commands: [Command]) -> String {
    switch self {
    case .bash: BashCompletion(commands: commands).text
    case .zsh: ZshCompletion(commands: commands).text
    case .fish: FishCompletion(commands: commands).text
    }
  }
}

/// The script for bash: 3.2, as macOS has it, and all newer ones.
/// https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html
struct BashCompletion {
  let commands: [Command]

  var text: String {
    Template(PackageResources.completion_bash).filled([
      "options": commands.map(optionCase).joined(separator: "\n"),
      "choices": commands.flatMap(choiceCases).joined(separator: "\n"),
    ])
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
    Template(PackageResources.completion_zsh).filled([
      "names": commands.map { "    \(ShellQuotes.single($0.name + ":" + $0.summary))" }.joined(
        separator: "\n"),
      "commands": commands.map(commandCase).joined(separator: "\n"),
    ])
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
    Template(PackageResources.completion_fish).filled([
      "names": quoted(commands.map(\.name).joined(separator: " ")),
      "commands": commands.map(command).joined(separator: "\n"),
    ])
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
