import Commands
import Rendering
import Values

extension Builtin {
  static let format = setting("format", "[table|json|ndjson|csv|markdown]", "how results are printed")
  static let limit = setting("limit", "[N|none|auto]", "how many rows are printed; auto is 100 in tables")
  static let timing = setting("timing", "[on|off]", "whether to say how long each command took")
  static let pager = setting("pager", "[on|off]", "whether results taller than the screen go through $PAGER")

  /// Without a word it says what is set.
  private static func setting(_ name: String, _ usage: String, _ summary: String) -> Builtin {
    let choices = usage.dropFirst().dropLast().split(separator: "|").map(String.init).filter { $0 != "N" }
    return Builtin(name, usage: usage, takes: .choice, choices: choices, summary: summary) {
      shell, words, _ in
      try check(words, atMost: 1, name)
      if let word = words.first {
        try shell.environment.defaults.set(name, to: word)
      } else {
        try shell.print("\(name) \(shell.environment.defaults.text(of: name))\n")
      }
    }
  }

  static let settings = Builtin("settings", summary: "what is set, and which store is open") {
    shell, words, _ in
    try check(words, atMost: 0, "settings")
    let defaults = shell.environment.defaults
    var pairs = Defaults.names.map { ($0, defaults.text(of: $0)) }
    pairs.insert(("store", shell.environment.storePath ?? ""), at: 0)
    pairs.insert(("model", shell.environment.modelPath ?? "auto"), at: 1)
    pairs.append(("output", shell.outputFile?.path ?? "-"))
    try shell.print(Help.columns(pairs))
  }

  static let open = Builtin(
    "open", usage: "FILE", takes: .store, options: CommonOptions.store,
    summary: "reads another store from here on"
  ) { shell, words, _ in
    let arguments = try parse(words, CommonOptions.store, "open")
    try check(arguments.positionals, atMost: 1, "open")
    guard let path = arguments.positionals.first else {
      throw UsageError.conflict("'open' needs a store file.")
    }
    var next = shell.environment
    next.storePath = path
    next.modelPath = arguments[.model]
    next.asOfCommit = try arguments.number(.asOfCommit)
    try Application.check(next)
    shell.environment = next
    shell.forgetObjects()
  }

  static let model = Builtin(
    "model", usage: "[PATH|auto]", takes: .file,
    summary: "names come from this model; auto is the store's own"
  ) { shell, words, _ in
    try check(words, atMost: 1, "model")
    guard let path = words.first else {
      return try shell.print("model \(shell.environment.modelPath ?? "auto")\n")
    }
    var next = shell.environment
    next.modelPath = path == "auto" ? nil : path
    try Application.check(next)
    shell.environment = next
    shell.forgetObjects()
  }

  static let output = Builtin(
    "output", usage: "FILE|-", takes: .file, summary: "writes results to a file; - is the screen again"
  ) { shell, words, _ in
    try check(words, atMost: 1, "output")
    let path = words.first ?? "-"
    let file = path == "-" ? nil : try OutputFile(path, keeping: shell.environment.storePath)
    shell.outputFile?.close()
    shell.outputFile = file
    shell.environment.output = file.map { .file($0.descriptor) }
  }
}

extension StoreShell {
  /// Prints text as results are printed.
  func print(_ text: String) throws { try Application.print(text, in: environment) }

  /// Another store's objects have other numbers.
  func forgetObjects() {
    shownObjects = []
    numbers = ObjectNumbers()
  }
}
