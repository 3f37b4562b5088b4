import QueryCatalog
import Rendering
import Values

/// What helps with an option that a command doesn't have: its own by another tool's name, its nearest one, or the command
/// that has it.
struct OptionHint {
  private let word: String
  private let command: Command

  /// The words sorted, or an error with the hint.
  static func parse(_ words: [String], for command: Command) throws(UsageError) -> ParsedArguments {
    // '-name' would be a '-n' with a value.
    if command.name == Command.find.name, let word = words.first(where: selecting.contains) {
      throw .unknownOption(
        word, command: command.name, known: [],
        hint: "It searches whole folders, and recognizes stores by their bytes; leave it out.")
    }
    do { return try ArgumentParser.parse(words, options: command.allOptions, command: command.name) } catch {
      guard case .unknownOption(let word, _, let known, _) = error else { throw error }
      if let meant = namingFolder(word, words, command) { return try parse(meant, for: command) }
      throw .unknownOption(
        word, command: command.name, known: known,
        hint: appHint(word, words, command) ?? copyHint(word, words, command)
          ?? fileHint(word, words, command) ?? redirectionHint(word, words, command)
          ?? OptionHint(word: word, command: command).hint)
    }
  }

  /// How the system's own 'find', which has one dash, and 'ls' search deeper or select files.
  private static let selecting: Set = [
    "-name", "-iname", "-path", "-ipath", "-type", "-maxdepth", "-regex", "-size", "-mtime", "-newer",
    "-print", "-print0", "-exec", "-r", "-R", "-L", "--recursive",
  ]

  /// Which app's store is meant, only `find` looks up.
  private static func appHint(_ word: String, _ words: [String], _ command: Command) -> String? {
    guard word == "--app", !command.allOptions.contains(where: { $0.option == .app }) else { return nil }
    let index = words.firstIndex(of: word)
    let name = index.flatMap { words.dropFirst($0 + 1).first } ?? "NAME"
    let place = words.prefix(index ?? 0).first { !$0.hasPrefix("-") } ?? "PATH"
    return
      "'storescope find \(ShellQuotes.readable(place)) --app \(ShellQuotes.readable(name))' lists the stores of an app; pass one of them here."
  }

  /// How other tools call the place of what they copy.
  private static let copying: Set = [
    "-o", "-d", "-C", "--output", "--out", "--extract", "--extract-to", "--copy", "--to", "--dest",
    "--destination", "--unpack", "--save", "--output-dir",
  ]

  /// The words with `--to` for what other tools call it, where it can mean nothing else; nil for other options.
  private static func namingFolder(_ word: String, _ words: [String], _ command: Command) -> [String]? {
    guard copying.contains(word), word.hasPrefix("--"),
      command.options.contains(where: { $0.option == .to && $0.kind == .folder })
    else { return nil }
    return renaming(word, to: .to, in: words)
  }

  private static func renaming(_ word: String, to option: OptionName, in words: [String]) -> [String] {
    let name = "--\(option.rawValue)"
    return words.flatMap { typed in
      typed == word ? [name] : PathText.rest(of: typed, behind: word + "=").map { [name, $0] } ?? [typed]
    }
  }

  private static func copyHint(_ word: String, _ words: [String], _ command: Command) -> String? {
    guard command.name == Command.find.name, copying.contains(word) else { return nil }
    let meant = renaming(word, to: .copyTo, in: words)
    let folder = words.last == word ? " FOLDER" : ""
    return
      "Did you mean 'storescope find \(meant.map(ShellQuotes.readable).joined(separator: " "))\(folder)'?"
  }

  /// The command with `-o`, of one that writes a file.
  private static func fileHint(_ word: String, _ words: [String], _ command: Command) -> String? {
    guard copying.contains(word), command.name != Command.fleet.name,
      let output = command.options.first(where: { $0.option == .output && $0.kind == .file })
    else { return nil }
    let name = "--\(OptionName.output.rawValue)"
    let meant = renaming(word, to: .output, in: words).map { $0 == name ? "-o" : ShellQuotes.readable($0) }
    let value = words.last == word ? " \(output.value ?? "FILE")" : ""
    return "Did you mean 'storescope \(command.name) \(meant.joined(separator: " "))\(value)'?"
  }

