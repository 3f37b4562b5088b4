import Testing

@testable import Commands

/// What is offered where, over a made-up context.
struct CompleterTests {
  static let context: CompletionContext = {
    var context = CompletionContext()
    context.entities = [
      .init(
        name: "Person", attributes: ["name", "home.city"],
        columns: ["pk", "uri", "entity", "name", "home.city", "boss"],
        properties: ["name", "home", "boss"]),
      .init(
        name: "Place", attributes: ["title"], columns: ["pk", "uri", "entity", "title"],
        properties: ["title"]),
      .init(name: "Evil\u{1B}[2J", attributes: [], columns: []),
    ]
    context.titles = ["Spring in Lisbon", "Summer"]
    context.authors = ["App", "import", "my widget", "bad\nauthor"]
    context.processes = ["Journeys", "widget"]
    context.bundles = ["com.example.app"]
    context.zones = ["com.apple.coredata.cloudkit.zone"]
    context.views =
      context.entities.map { .init(name: $0.name, parts: $0.columns) } + [
        .init(name: "transactions", parts: ["transaction", "timestamp", "author"])
      ]
    context.tables = [.init(name: "ZPERSON", parts: ["Z_PK", "ZNAME"])]
    context.frameworkTables = ["ANSCKEVENT", "NSCKEvent", "ACHANGE", "CHANGE"]
    context.rules = [
      .init(name: "history-bloat", parts: ["days", "share"]),
      .init(name: "token-expired", parts: []),
    ]
    context.queries = [
      .init(name: "churn", parts: ["least", "since"]), .init(name: "table-sizes", parts: []),
    ]
    context.subjects = ["134419", "CKErrorDomain:25", "quotaExceeded", "change token", "change tracking"]
    context.files = { folder in
      switch folder {
      case "":
        [
          .init(name: "App.store"), .init(name: "My Store.sqlite"), .init(name: "it's"),
          .init(name: "folder", isFolder: true),
          .init(name: ".hidden"),
        ]
      case "~/": [.init(name: "one"), .init(name: "two words")]
      case "folder/": [.init(name: "b.mom"), .init(name: "sub dir", isFolder: true)]
      default: []
      }
    }
    return context
  }()

  struct Case: Sendable, CustomTestStringConvertible {
    var line: String
    /// What is offered, in any order; `…` at the end for "among others". A `~` at a candidate's end: more must follow.
    var offers: [String]
    var testDescription: String { line }

    init(_ line: String, _ offers: String...) {
      self.line = line
      self.offers = offers
    }
  }

