import Values

/// What people of other tools type, and what it is called here: one list for the shell and for the command line. What is
/// a command's name, or a word of the shell, is never looked up here.
package struct Synonym: Sendable {
  package enum Meaning: Sendable, Equatable {
    /// A command or a word of the shell, and what follows it if nothing was typed behind it.
    case command(String, whenAlone: [String] = [])
    /// There is no such thing here: a sentence that says what to type instead.
    case answer(String)
  }

  /// In the shell they may have a dot before them. Those of psql have their backslash.
  package let words: [String]
  let meaning: Meaning
  /// Whether it means this in the shell only.
  let isOfShell: Bool

  private init(_ words: String, _ meaning: Meaning, inShell isOfShell: Bool = false) {
    self.words = words.split(separator: " ").map(String.init)
    self.meaning = meaning
    self.isOfShell = isOfShell
  }

  package static let all: [Synonym] = [
    // Looking
    Synonym("tables ls list count counts dt \\dt \\d+", .command("entities")),
    Synonym("\\d describe desc schema fullschema entity", .command("entities")),
    Synonym("info status stat stats databases dbinfo \\l \\l+ \\conninfo", .command("summary")),
    Synonym("get cat view inspect object", .command("show")),
    Synonym("sql exec execute", .command("query")),
    Synonym("log changes commits blame", .command("history")),
    Synonym("check lint fsck verify diagnose health", .command("doctor")),
    Synonym("queue sync uploads", .command("pending")),
    Synonym("zones", .command("mirror")),
    Synonym("errors runs", .command("events")),
    Synonym("why error code", .command("explain")),
    Synonym("compare", .command("diff")),
    Synonym("anonymize sanitize", .command("redact")),
    Synonym("fix", .command("repair")),
    Synonym("undo rollback", .command("restore")),
    Synonym(
      "dump save clone", .answer("'storescope export STORE --to FOLDER' writes everything into files.")),
    Synonym(
      "backup",
      .answer(
        "Operations make their own backups. To copy a store, copy its -wal and -shm with it, or use 'storescope export'."
      )),
    Synonym(
      "insert update delete",
      .answer(
        "Stores are only read, except by 'resync', 'repair', 'reset' and 'restore', which show a plan first.")
    ),
    // Moving about
    Synonym("open use connect repl console", .command("shell")),
    Synonym("use connect cd attach \\c \\connect", .command("open"), inShell: true),
    Synonym("q x bye logout :q :q! \\q", .command("quit"), inShell: true),
    Synonym("h commands --help -h \\? \\h", .command("help"), inShell: true),
    Synonym("\\dv \\df \\do functions", .command("help", whenAlone: ["sql"]), inShell: true),
    Synonym("views", .command("help", whenAlone: ["views"])),
    Synonym("up return ..", .command("back"), inShell: true),
    Synonym("n", .command("next"), inShell: true),
    Synonym("p prev", .command("previous"), inShell: true),
    Synonym("cls \\!clear", .command("clear"), inShell: true),
    // Settings
    Synonym("set config options show-settings \\set \\pset", .command("settings"), inShell: true),
    Synonym("mode \\a", .command("format"), inShell: true),
    Synonym("timer \\timing", .command("timing", whenAlone: ["toggle"]), inShell: true),
    Synonym("expanded \\x", .command("vertical", whenAlone: ["toggle"]), inShell: true),
    Synonym(
      "headers header \\t",
      .answer("Tables always have headers. 'format csv' and 'format ndjson' are made for other programs."),
      inShell: true),
    Synonym(
      "width separator nullvalue colseparator",
      .answer(
        "Columns follow the terminal's width. 'vertical on' prints one block per row, 'format' sets other formats."
      ),
      inShell: true),
    Synonym("eqp", .answer("EXPLAIN QUERY PLAN SELECT …; shows how SQLite runs a query."), inShell: true),
    // Input and output
    Synonym("source run \\i \\ir", .command("read"), inShell: true),
    Synonym("\\o tee", .command("output"), inShell: true),
    Synonym("\\e vi vim ed emacs nano editor", .command("edit"), inShell: true),
    Synonym("\\s hist", .command("typed"), inShell: true),
    Synonym("\\watch", .command("watch"), inShell: true),
    Synonym("watch", .answer("'watch' is a shell command: storescope shell STORE -c 'watch pending'")),
    Synonym(
      "! \\! system sh bash",
      .answer(
        "Programs can't be started from here. To send a result to a program, use a pipe: rows Person | grep Ada"
      ),
      inShell: true),
    Synonym(
      "\\g \\gx", .answer("End a statement with ';' to run it, or with '\\G' for one block per row."),
      inShell: true),
  ]

  /// What a word means that is neither a command nor, in the shell, one of its own words.
  package static func meaning(of word: String, in place: Completer.Place) -> Meaning? {
    let plain = place == .shell && word.hasPrefix(".") && word != ".." ? String(word.dropFirst()) : word
    // SQLite's two that mean something else than the plain words.
    if place == .shell, word == ".history" { return .command("typed") }
    if place == .shell, word == ".show" { return .command("settings") }
    let fitting = all.filter { $0.words.contains(plain) && (place == .shell || !$0.isOfShell) }
    // In the shell its own meaning comes first.
    return (fitting.first(where: \.isOfShell) ?? fitting.first)?.meaning
  }

  /// `show tables` and its like, as MySQL has them; nil for other words.
  package static func listing(_ words: [String]) -> [String]? {
    guard words.first?.lowercased() == Command.show.name, words.count > 1 else { return nil }
    switch words[1].lowercased() {
    case "tables" where words.count == 2: return [Command.entities.name]
    case "databases" where words.count == 2: return [Command.summary.name]
    case "columns" where words.count == 4 && ["from", "in"].contains(words[2].lowercased()):
      return [Command.entities.name, words[3]]
    default: return nil
    }
  }

  /// All words that mean something there, for suggestions.
  package static func words(in place: Completer.Place) -> [String] {
    all.filter { place == .shell || !$0.isOfShell }.flatMap(\.words).filter { $0.count > 2 }
  }
}

extension Synonym.Meaning {
  /// The words that are meant, and a hint about that.
  /// - Parameters:
  ///   - word: what was typed for it.
  ///   - rest: what was typed behind it; in a program's words without the store.
  /// - Throws: the answer, if there is nothing like it.
  package func words(
    for word: String, before rest: [String]
  ) throws(UsageError) -> (name: String, extra: [String], hint: String) {
    switch self {
    case .answer(let sentence): throw .conflict(sentence)
    case .command(let name, let whenAlone):
      let extra = rest.isEmpty ? whenAlone : []
      return (name, extra, "\(word) is '\(([name] + extra).joined(separator: " "))' here")
    }
  }
}
