package import Containers
package import Rendering

/// What a command runs in. Nothing special for a one-shot run; in the shell, the store that is open and what was set.
package struct CommandEnvironment {
  /// The store that commands read without naming it; nil where they name one.
  package var storePath: String?
  /// The same, found and taken out of its container if need be; nil if each command does that.
  package var source: StoreSource?
  package var keyring = BackupKeyring()
  package var modelPath: String?
  package var asOfCommit: Int?
  package var defaults = Defaults()
  /// Takes results in place of standard output.
  package var output: ResultOutput?
  /// How wide the terminal is on which such a result ends up after all; nil if it doesn't.
  package var outputWidth: Int?
  /// Whether sentences stay on one line each, for a reader that compares lines.
  package var keepsLines = false
  /// Where tables number the objects they show.
  package var numbers: ObjectNumbers?
  /// Whether commands may end in a shell, as `demo` does on a terminal.
  package var opensShell = false
  /// Whether a person types the commands of a shell, so that results quote commands as they are typed there.
  package var isConversation = false
  package var isQuiet = false
  /// Takes what is said in addition to the result, instead of standard error.
  var aside: ((String) -> Void)?
  /// What an assistant asks with; nil if a person or a script does.
  var assistant: AssistantView?
  package var isVerbose = false

  package init() {}

  /// The open store, where it can be reached.
  package var openSource: StoreSource? { source ?? storePath.map(StoreSource.init(at:)) }

  /// Another store, as it is named with the options for passwords.
  package func store(named name: String, _ arguments: ParsedArguments) throws -> StoreSource {
    try StoreSource(name, password: BackupPassword(arguments, keyring))
  }

  /// Whether colors are welcome where standard output is.
  package var hasColor: Bool { Terminal(color: defaults.color).hasColor }
}