  static let shell: [Case] = [
    Case("hist", "history"), Case("HIST", "history"), Case("sel", "select"), Case("SEL", "SELECT"),
    Case("per", "Person/p~"), Case("nonsense ", ""),
    Case("rows ", "Person", "Place"), Case("rows p", "Person", "Place"), Case("rows Person --wh", "--where"),
    Case(
      "rows Person --where n", "name~", "natural~", "not~", "notnull~", "null~", "nulls~", "nocase~",
      "nullif(~"),
    Case("rows Person --where \"na", "\"name~", "\"natural~"),
    Case("rows Person --where 'home", "'\"home.city\"~"),
    Case("rows Person --where \"home", "\"\\\"home.city\\\"~"),
    Case("rows Person --where=bo", "boss~"), Case("rows Place --where ti", "title~", "time(~"),
    Case("rows Person --exact --e", "--expand"), Case("rows -", "--exact", "…"),
    Case("show ", "Person/p~", "Place/p~", "Person", "Place", "'Spring in Lisbon'", "Summer"),
    Case("show person/", "Person/p~"),
    Case("show Person ", "home.city=~", "name=~"),
    Case("trace pe", "Person/p~", "Person"), Case("trace Person n", "name=~"),
    Case("trace Person home", "home.city=~"), Case("entities Person pl", "Place"),
    Case("history --author ", "App", "import", "'my widget'"), Case("history --author a", "App"),
    Case("history --author=I", "import"), Case("history --author \"my", "\"my widget\""),
    Case("history --author 'my", "'my widget'"), Case("history --author=my", "'my widget'"),
    Case("history --author my\\ w", "'my widget'"),
    Case("history --process ", "Journeys", "widget"), Case("history --bundle c", "com.example.app"),
    Case("history --property ", "name", "home", "boss", "title"),
    Case("history --entity Place --property ", "title"),
    Case("history --object Place/p1 --property t", "title"),
    Case("rows Person --columns ", "name", "home", "boss"), Case("rows Person --columns name,b", "boss"),
    Case("rows Person --sort -n", "name"), Case("rows Person --sort name,-", "home", "boss"),
    Case("trace Sp", "'Spring in Lisbon'"), Case("show su", "Summer"),
    Case("history --by ", "author", "entity", "process", "bundle", "context", "day"),
    Case("history --object pl", "Place/p~"), Case("history --entity P", "Person", "Place"),
    Case("history --since ", ""), Case("history --limit ", ""),
    Case("history --no-author --no", "--no-color", "--no-config", "--no-pager"),
    Case("history -- --n", ""), Case("history -n ", ""),
    Case("records --state pending", "pendingUpload", "pendingCloudDelete"),
    Case("records --state orphan --state or", "orphan"), Case("mirror --table nsck", "NSCKEvent"),
    Case("doctor --rule tok", "token-expired"), Case("doctor --rule token-expired --ru", "--rule"),
    Case("doctor --set ", "history-bloat.days=~", "history-bloat.share=~"),
    Case("doctor --format s", "sarif"), Case("doctor ", "--fail-on", "…"),
    Case("doctor --fail-on w", "warning"),
    Case("rules hist", "history-bloat"), Case("explain 134", "134419"),
    Case("explain ckerr", "CKErrorDomain:25"),
    Case("explain quota", "quotaExceeded"), Case("explain token", "token-expired"),
    Case("explain chan", "change"),
    Case("explain sel", ""), Case("explain select * from pl", "Place"),
    Case("explain query plan select * from pl", "Place"), Case("explain change t", "token", "tracking"),
    Case("explain 'change to", "'change token'"),
    Case("query ch", "churn"), Case("query churn --param ", "least=~", "since=~"),
    Case("query churn -p least=3 -p ", "since=~"), Case("query churn -p since=", ""),
    Case("query \"SELECT na", "natural~", "name~"), Case("query 'SELECT * FROM pe", "Person~"),
    Case("query SELECT * FROM pl", "Place"),
    Case("select * from ", "Person", "Place", "transactions", "ZPERSON"),
    Case("SELECT * FROM Person WHERE h", "\"home.city\"", "having", "hex(~"),
    Case("SELECT p.n FROM Person p, tr", "transactions"), Case("SELECT 1 FROM Person p WHERE p.na", "name"),
    Case("SELECT 1 FROM Person AS p JOIN Place q ON q.t", "title"), Case("SELECT 1 FROM main.z", "ZPERSON"),
    Case("SELECT 1 FROM Person WHERE \"ho", "home.city\""),
    Case("SELECT 1 FROM transactions WHERE trans", "\"transaction\"", "transactions"),
    Case("SELECT 1 FROM transactions WHERE author = '", "App'", "import'", "my widget'"),
    Case("SELECT 1 FROM transactions WHERE author IN ('App', 'i", "import'"),
    Case("SELECT 1 FROM records WHERE zone LIKE 'c", "com.apple.coredata.cloudkit.zone'"),
    Case("SELECT 1 FROM records WHERE state = 'orph", "orphan'"), Case("SELECT 'per", ""),
    Case("SELECT 1 -- fr", ""), Case("SELECT /* fr", ""), Case("SELECT count(*) FROM ZP", "ZPERSON"),
    Case("SELECT 1 FROM ZPERSON WHERE zn", "ZNAME"), Case("demo ", "folder/~"),
    Case("doctor --baseline a", "App.store"), Case("doctor --baseline my", "'My Store.sqlite'"),
    Case("doctor --baseline \"My", "\"My Store.sqlite\""),
    Case("doctor --baseline My\\ ", "'My Store.sqlite'"),
    Case("doctor --baseline it", "\"it's\""),
    Case("doctor --baseline folder/", "folder/b.mom", "'folder/sub dir/~"),
    Case("doctor --baseline .h", ".hidden"), Case("doctor --baseline=My", "'My Store.sqlite'"),
    Case("completions ", "bash", "zsh", "fish"), Case("completions fi", "fish"),
  ]

