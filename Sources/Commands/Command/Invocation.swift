import Base
import Evidence
import Rendering

/// One call of a command: the words typed, and what it may use.
package struct Invocation {
  package let arguments: ParsedArguments
  let password: BackupPassword
  /// Nil for commands that take no store.
  package let session: Session?
  /// More than one store that the command was given, by their paths; empty if there is a session.
  var stores: [String] = []
  /// Of a command that also compares models without a store.
  var modelInsteadOfStore: String?
  let makeSession: (String) throws -> Session
  /// Whether a command may answer with a shell: a person is there.
  var opensShell = false
  /// Whether the result appears on a screen.
  var isOnTerminal = false
  /// What holds where the options are silent.
  var defaults = Defaults()
  /// The store that a shell has open; nil outside of one.
  var openPath: String?
  /// Whether a person typed it in the shell, where commands take no store.
  var isInShell = false
  var isVerbose = false
  /// What an assistant sees; nil if a person or a script asks.
  var assistant: AssistantView?
  /// Gives an object the next number on a shell's screen; nil where objects have none.
  var number: ((String) -> Int?)?
  /// How people see dates.
  let dates: DateText
  package let progress: Progress
  /// With the commands that its sentences quote as they are typed here.
  var worded: (Document) -> Document = { $0 }
  /// Says something on stderr that isn't the result.
  package var note: (String) -> Void = { _ in }

  /// The store that the command was given.
  package func store() throws -> Session {
    guard let session else { throw StoreScopeError(.invalid, "This command needs a store") }
    return session
  }

  /// Reads one of `stores`, from opening to closing it.
  func read<R>(_ path: String, _ body: (Session) throws -> R) throws -> R {
    try SecondLook.read({ try makeSession(path) }) { session in
      let result = try body(session)
      // Warnings have the path already.
      try (isVerbose ? session.notes().map { "\(path): \($0)" } : session.warnings).forEach(note)
      try session.finish()
      return result
    }
  }

  /// The positional argument at that place, counted without the store.
  package func argument(_ index: Int) -> String? {
    arguments.positionals.indices.contains(index) ? arguments.positionals[index] : nil
  }

  /// What `--limit` says.
  package func limit() throws(UsageError) -> Int? { try arguments.number(.limit) }

  /// How many seconds `--timeout` gives to the user's SQL; nil for no limit.
  package func timeout() throws(UsageError) -> Int? {
    let seconds = try arguments.number(.timeout) ?? defaults.timeout
    return seconds == 0 ? nil : seconds
  }

  /// A moment, as `--before` takes: the beginning of a day. What is before it is deleted, so its year isn't guessed.
  func date(_ option: OptionName) throws -> CoreDataDate? {
    let typed = DateParser(printsLocal: dates.isLocal)
    return try arguments[option].map { word in
      guard !typed.lacksYear(word) else {
        let meant =
          typed.parse(word).map { "; write '\(DateText().minute($0))' (UTC) if that is meant" } ?? ""
        throw UsageError.conflict("'--\(option.rawValue) \(word)' has no year\(meant).")
      }
      return try moment(option, word, typed.parse)
    }
  }

  /// What `--at`, or `--since` and `--until` give: a day as the end includes that day.
  func period() throws -> DateRange {
    let typed = DateParser(printsLocal: dates.isLocal)
    if let word = arguments[.at] {
      if let other = [OptionName.since, .until].first(where: arguments.has) {
        throw UsageError.conflict(
          "'--at' and '--\(other.rawValue)' can't be combined: '--at' is a whole day or minute.")
      }
      return DateRange(
        since: try moment(.at, word, typed.parse), until: try moment(.at, word, typed.last))
    }
    let since = try arguments[.since].map { try moment(.since, $0, typed.parse) }
    let until = try arguments[.until].map { try moment(.until, $0, typed.last) }
    if let since, let until, until < since {
      throw UsageError.conflict(
        "'--since \(arguments[.since] ?? "")' is later than '--until \(arguments[.until] ?? "")', so nothing lies between them; give the earlier one to '--since'."
      )
    }
    return DateRange(since: since, until: until)
  }

  private func moment(
    _ option: OptionName, _ word: String, _ parse: (String) -> CoreDataDate?
  ) throws(UsageError) -> CoreDataDate {
    guard let date = parse(word) else {
      throw .conflict("'--\(option.rawValue)' takes \(DateParser.examples), not '\(word)'.")
    }
    return date
  }
}

extension Invocation {
  /// The marks that `--salt` asks for; nil without it. An unset variable of a script must not make marks that anybody
  /// can make too.
  func saltedMarks() throws(UsageError) -> Marks? {
    guard let salt = arguments[.salt] else { return nil }
    guard !salt.isEmpty else {
      throw .conflict(
        "'--salt' is empty, so anybody could compute the same placeholders; use a text that others don't know."
      )
    }
    return Marks(saltText: salt)
  }
}