  /// The command with `> FILE`, of one that prints what is wanted in a file: `rows STORE Person -o people.csv`.
  private static func redirectionHint(_ word: String, _ words: [String], _ command: Command) -> String? {
    guard ["-o", "--output", "--out"].contains(word), let place = words.firstIndex(of: word),
      let file = words.dropFirst(place + 1).first, let dot = file.lastIndex(of: ".")
    else { return nil }
    let ending = String(file[file.index(after: dot)...])
    guard
      let format = Format.allCases.first(where: {
        $0.rawValue == ending || formats[$0]?.contains(ending) == true
      }), command.formats.contains(format)
    else { return nil }
    let others = words[..<place] + words[(place + 2)...]
    let line = ["storescope", command.name] + others.map(ShellQuotes.readable)
    return
      "Did you mean '\(line.joined(separator: " ")) --format \(format.rawValue) > \(ShellQuotes.readable(file))'?"
  }

  /// What other tools call them, without the dashes.
  private static let names: [(option: OptionName, words: Set<String>)] = [
    (.where, ["filter", "condition", "predicate", "if", "having"]),
    (.sort, ["order", "order-by", "orderby", "sort-by", "sortby"]),
    (.columns, ["fields", "select", "column", "cols", "properties"]),
    (.limit, ["max", "top", "head", "count", "max-count", "rows", "first"]),
    (.offset, ["skip", "from-row"]),
    (.reverse, ["desc", "descending", "asc", "tac", "newest-first", "oldest-first"]),
    (.since, ["from", "after", "start", "begin", "newer-than"]),
    (.until, ["end", "before", "older-than"]),
    (.change, ["type", "op", "operation", "action", "event"]), (.kind, ["type"]),
    (.author, ["user", "by-author"]), (.entity, ["type", "table", "of", "in"]),
    (.object, ["id", "pk", "uri", "record"]), (.caseSensitive, ["cs", "match-case", "no-ignore-case"]),
    (.param, ["parameter", "var", "arg", "bind"]), (.verbose, ["debug"]), (.quiet, ["silent"]),
    (.local, ["timezone", "tz", "local-time"]), (.help, ["usage"]), (.output, ["out", "o"]),
    (.show, ["sql", "print"]), (.cloudKit, ["assume-cloudkit", "icloud"]),
    (.assumeCloudKit, ["cloudkit", "icloud"]), (.model, ["diff", "mom", "momd"]),
    (.diff, ["compare", "against", "to"]),
    (.format, ["output", "output-format", "o"]),
    (.rehearse, ["dry-run", "dryrun", "simulate"]),
    (.confirm, ["yes", "y", "assume-yes"]),
    (.transaction, ["tx", "txn", "commit"]), (.by, ["group", "group-by", "groupby", "per"]),
  ]
  /// What is an option with a value here.
  private static let meanings: [(words: Set<String>, option: OptionName, meaning: String)] = [
    (["day", "date", "on"], .at, "Did you mean '--at'?"),
    (["today"], .since, "Did you mean '--since today'?"),
    (["yesterday"], .at, "Did you mean '--at yesterday'?"),
    (["week", "last-week"], .since, "Did you mean '--since 7d'?"),
    (["delete", "deletes", "deleted", "deletions", "removed"], .change, "Did you mean '--change delete'?"),
    (
      ["insert", "inserts", "inserted", "added", "new", "created"], .change, "Did you mean '--change insert'?"
    ),
    (["update", "updates", "updated", "changed", "modified"], .change, "Did you mean '--change update'?"),
    (["authors"], .by, "Did you mean '--by author'?"), (["days"], .by, "Did you mean '--by day'?"),
    (["last", "tail", "latest"], .limit, "'-n 20' prints 20; tables list the newest first."),
    (["stats", "summary", "stat"], .by, "Did you mean '--by author'?"),
  ]
  private static let count = "SELECT COUNT(*) FROM ENTITY WHERE …"
  private static let countsRows =
    "The last line of a table counts the rows; 'storescope query STORE \"\(count)\"' prints the number alone."
  private static let formats: [Format: Set<String>] = [
    .vertical: ["vertical", "expanded", "x", "G", "line", "list"],
    .ndjson: ["ndjson", "jsonl", "json-lines"],
    .csv: ["csv"], .markdown: ["markdown", "md"], .table: ["table", "box", "column"], .html: ["html"],
    .sarif: ["sarif"], .junit: ["junit", "xml"],
  ]
  /// Commands with the view that has the same rows, which SQL can filter and sort.
  private static let views = [
    Command.records.name: "records", Command.pending.name: "pending", Command.events.name: "events",
    Command.history.name: "changes", Command.mirror.name: "zones", Command.entities.name: "properties",
  ]