  @Test(arguments: shell)
  func completesALine(_ testCase: Case) {
    let completer = Completer(context: Self.context, place: .shell)
    let completion = completer.complete(line: testCase.line)
    #expect(completion.start <= testCase.line.utf8.count)
    expect(completion.candidates, testCase.offers)
  }

  static let builtins: [Completer.Builtin] = [
    .init(["open"], arguments: [.init("STORE", kind: .store, help: "")]),
    .init(["timing"], arguments: [.init("STATE", kind: .choice, choices: ["on", "off"], help: "")]),
    .init(["help", "?"], arguments: [.init("WORD", kind: .command, help: "")]),
    .init(
      ["watch"],
      options: [.init(.every, value: "TIME", kind: .word, help: ""), .init(.chart, help: "")],
      takesCommand: true),
    .init(
      ["look"], arguments: [.init("STORE", kind: .store, help: "")],
      options: [.init(.model, value: "PATH", kind: .file, help: "")]),
  ]

  @Test(arguments: [
    Case("op", "open"), Case("open App", "App.store"), Case("timing o", "on", "off"), Case("? tim", "timing"),
    Case("watch rows pe", "Person"), Case("watch watch timing o", "on", "off"), Case(".tim", ".timing"),
    Case("watch --e", "--every"), Case("watch --every=2s --", "--chart"), Case("watch --every ", ""),
    Case("watch pending --ev", "--every"), Case("watch --every 2s rows pe", "Person"),
    Case("watch rows Person --where --ev", ""), Case("watch SELECT * FROM pl", "Place"),
    Case("look --m", "--model"), Case("look --model folder/b", "folder/b.mom"),
    Case("look --model=folder/b", "folder/b.mom"), Case("look --model x app", "App.store"),
    Case("look App.store ", "--model"), Case("open ~/o", "~/one"), Case("open ~/t", "~/'two words'"),
    Case("open '~/t", "'~/two words'"),
    Case(".timing of", "off"), Case("timing on ", ""), Case(".history --by da", "day"), Case("help ra", ""),
  ])
  func completesTheShellsOwnWords(_ testCase: Case) {
    let completer = Completer(builtins: Self.builtins, context: Self.context, place: .shell)
    expect(completer.complete(line: testCase.line).candidates, testCase.offers)
  }

  /// The case is the candidates' own, unless they don't agree.
  @Test(arguments: [
    ("Tr", ["trace"], "trace"), ("Tr", ["trace", "Trip/p"], "Tr"), ("t", ["trace", "Trip/p"], "tr"),
    ("tri", ["Trip", "TripSegment"], "Trip"), ("SE", ["select", "SELECT"], "SE"), ("", ["a", "B"], ""),
    ("App.s", ["App.store", "app.store"], "App.store"), ("x", [], "x"), ("", ["rows", "rules"], "r"),
    ("'my w", ["x"], "'my w"), ("abc", ["ab", "abd"], "abc"),
  ]) func whatIsTypedBecomesWhatAllHaveInCommon(typed: String, words: [String], common: String) {
    #expect(Completion.common(words.map { Candidate($0) }, typed: typed) == common)
  }

  /// They ended with a quote that none of them began with.
  @Test(arguments: [
    ("\"", true, "Tram 28\"", "Tram 28"), ("\"", false, "Tram 28\"", "Tram 28\""), ("'", true, "5\"", "5\""),
    ("", true, "'Tram 28'", "'Tram 28'"),
  ]) func whatIsListedBehindAQuoteDoesNotEndWithIt(
    _ open: String, _ isWhole: Bool, _ value: String, _ shown: String
  ) {
    let listed = Completion.listed([Candidate(value, isWhole: isWhole)], behind: open.first)
    #expect(listed == [shown])
  }

  /// Readline's words begin behind quotes and `=`.
  @Test func anEditorMayReplaceLessOrMore() {
    let completer = Completer(context: Self.context, place: .shell)
    for (line, start, texts) in [
      ("history --author \"my", 18, ["my widget\""]), ("history --author=I", 17, ["import"]),
      ("SELECT 1 FROM Person p WHERE p.na", 29, ["p.name"]),
      ("history --author my\\ w", 21, []), ("rows Person --where \"na", 21, ["name", "natural"]),
    ] {
      let found = completer.complete(line: line).candidates(in: line, replacingFrom: start)
      #expect(found.map(\.value).sorted() == texts.sorted(), "\(line)")
    }
  }

