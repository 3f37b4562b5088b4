import Rendering
import Values

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