  /// A sentence; nil to leave it to the nearest of its own.
  private var hint: String? {
    let name = String(word.drop { $0 == "-" })
    let own = Set(command.allOptions.map(\.option))
    let meant = Self.names.filter { $0.words.contains(name) }.map(\.option)
    if let same = Self.meanings.first(where: { $0.words.contains(name) && own.contains($0.option) }),
      command.name == Command.history.name || same.option == .since
    {
      return same.meaning
    }
    if ["i", "ignore-case", "nocase"].contains(name), command.name == Command.search.name {
      return "'search' ignores case anyway; leave it out."
    }
    if command.name == Command.query.name {
      if ["o", "output", "out"].contains(name) { return "'> FILE' behind the command writes a file." }
      if QueryCatalog.all.contains(where: { $0.parameters.contains { $0.name == name } }) {
        return "A query's parameters are passed with --param: --param \(name)=VALUE."
      }
    }
    if name == "count", command.name == Command.rows.name { return Self.countsRows }
    if let option = meant.first(where: own.contains) { return "Did you mean '--\(option.rawValue)'?" }
    if let format = Format.allCases.first(where: { Self.formats[$0]?.contains(name) ?? false }),
      command.formats.contains(format)
    {
      return "Did you mean '--format \(format.rawValue)'?"
    }
    guard word.hasPrefix("--"), Suggestion.nearest(to: word, in: own.map { "--" + $0.rawValue }) == nil else {
      return nil
    }
    return OptionName(rawValue: name).flatMap(elsewhere)
      ?? meant.sorted { $0 == .kind && $1 != .kind }.lazy.compactMap(elsewhere).first
      ?? nearest(to: name).flatMap(elsewhere)
  }

  private func nearest(to name: String) -> OptionName? {
    Suggestion.nearest(to: name, in: OptionName.allCases.map(\.rawValue)).flatMap(OptionName.init)
  }

  private func elsewhere(_ option: OptionName) -> String? {
    if [.where, .sort, .kind].contains(option) {
      if command.name == Command.query.name {
        return "In SQL it's a part of the statement: \(option == .sort ? "ORDER BY" : "WHERE") …"
      }
      if command.name == Command.entities.name, option == .where {
        return
          "'storescope query STORE \"\(Self.count)\"' counts objects, 'storescope rows STORE ENTITY --where …' lists them."
      }
      if let view = Self.views[command.name] {
        let sql = "SELECT * FROM \(view) \(option == .sort ? "ORDER BY" : "WHERE") …"
        return "SQL has the same rows: 'storescope query STORE \"\(sql)\"'."
      }
    }
    let owners = CommandTable.all.filter { $0.options.contains { $0.option == option } }.map {
      "'\($0.name)'"
    }
    guard let last = owners.last, owners.count <= 5 else { return nil }
    let list = owners.count > 1 ? owners.dropLast().joined(separator: ", ") + " and " + last : last
    return "\(list) \(owners.count > 1 ? "have" : "has") '--\(option.rawValue)'."
  }
}
