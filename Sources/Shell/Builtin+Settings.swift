import Base
import Commands
import Rendering

extension Builtin {
  static let format = setting(
    "format", "[\(Format.common.map(\.rawValue).joined(separator: "|"))]", "set how results are printed")
  static let vertical = setting(
    "vertical", "[on|off|toggle]", "print tables as one block per row")
  static let limit = setting("limit", "[N|none|auto]", "set how many rows are printed; auto is 100 in tables")
  static let timeout = setting("timeout", "[SECONDS|none]", "set how long SQL may take")
  static let timing = setting("timing", "[on|off|toggle]", "print how long each command took")
  static let pager = setting("pager", "[on|off|toggle]", "show tall results in $PAGER")

  static let time = setting("time", "[utc|local]", "show times in UTC or in the local time zone")
  static let color = setting(
    "color", "[\(Terminal.Color.allCases.map(\.rawValue).joined(separator: "|"))]",
    "set when output is colored")

  /// Without a word it prints what is set.
  private static func setting(_ name: String, _ usage: String, _ summary: String) -> Builtin {
    let choices = usage.dropFirst().dropLast().split(separator: "|").map(String.init).filter {
      $0.first?.isLowercase ?? false
    }
    return Builtin(name, usage: usage, takes: .choice, choices: choices, summary: summary) {
      shell, words, _ in
      if let typed = words.first {
        let before = shell.environment.defaults.text(of: name)
        try shell.environment.defaults.set(name, to: typed)
        let now = shell.environment.defaults.text(of: name)
        shell.note("(\(name) \(now)\(now == before ? ", as before" : "; '\(name) \(before)' undoes it"))")
      } else {
        try shell.print("\(name) \(shell.environment.defaults.text(of: name))\n")
      }
    }
  }

  static let settings = Builtin(
    "settings", checksWords: false, summary: "list the settings and the open store"
  ) {
    shell, words, text in
    // `set limit 5` leads here, and `\pset expanded on`.
    if let word = words.first {
      let rest = Array(words.dropFirst().filter { $0 != "=" && $0 != "to" })
      let meant = Words.command(for: word, in: .shell)?.first
      guard let name = [word, meant ?? ""].first(where: Defaults.names.contains),
        let setting = Builtin.named(name)
      else {
        throw UsageError.conflict(
          "There is no setting '\(word)'.\(Suggestion.sentence(for: word, in: Defaults.names)) 'settings' lists them."
        )
      }
      return try setting.run(shell, rest, text)
    }
    let defaults = shell.environment.defaults
    var pairs = Defaults.names.map { ($0, defaults.text(of: $0)) }
    pairs.insert(("store", shell.environment.storePath ?? ""), at: 0)
    pairs.insert(("model", shell.environment.modelPath ?? "auto"), at: 1)
    pairs.append(("folder", Platform.withoutLastSlashes(Platform.absolutePath(""))))
    pairs.append(("output", shell.outputFile?.path ?? "-"))
    try shell.print(Help.columns(pairs))
  }

  static let open = Builtin(
    "open", usage: "FILE|NUMBER", takes: .store, checksWords: false, options: CommonOptions.store,
    prints: false,
    summary: "open another store, by its file or by its number in 'find', or another state"
  ) { shell, words, _ in
    let arguments = try parse(words, CommonOptions.store, "open")
    try check(arguments.positionals, atMost: 1, "open")
    guard let word = arguments.positionals.first else {
      throw UsageError.conflict("'open' needs a store file. Open is '\(shell.environment.storePath ?? "")'.")
    }
    let path = try shell.foundStore(word) ?? word
    if FileReader.kind(of: path) == nil,
      let entity = shell.entities.first(where: { $0.lowercased() == path.lowercased() })
    {
      throw UsageError.conflict(
        "'\(entity)' is an entity of the open store: 'rows \(entity)' lists its objects.")
    }
    var next = shell.environment
    let source = try next.store(named: path, arguments)
    (next.storePath, next.source) = (source.path, source)
    next.modelPath = arguments[.model]
    next.asOfCommit = try arguments.number(.asOfCommit)
    try Application.check(next)
    shell.environment = next
    shell.screens = Screens()
    shell.printSummary()
  }

  static let model = Builtin(
    "model", usage: "[PATH|auto]", takes: .file,
    summary: "use this model's names; auto is the store's own model"
  ) { shell, words, _ in
    guard let path = words.first else {
      return try shell.print("model \(shell.environment.modelPath ?? "auto")\n")
    }
    var next = shell.environment
    next.modelPath = path == "auto" ? nil : path
    try Application.check(next)
    shell.environment = next
    shell.screens = Screens()
  }

  static let once = Builtin(
    "once", usage: "FILE", takes: .file, prints: false, summary: "write the next result to a file"
  ) { shell, words, _ in
    guard let path = words.first else { throw UsageError.conflict("'once' needs a file.") }
    let file = try OutputFile(path, keeping: shell.environment.storePath)
    _ = try file.descriptor()
    shell.onceFile = file
    shell.note("(the next result goes to \(path))")
  }

  static let output = Builtin(
    "output", usage: "FILE|-", takes: .file, prints: false,
    summary: "write results to a file; - returns to the screen"
  ) { shell, words, _ in
    let path = words.first ?? "-"
    let file = path == "-" ? nil : try OutputFile(path, keeping: shell.environment.storePath)
    _ = try file?.descriptor()
    // What was said last counts.
    shell.onceFile?.close()
    shell.onceFile = nil
    shell.setOutput(file)
    shell.note(file == nil ? "(results go to the screen)" : "(results go to \(path) until 'output -')")
  }
}

extension StoreShell {
  /// The store that has this number in the last result of `find`; nil if the word is no such number, but a file's name.
  func foundStore(_ word: String) throws(UsageError) -> String? {
    guard let number = Int(word), number > 0 else { return nil }
    guard isInteractive else {
      guard FileReader.kind(of: word) == nil else { return nil }
      throw .conflict(
        "Stores have numbers only on a terminal. Here, pass the path or address that 'find' prints.")
    }
    if foundStores.indices.contains(number - 1) { return foundStores[number - 1] }
    guard FileReader.kind(of: word) == nil else { return nil }
    throw .conflict(
      foundStores.isEmpty
        ? "There is no number \(number): 'find' lists stores with numbers."
        : "There is no number \(number): the last 'find' listed \(Sentence.count(foundStores.count, "store"))."
    )
  }

  /// Prints text as results are printed.
  func print(_ text: String) throws { try Application.print(text, in: environment) }
}