  static let program: [Case] = [
    Case("sum", "summary"), Case("--", "--help", "--version"), Case("app", "App.store"),
    Case("help his", "history"),
    Case("App.store --com", "--commits"), Case("rows ", "App.store", "My Store.sqlite", "it's", "folder/~"),
    Case("rows App.store p", "Person", "Place"),
    Case("rows App.store Person --where na", "name~", "natural~"),
    Case("rows --model folder/b", "folder/b.mom"), Case("explain ckerr", "CKErrorDomain:25"),
    Case("history App.store --format=js", "--format=json"),
    Case("history App.store --author=a", "--author=App"),
    Case("history App.store -nx", ""), Case("summary App.store extra ", "--commits", "…"),
  ]

  @Test(arguments: program)
  func completesWords(_ testCase: Case) {
    let completer = Completer(context: Self.context, place: .program)
    let words = testCase.line.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    expect(completer.candidates(words: words), testCase.offers)
  }

  @Test func aWordWithBlanksKeepsItsBeginning() {
    let completer = Completer(context: Self.context, place: .program)
    let candidates = completer.candidates(words: ["query", "App.store", "SELECT name FROM Per"])
    #expect(candidates == [Candidate("SELECT name FROM Person", isWhole: false)])
  }

  private func expect(_ candidates: [Candidate], _ offers: [String]) {
    let found = candidates.map { $0.value + ($0.isWhole ? "" : "~") }
    let wanted = offers.filter { !$0.isEmpty && $0 != "…" }
    if offers.contains("…") {
      #expect(Set(found).isSuperset(of: wanted), "\(found)")
    } else {
      #expect(found.sorted() == wanted.sorted())
    }
  }

  @Test func theStartIsWhereTheReplacedTextBegins() {
    let completer = Completer(context: Self.context, place: .shell)
    let starts = [
      ("rows Pe", 5), ("history --author=I", 17), ("history --author \"my", 17),
      ("rows Person --where \"1 AND na", 27),
      ("rows Person --where \"ä AND na", 28), ("select * from pe", 14), ("doctor --baseline My\\ S", 18),
      ("history --author=my\\ w", 8), ("rows ", 5), ("", 0),
    ]
    for (line, start) in starts { #expect(completer.complete(line: line).start == start, "\(line)") }
  }

  @Test(arguments: CommandTable.all.map(\.name))
  func everyValueHasAKind(_ name: String) throws {
    let command = try #require(CommandTable.command(named: name))
    for option in command.allOptions {
      #expect((option.kind != nil) == (option.value != nil), "--\(option.name)")
      if option.kind == .choice { #expect(!option.choices.isEmpty, "--\(option.name)") }
    }
    for argument in command.arguments where argument.kind == .choice { #expect(!argument.choices.isEmpty) }
  }

  /// Whatever is typed, an answer comes, and what it replaces is there.
  @Test func anyLineIsTaken() {
    var random = SystemRandomNumberGenerator()
    let pieces = [
      "rows", "query", "--where", "--author=", " ", " ", "'", "\"", "\\", "Person", ".", ",", "SELECT",
      "FROM", "(", ")",
      "--", "-n", "é", "🥧", "/*", "*/", "=", "explain", "history", "\u{0}", "\n", "x-coredata://", "p1", "-",
    ]
    for _ in 0..<3000 {
      let line = (0..<Int.random(in: 0...12, using: &random)).compactMap { _ in pieces.randomElement() }
        .joined()
      for place in [CommandPlace.shell, .program] {
        let completion = Completer(context: Self.context, place: place).complete(line: line)
        #expect((0...line.utf8.count).contains(completion.start), "\(line)")
        #expect(String(line.utf8.prefix(completion.start)) != nil, "\(line)")
        #expect(completion.candidates.allSatisfy { !$0.value.contains("\u{1B}") }, "\(line)")
      }
    }
  }
}
