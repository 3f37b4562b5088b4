import Diagnostics
import Explanations
import Rendering
import Values

/// What people of other tools type, and what it is called here: one list for the shell and for the command line. What is
/// a command's name, or a word of the shell, is never looked up here.
package struct Synonym: Sendable {
  package enum Meaning: Sendable, Equatable {
    /// A command or a word of the shell, what follows it, and what does if nothing was typed behind it.
    case command(String, always: [String] = [], whenAlone: [String] = [])
    /// A question whose answer depends on what it's about: everything, an object, or an error code or term.
    case why
    /// There is no such thing here: a sentence that says what to type instead. For PLACE and FOLDER in it what was typed
    /// behind the word stands in.
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
    Synonym("\\d describe desc .schema fullschema entity columns fields", .command("entities")),
    Synonym("info status stat stats databases dbinfo \\l \\l+", .command("summary")),
    Synonym("table", .command("rows"), inShell: true),
    Synonym("pwd \\conninfo", .command("settings"), inShell: true),
    Synonym("get cat view inspect object", .command("show")),
    Synonym("grep", .command("search")),
    Synonym("locate scan stores", .command("find")),
    Synonym("du df", .command("size")),
    Synonym("sql exec execute", .command("query")),
    Synonym("log changes commits blame", .command("history")),
    Synonym("check lint fsck verify diagnose health", .command("doctor")),
    Synonym("validate", .command("doctor", always: ["--validate"])),
    Synonym("forecast launch migrate migration", .command("preflight")),
    Synonym("deleted deletions", .command("history", always: ["--change", "delete"])),
    Synonym("who authors", .command("history", whenAlone: ["--by", "author"])),
    Synonym("queue sync uploads uploaded", .command("pending")),
    Synonym("zones", .command("mirror")),
    Synonym("errors runs", .command("events")),
    Synonym("why", .why), Synonym("error code", .command("explain")),
    Synonym("compare", .command("diff")),
    Synonym("anonymize sanitize", .command("redact")),
    Synonym("fix", .command("repair")),
    Synonym("undo rollback", .command("restore")),
    Synonym(
      "undelete",
      .answer(
        "No command brings back one object. 'search' finds what history still has of deleted ones, and 'restore' brings back a backup."
      )),
    Synonym(
      "dump save clone", .answer("'storescope export STORE --to FOLDER' writes everything into files.")),
    Synonym(
      "copy cp extract unpack unzip",
      .answer(
        "'storescope find PLACE --copy-to FOLDER' copies stores, each with its -wal and external files.")
    ),
    Synonym(
      "backup",
      .answer(
        "Operations make their own backups. 'storescope find PLACE --copy-to FOLDER' copies stores, each with its -wal and external files."
      )),
    Synonym(
      "insert update delete",
      .answer(
        "Stores are only read, except by 'resync', 'repair', 'reset' and 'restore', which show a plan first.")
    ),
    Synonym(
      "indexes indices \\di \\di+",
      .answer(
        "'size' shows what indexes use; SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'; lists them."
      ), inShell: true),
    Synonym(
      "\\copy import load excel copy",
      .answer(
        "'>' sends a result to a file: rows ENTITY --format csv > FILE. 'export' writes everything, and nothing is read into a store."
      ), inShell: true),
    Synonym(
      "\\du \\dg \\dn \\dp \\z users roles",
      .answer("A store has no users, rights or schemas; 'entities' lists what it has."), inShell: true),
    Synonym(
      "having where",
      .answer("A condition follows its entity, as in: rows ENTITY --where \"rating > 3\""), inShell: true),
    Synonym(
      "first last head tail top",
      .answer(
        "'rows ENTITY -n 5' prints the first five, and 'rows ENTITY -n 5 --sort -PROPERTY' the last ones."),
      inShell: true),
    Synonym(
      "recover", .answer("'doctor' shows what is damaged, and 'restore' brings back a backup."), inShell: true
    ),
    // Moving about
    Synonym("open use connect repl console", .command("shell")),
    Synonym("use connect cd attach \\c \\connect", .command("open"), inShell: true),
    Synonym("q x bye logout :q :q! :wq :x \\q", .command("quit"), inShell: true),
    Synonym("h commands --help -h \\? \\h", .command("help"), inShell: true),
    Synonym("\\dv \\dv+", .command("query", always: ["--views"]), inShell: true),
    Synonym("\\df \\df+ \\do functions", .command("query", always: ["--functions"]), inShell: true),
    Synonym("views", .command("help", whenAlone: ["views"])),
    Synonym("up return ..", .command("back"), inShell: true),
    Synonym("n", .command("next"), inShell: true),
    Synonym("p prev", .command("previous"), inShell: true),
    Synonym("cls \\!clear", .command("clear"), inShell: true),
    // Settings
    Synonym("set config options show-settings \\set \\pset .show", .command("settings"), inShell: true),
    Synonym("mode \\a outputformat", .command("format"), inShell: true),
    Synonym("timer \\timing", .command("timing", whenAlone: ["toggle"]), inShell: true),
    Synonym("expanded \\x", .command("vertical", whenAlone: ["toggle"]), inShell: true),
    Synonym(
      "headers header \\t tuples_only",
      .answer("Tables always have headers. 'format csv' and 'format ndjson' are made for other programs."),
      inShell: true),
    Synonym(
      "nullvalue null",
      .answer("Tables show a missing value as NULL, json as null, csv as nothing; that can't be changed."),
      inShell: true),
    Synonym(
      "width separator colseparator border linestyle fieldsep",
      .answer(
        "Columns follow the terminal's width. 'vertical on' prints one block per row, 'format' sets other formats."
      ),
      inShell: true),
    Synonym("eqp", .answer("EXPLAIN QUERY PLAN SELECT …; shows how SQLite runs a query."), inShell: true),
    // Input and output
    Synonym("source run \\i \\ir", .command("read"), inShell: true),
    Synonym("\\o tee", .command("output"), inShell: true),
    Synonym("\\e vi vim ed emacs nano editor", .command("edit"), inShell: true),
    Synonym("\\s hist .history", .command("typed"), inShell: true),
    Synonym("\\watch", .command("watch"), inShell: true),
    Synonym("\\.", .command("read"), inShell: true),
    Synonym("nopager", .command("pager", whenAlone: ["off"]), inShell: true),
    Synonym("notee", .command("output", whenAlone: ["-"]), inShell: true),
    Synonym(
      "reload refresh rehash",
      .answer("Each command reads the store as it is now; there is nothing to reload."),
      inShell: true),
    Synonym(
      "\\r \\reset", .answer("Ctrl-C drops a statement that isn't finished."), inShell: true),
    Synonym(
      "\\p \\w",
      .answer(
        "'typed' lists what was typed, 'typed > FILE' writes it to a file, and 'edit' edits the last line."),
      inShell: true),
    Synonym(
      "\\encoding \\H \\C \\f \\unset delimiter prompt bail echo",
      .answer("'settings' lists all that can be set, and 'format' sets how results are printed."),
      inShell: true),
    Synonym(
      "print \\echo \\qecho", .answer("SELECT 'text'; prints a text; a line that begins with # is a remark."),
      inShell: true),
    Synonym("watch", .answer("'watch' is a shell command: storescope shell STORE -c 'watch pending'")),
    Synonym(
      "! \\! .shell system sh bash",
      .answer(
        "The shell starts a program only to send a result to it: rows Person | grep Ada"
      ),
      inShell: true),
    Synonym(
      "\\g \\gx", .answer("End a statement with ';' to run it, or with '\\G' for one block per row."),
      inShell: true),
  ]

  /// What a word means that is neither a command nor, in the shell, one of its own words.
  package static func meaning(of word: String, in place: Completer.Place) -> Meaning? {
    let plain = place == .shell && word.hasPrefix(".") && word != ".." ? String(word.dropFirst()) : word
    let known = isListed(word) ? word : plain
    let fitting = all.filter { $0.words.contains(known) && (place == .shell || !$0.isOfShell) }
    // In the shell its own meaning comes first.
    return (fitting.first(where: \.isOfShell) ?? fitting.first)?.meaning
  }

  /// Whether the word means something as it stands, whatever it means without a dot.
  package static func isListed(_ word: String) -> Bool { all.contains { $0.words.contains(word) } }

  /// `show tables` and its like, as MySQL has them; nil for other words.
  /// - Throws: the answer, if there is nothing like it.
  package static func listing(_ words: [String]) throws(UsageError) -> [String]? {
    guard words.first?.lowercased() == Command.show.name, words.count > 1 else { return nil }
    var rest = words.dropFirst().map { $0.lowercased() }
    if rest.first == "full" || rest.first == "extended" { rest.removeFirst() }
    let isOf = rest.count == 3 && ["from", "in"].contains(rest[1])
    let last = words[words.count - 1]
    switch rest.first {
    case "tables" where rest.count == 1: return [Command.entities.name]
    case "databases" where rest.count == 1, "schemas" where rest.count == 1, "status" where rest.count == 1:
      return [Command.summary.name]
    case "columns" where isOf, "fields" where isOf: return [Command.entities.name, last]
    case "create" where rest.count == 3 && ["table", "view"].contains(rest[1]):
      return [Command.entities.name, last]
    case "index" where isOf, "indexes" where isOf, "keys" where isOf:
      return try meaning(of: "indexes", in: .shell)?.words(for: "indexes", before: []).extra
    default: return nil
    }
  }

  /// All words that mean something there, for suggestions.
  package static func words(in place: Completer.Place) -> [String] {
    all.filter { place == .shell || !$0.isOfShell }.flatMap(\.words).filter { $0.count > 2 }
  }
}

