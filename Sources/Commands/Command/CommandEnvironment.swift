import Base
package import Evidence
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

  /// What the options of the command that opened the shell mean for those typed there.
  init(
    of request: ShellRequest, _ arguments: ParsedArguments, _ defaults: Defaults, _ keyring: BackupKeyring
  ) {
    (storePath, source) = (request.storePath, request.source)
    self.keyring = keyring
    modelPath = arguments.options[.model]?.last
    asOfCommit = arguments.options[.asOfCommit]?.last.flatMap { Int($0) }
    self.defaults = defaults
    if arguments.has(.json) { self.defaults.format = .json }
    if let format: Format = arguments.choice(.format) { self.defaults.format = format }
    if let limit = arguments[.limit].flatMap({ Int($0) }) { self.defaults.limit = limit }
    if arguments.has(.local) { self.defaults.isLocal = true }
    if let color = arguments.color { self.defaults.color = color }
    if arguments.has(.noPager) { self.defaults.pages = false }
    isQuiet = arguments.has(.quiet)
    isVerbose = arguments.has(.verbose)
  }

  /// The open store, where it can be reached.
  package var openSource: StoreSource? { source ?? storePath.map(StoreSource.init(at:)) }

  /// Another store, as it is named with the options for passwords.
  package func store(named name: String, _ arguments: ParsedArguments) throws -> StoreSource {
    try StoreSource(name, password: BackupPassword(arguments, keyring))
  }

  /// Whether colors are welcome where standard output is.
  package var hasColor: Bool { Terminal(color: defaults.color).hasColor }
}

/// What the shell is asked for when it opens.
package struct ShellRequest {
  package var storePath: String
  /// The store, found and taken out of its container if need be; nil if the path leads to it.
  package var source: StoreSource?
  /// What `-c` and `-f` gave, in that order; empty where lines are read from standard input.
  package var scripts: [Script] = []
  /// Whether nobody asked for standard input to be read: without anything in it, the store's summary is printed.
  package var mayBeWithoutInput = false
  /// Whether nothing that is typed is kept.
  package var isPrivate = false
  /// What holds for the commands that run in it.
  package var environment = CommandEnvironment()

  package enum Script: Sendable, Equatable {
    case command(String)
    case file(String)
    /// SQL only, and where it comes from.
    case statements(String, from: String)
  }

  /// How places call standard input.
  package static let standardInput = "stdin"
}

extension BackupPassword {
  private static let longest = 1 << 12

  /// As the options say: from a file, or asked for on the terminal. It isn't an option's value: everybody can read command
  /// lines.
  convenience init(_ arguments: ParsedArguments, _ keyring: BackupKeyring) {
    self.init(keyring) {
      if let path = arguments[.passwordFile] {
        return try Secret(firstLineOf: path, longest: Self.longest)
      }
      guard arguments.has(.password) else { return nil }
      if !Interruption.isWatched { Interruption.watch() }
      guard let typed = try Platform.readPassword(prompt: "Password of the backup: ", longest: Self.longest)
      else {
        throw StoreScopeError(
          .lacking, "There is no terminal to ask for the password", advice: "use --password-file FILE")
      }
      return typed
    }
  }
}

extension ParsedArguments {
  /// What the options say of colors; the last one wins, but `--no-color` is the plainer word.
  var color: Terminal.Color? {
    options[.noColor] != nil ? .never : options[.color]?.last.flatMap(Terminal.Color.init(rawValue:))
  }
}
