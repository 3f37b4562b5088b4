import Base

/// Where a command is typed.
package enum CommandPlace: Sendable {
  /// Behind `storescope`: commands are followed by a store.
  case program
  /// In the shell: commands take no store, SQL and objects stand for themselves.
  case shell
}

/// What people of other tools type, and what to type here: rows of data, for the command line and for the shell. What is
/// a command's own name, or a word of the shell, is never looked up here.
///
/// A row without a place is for both.
package enum Words {
  /// Words that stand for a command with its options: it runs, and its own name is said. They may have a dot before
  /// them; those of psql have their backslash.
  package static let commands: [(words: String, place: CommandPlace?, line: String)] = [
    ("tables ls list count counts dt \\dt \\d+", nil, "entities"),
    ("\\d describe desc .schema entity columns fields", nil, "entities"),
    ("info status stat stats databases dbinfo \\l", nil, "summary"),
    ("get cat view inspect object", nil, "show"),
    ("grep", nil, "search"), ("locate scan stores", nil, "find"), ("du df", nil, "size"),
    ("sql exec execute", nil, "query"),
    ("log changes commits blame who authors", nil, "history"),
    ("check lint fsck verify diagnose health", nil, "doctor"),
    ("validate", nil, "doctor --validate"),
    ("forecast launch migrate migration", nil, "preflight"),
    ("deleted deletions", nil, "history --change delete"),
    ("queue sync uploads uploaded", nil, "pending"),
    ("zones", nil, "mirror"), ("errors runs", nil, "events"), ("error code", nil, "explain"),
    ("why", nil, "trace"), ("compare", nil, "diff"), ("anonymize sanitize", nil, "redact"),
    ("fix", nil, "repair"), ("undo rollback", nil, "restore"),
    ("open use connect repl console", .program, "shell"),
    ("table", .shell, "rows"), ("pwd \\conninfo", .shell, "settings"),
    ("use connect cd \\c \\connect", .shell, "open"),
    ("q x bye logout :q :q! :wq :x \\q quit() exit()", .shell, "quit"),
    ("h commands -h \\? \\h", .shell, "help"), ("views", .program, "query --views"),
    ("views", .shell, "help views"),
    ("\\dv", .shell, "query --views"), ("\\df functions", .shell, "query --functions"),
    ("up return ..", .shell, "back"), ("n", .shell, "next"), ("p prev", .shell, "previous"),
    ("cls", .shell, "clear"),
    ("set config options \\set \\pset .show", .shell, "settings"), ("mode \\a", .shell, "format"),
    ("timer \\timing", .shell, "timing toggle"), ("expanded \\x", .shell, "vertical toggle"),
    ("source run \\i \\ir \\.", .shell, "read"), ("\\o tee", .shell, "output"),
    ("\\e vi vim ed emacs nano editor", .shell, "edit"), ("\\s hist", .shell, "typed"),
    ("\\watch", .shell, "watch"), ("nopager", .shell, "pager off"),
  ]

  /// Words for what there is in another way, or isn't.
  package static let answers: [(words: String, place: CommandPlace?, answer: String)] = [
    (
      "undelete", nil,
      "No command brings back one object. 'search' finds what history still has of deleted ones, and 'restore' brings back a backup."
    ),
    ("dump save clone", nil, "'storescope export STORE --to FOLDER' writes everything into files."),
    (
      "backup copy cp extract unpack unzip", nil,
      "'storescope find PLACE --copy-to FOLDER' copies stores, each with its -wal and external files. Operations make their own backups."
    ),
    (
      "insert update delete", .program,
      "Stores are only read, except by 'resync', 'repair', 'reset' and 'restore', which show a plan first."
    ),
    ("watch", .program, "'watch' is a shell command: storescope shell STORE -c 'watch pending'"),
    (
      "indexes indices \\di", .shell,
      "'size' shows what indexes use; SELECT name, tbl_name FROM sqlite_master WHERE type = 'index'; lists them."
    ),
    (
      "\\copy import load", .shell,
      "'>' sends a result to a file: rows ENTITY --format csv > FILE. Nothing is read into a store."
    ),
    (
      "\\du \\dn \\dp users roles", .shell,
      "A store has no users, rights or schemas; 'entities' lists what it has."
    ),
    ("having where", .shell, "A condition follows its entity, as in: rows ENTITY --where \"rating > 3\""),
    (
      "first last head tail top", .shell,
      "'rows ENTITY -n 5' prints the first five, and 'rows ENTITY -n 5 --sort -PROPERTY' the last ones."
    ),
    ("recover", .shell, "'doctor' shows what is damaged, and 'restore' brings back a backup."),
    (
      "headers header \\t nullvalue null width separator", .shell,
      "Tables always have headers. 'format csv' and 'format ndjson' are made for other programs, 'vertical on' for wide rows."
    ),
    ("eqp", .shell, "EXPLAIN QUERY PLAN SELECT …; shows how SQLite runs a query."),
    (
      "reload refresh rehash", .shell,
      "Each command reads the store as it is now; there is nothing to reload."
    ),
    ("\\r \\reset", .shell, "Ctrl-C drops a statement that isn't finished."),
    (
      "\\p \\w", .shell,
      "'typed' lists what was typed, 'typed > FILE' writes it to a file, and 'edit' edits the last line."
    ),
    (
      "\\encoding \\H \\f prompt bail echo", .shell,
      "'settings' lists all that can be set, and 'format' sets how results are printed."
    ),
    ("print \\echo", .shell, "SELECT 'text'; prints a text; a line that begins with # is a remark."),
    (
      "! \\! .shell system sh bash", .shell,
      "The shell starts a program only to send a result to it: rows Person | grep Ada"
    ),
    ("\\g \\gx \\G", .shell, "End a statement with ';' to run it, or with '\\G' for one block per row."),
  ]

  /// What other tools call options, without the dashes.
  static let options: [(words: String, option: String)] = [
    ("filter condition predicate if having", "--where"), ("order order-by orderby sort-by sortby", "--sort"),
    ("fields select column cols properties", "--columns"),
    ("max top head count max-count rows first last tail", "--limit"), ("skip", "--offset"),
    ("desc descending asc", "--reverse"), ("from after start begin newer-than", "--since"),
    ("end before older-than", "--until"), ("day date on", "--at"), ("yesterday", "--at yesterday"),
    ("today", "--since today"), ("week", "--since 7d"),
    ("type op operation action event", "--change"), ("deleted deletes", "--change delete"),
    ("inserted inserts new", "--change insert"), ("updated updates changed", "--change update"),
    ("type", "--kind"), ("user", "--author"), ("type table of in", "--entity"),
    ("id pk uri record", "--object"), ("cs match-case", "--case-sensitive"),
    ("parameter var arg bind", "--param"), ("debug", "--verbose"), ("silent", "--quiet"),
    ("timezone tz local-time", "--local"), ("usage", "--help"), ("sql print", "--show"),
    ("assume-cloudkit icloud", "--cloudkit"), ("cloudkit icloud", "--assume-cloudkit"),
    ("diff mom momd", "--model"), ("compare against to", "--diff"),
    ("output out o dest destination copy extract extract-to", "--copy-to"),
    ("output out o dest destination output-dir", "--to"), ("out o to", "--output"),
    ("output output-format o", "--format"), ("dry-run dryrun simulate", "--rehearse"),
    ("yes y assume-yes", "--confirm"), ("tx txn commit", "--transaction"),
    ("group group-by groupby per stats", "--by"), ("authors", "--by author"), ("days", "--by day"),
    ("vertical expanded x G line", "--format vertical"), ("ndjson jsonl", "--format ndjson"),
    ("csv", "--format csv"), ("markdown md", "--format markdown"), ("table box", "--format table"),
    ("html", "--format html"), ("sarif", "--format sarif"), ("junit xml", "--format junit"),
  ]

  /// What other tools call formats and kinds of changes.
  private static let values: [(words: String, value: String)] = [
    ("jsonl jsonlines", "ndjson"), ("md", "markdown"), ("column columns box list aligned", "table"),
    ("line lines", "vertical"), ("remove removed removal", "delete"),
    ("add added create created new", "insert"),
    ("change changed edit modify modified", "update"), ("always", "on"),
  ]

  /// The words of the command that a word stands for; nil for one that stands for none.
  package static func command(for word: String, in place: CommandPlace) -> [String]? {
    row(word, place, commands, \.words, \.place)?.line.split(separator: " ").map(String.init)
  }

  /// What to say of a word for which there is no command.
  package static func answer(to word: String, in place: CommandPlace) -> String? {
    row(word, place, answers, \.words, \.place)?.answer
  }

  /// All words that mean something there, for the nearest one.
  package static func known(in place: CommandPlace) -> [String] {
    let rows = commands.map { ($0.words, $0.place) } + answers.map { ($0.words, $0.place) }
    return rows.filter { ($0.1 ?? place) == place }.flatMap { Self.split($0.0) }.filter { $0.count > 2 }
  }

  private static func row<Row>(
    _ word: String, _ place: CommandPlace, _ rows: [Row], _ words: (Row) -> String,
    _ own: (Row) -> CommandPlace?
  ) -> Row? {
    let fitting = rows.filter { (own($0) ?? place) == place }
    // A row for this place comes before one for both.
    func first(_ word: String) -> Row? {
      let named = fitting.filter { split(words($0)).contains(word) }
      return named.first { own($0) != nil } ?? named.first
    }
    if let row = first(word) { return row }
    // `DESCRIBE`, as SQL's words are often typed; psql's letters mean something else in capitals.
    if !word.hasPrefix("\\"), let row = first(word.lowercased()) { return row }
    return word.hasPrefix(".") && word != ".." ? first(String(word.dropFirst())) : nil
  }

  static func split(_ words: String) -> [String] { words.split(separator: " ").map(String.init) }

  /// What to choose in place of a value that an option doesn't take.
  static func value(_ word: String, among choices: [String]) -> String {
    let other = values.first { split($0.words).contains(word.lowercased()) && choices.contains($0.value) }
    return other.map { Suggestion.question($0.value) } ?? Suggestion.sentence(for: word, in: choices)
  }
}
