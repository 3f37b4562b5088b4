import Commands
import Rendering
import SystemCalls
import Values

/// A line of a terminal or of a page, pasted with its `storescope`, as what it means in the shell:
/// `$ storescope pending App.store --all` is `pending --all` if that store is the open one.
struct PastedLine {
  private(set) var line = ""
  /// Where the line's end sends the result.
  private(set) var target: Redirection?

  private let openStore: String

  /// Nil for a line without `storescope` or the open store in front.
  /// - Throws: `UsageError` if another store is named, with how to open it.
  init?(_ line: String, in environment: CommandEnvironment) throws {
    openStore = environment.storePath ?? ""
    if let piped = try Self.piped(line) {
      // Its store has to be the open one, and what else it does with its input isn't known here.
      let reader = try PastedLine(piped.reader, in: environment)
      let runsInput = [Command.summary.name, Command.query.name, Command.shell.name]
      guard let reader, runsInput.contains(reader.line) else {
        throw UsageError.conflict("This line needs your system's shell: run it in another terminal.")
      }
      (self.line, target) = (piped.line, reader.target)
      return
    }
    let expression = /(?:[$%]\s+)?storescope(?:\s+(.*))?/.dotMatchesNewlines()
    let first = line.prefix { !$0.isWhitespace }
    let typed: Substring
    if let match = line.wholeMatch(of: expression) {
      typed = match.1 ?? ""
    } else if first.contains(where: { "./".contains($0) }), let file = FileIdentity(following: String(first)),
      file == FileIdentity(following: openStore)
    {
      typed = line[...]
    } else {
      return nil
    }
    let (command, target) = try Redirection.split(String(typed))
    self.target = target
    let words = try words(WordSplitter.split(command))
    // SQL, or a command with its words in one.
    let isWhole = words.count == 1 && words[0].contains(where: \.isWhitespace)
    self.line = isWhole ? words[0] : words.map(ShellQuotes.word).joined(separator: " ")
  }

  /// What another program sends to `storescope` there: `echo 'pending' | storescope App.store`, `cat q.sql | storescope …`.
  private static func piped(_ line: String) throws -> (line: String, reader: String)? {
    let pipe = /(?:[$%]\s+)?(echo|printf|cat)\s+(.+?)\s*\|\s*(storescope(?:\s.*)?)/.dotMatchesNewlines()
    guard let match = line.wholeMatch(of: pipe) else { return nil }
    let words = try WordSplitter.split(String(match.2))
    let meant = match.1 == "cat" ? [Builtin.read.name] + words.map(ShellQuotes.word) : words
    return (meant.joined(separator: " "), String(match.3))
  }

  private func words(_ typed: [String]) throws(UsageError) -> [String] {
    guard let first = typed.first else { return [Builtin.help.name] }
    if ["--help", "-h"].contains(first) { return [Builtin.help.name] + typed.dropFirst() }
    if ["--version", "-V"].contains(first) { return [Builtin.version.name] }
    guard let command = CommandTable.command(named: first) else {
      // A word of another tool, or one that was mistyped: the shell knows what it says of it.
      guard try isOpenStore(first) else {
        var words = typed
        for word in typed.dropFirst() where try isOpenStore(word) {
          if let place = words.dropFirst().firstIndex(of: word) { words.remove(at: place) }
        }
        return words
      }
      let rest = Array(typed.dropFirst())
      // `storescope STORE COMMAND …`, or what the summary has for options.
      return rest.first.map { $0.hasPrefix("-") } ?? true ? [Command.summary.name] + rest : rest
    }
    guard command.store == .required else { return typed }
    let known = try? ArgumentParser.parse(
      typed.dropFirst(), options: command.allOptions, command: command.name)
    guard
      let stores = known.map({ command.takesSeveralStores ? $0.positionals[...] : $0.positionals.prefix(1) })
    else { return typed }
    var words = typed
    for store in stores where try isOpenStore(store) {
      // The first one is the store, also if an object is called so.
      if let place = words.dropFirst().firstIndex(of: store) { words.remove(at: place) }
    }
    return words
  }

  /// Whether a word names the open store, or stands for any as pages have it. Commands of the shell have none, so it may
  /// be another thing than a store.
  private func isOpenStore(_ word: String) throws(UsageError) -> Bool {
    if CommandWording.standIns.contains(Substring(word)) || word == openStore { return true }
    let path = StoreSource.file(of: word)
    if let file = FileIdentity(following: path) {
      if file == FileIdentity(following: openStore) { return true }
    } else {
      // Pasted where the store is, and run elsewhere.
      if word == Platform.fileName(openStore) { return true }
      if !StoreSource.isCalledLikeOne(word) { return false }
    }
    throw .conflict(
      "'\(openStore)' is open here, and '\(word)' is another store. 'open \(ShellQuotes.word(word))' opens that one."
    )
  }
}