extension Synonym.Meaning {
  /// The command or word whose help is meant; nil if there is none.
  package var helped: String? {
    switch self {
    case .command(let name, _, _): name
    case .why: Command.trace.name
    case .answer: nil
    }
  }

  /// The words that are meant, and a hint about that.
  /// - Parameters:
  ///   - word: what was typed for it.
  ///   - rest: what was typed behind it; in a program's words without the store.
  ///   - operands: the same with the store, without options.
  /// - Throws: the answer, if there is nothing like it.
  package func words(
    for word: String, before rest: [String], operands: [String] = []
  ) throws(UsageError) -> (name: String, extra: [String], hint: String) {
    switch self {
    case .answer(var sentence):
      for (standIn, operand) in zip(["PLACE", "FOLDER"], operands) {
        sentence = sentence.replacing(standIn, with: ShellQuotes.word(operand))
      }
      throw .conflict(sentence)
    case .why:
      let name = Self.answering(rest, operands)
      return (name, [], "\(word) is '\(name)' here")
    case .command(let name, let always, let whenAlone):
      let extra = always + (rest.isEmpty ? whenAlone : [])
      return (name, extra, "\(word) is '\(([name] + extra).joined(separator: " "))' here")
    }
  }

  /// The command that answers `why`.
  private static func answering(_ rest: [String], _ operands: [String]) -> String {
    let subject = operands.joined(separator: " ")
    // In the shell, where no store is among the words, a small number is that of an object on the screen.
    let isNumber = rest.first == operands.first && Int(subject).map { 0..<1000 ~= $0 } ?? false
    let isExplained =
      RuleRegistry.rule(subject) != nil || !ExplanationCatalog.explanations(for: subject).isEmpty
    if !subject.isEmpty, !isNumber, isExplained { return Command.explain.name }
    return (rest.isEmpty ? Command.pending : .trace).name
  }
}
