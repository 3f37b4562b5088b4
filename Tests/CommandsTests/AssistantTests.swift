import Base
import Forge
import Foundation
import TestSupport
import Testing

@testable import Commands

/// The tools of `mcp`, and what it says as a server.
struct AssistantTests {
  private let folder = TemporaryFolder("assistant")
  private let store: String

  init() throws {
    store = try DemoStore.copy(in: folder.path)
  }

  /// What a person reads in addition to a result was lost: which object a part of a title was taken for.
  @Test func whatIsSaidInAdditionIsInTheAnswer() throws {
    let questions = try AssistantQuestions(AssistantSettings(showsValues: false, folders: []))
    let result = try AssistantCall.result("trace", ["object": "avilion"], store, questions)
    let content = try #require(result["structuredContent"] as? [String: Any])
    let asides = try #require(content["asides"] as? [String])
    #expect(
      asides.contains { $0.contains("is taken for Entry/p9") } && !"\(asides)".contains("Pavilion"),
      "\(asides)")
  }

  @Test(arguments: ["summary", "pending", "doctor", "preflight"]) func aRedactedCopyIsCalledThat(
    _ tool: String
  ) throws {
    let copy = folder.path("copy.store")
    #expect(try Tool.run(["redact", store, "-o", copy]).status == 0)
    let questions = try AssistantQuestions(AssistantSettings(showsValues: false, folders: []))
    let result = try AssistantCall.result(tool, [:], copy, questions)
    let content = try #require(result["structuredContent"] as? [String: Any])
    #expect((content["store"] as? [String: Any])?["redacted"] as? Bool == true, "\(content)")
  }

  // MARK: - Speaking

  /// What the server answers to these lines.
  private func answers(_ lines: [String], _ options: [String] = []) throws -> [[String: Any]] {
    try folder.write(Array(lines.map { $0 + "\n" }.joined().utf8), to: "lines")
    let run = try Tool.run(
      ["mcp"] + options, input: folder.path("lines"), output: folder.path("output"),
      errors: folder.path("errors"))
    #expect(run.status == 0)
    let output = String(decoding: try folder.read("output"), as: UTF8.self)
    return try output.split(separator: "\n").map { line in
      try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }
  }

  private func request(_ method: String, _ parameters: Any = [String: Any](), id: Any = 1) throws -> String {
    let message: [String: Any] = ["jsonrpc": "2.0", "id": id, "method": method, "params": parameters]
    return String(decoding: try JSONSerialization.data(withJSONObject: message), as: UTF8.self)
  }

  private func questions(
    showsValues: Bool = false, folders: [String] = []
  ) throws -> AssistantQuestions {
    try AssistantQuestions(AssistantSettings(showsValues: showsValues, folders: folders))
  }

  /// The result of a tool; `store` is the demo unless another one is given.
  private func call(
    _ tool: String, _ arguments: [String: Any] = [:], showsValues: Bool = false, folders: [String] = []
  ) throws -> [String: Any] {
    try AssistantCall.result(
      tool, arguments, store, questions(showsValues: showsValues, folders: folders), showsValues: showsValues)
  }

  private func text(_ result: [String: Any]) throws -> String {
    try #require((result["content"] as? [[String: Any]])?.first?["text"] as? String)
  }

  // MARK: - The protocol

  @Test func introducesItself() throws {
    let lines = try [
      request("initialize", ["protocolVersion": "2025-06-18", "capabilities": [String: Any]()], id: "a"),
      #"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
      request("initialize", ["protocolVersion": "1999-01-01"], id: "b"), request("ping", id: 3),
      request("tools/list", id: 4),
    ]
    let answers = try answers(lines)
    #expect(answers.map { "\($0["id"] ?? "")" } == ["a", "b", "3", "4"])
    let results = answers.map { $0["result"] as? [String: Any] ?? [:] }
    #expect(results[0]["protocolVersion"] as? String == "2025-06-18")
    #expect(results[1]["protocolVersion"] as? String == "2025-11-25")
    let tools = try #require(results[3]["tools"] as? [[String: Any]])
    #expect(
      tools.map { $0["name"] as? String } == [
        "find", "summary", "pending", "doctor", "trace", "search", "rows", "query", "explain", "preflight",
      ])
    for tool in tools {
      let schema = try #require(tool["inputSchema"] as? [String: Any])
      let properties = try #require(schema["properties"] as? [String: Any])
      #expect(schema["type"] as? String == "object")
      #expect(try #require(schema["required"] as? [String]).allSatisfy { properties[$0] != nil })
      #expect((tool["annotations"] as? [String: Any])?["readOnlyHint"] as? Bool == true)
    }
  }

  /// What isn't a request that is known gets JSON-RPC's errors, and what comes next is answered.
  @Test(arguments: [
    ("{", -32700), ("[1,2]", -32600), (#""text""#, -32600), (#"{"jsonrpc":"2.0","id":7}"#, -32600),
    (#"{"jsonrpc":"1.0","id":7,"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":{},"method":"ping"}"#, -32600),
    (#"{"jsonrpc":"2.0","id":7,"method":"tools/delete"}"#, -32601),
    (#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"delete"}}"#, -32602),
    (#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}"#, -32602),
    (String(repeating: "[", count: 100_000), -32700), (String(repeating: "x", count: 3 << 20), -32600),
    (
      #"{"jsonrpc":"2.0","id":7,"method":"ping","params":["# + String(repeating: "0,", count: 200_000)
        + "0]}", -32700
    ),
    ("\u{1}\u{0}", -32700),
  ]) func refusesMessages(_ line: String, _ code: Int) throws {
    let answers = try answers([line, "", try request("ping", id: 8)])
    #expect(answers.count == 2)
    #expect((answers.first?["error"] as? [String: Any])?["code"] as? Int == code)
    #expect(answers.last?["id"] as? Int == 8 && answers.last?["result"] != nil)
  }

  /// Notifications, and answers to what was never asked, have none.
  @Test func isSilent() throws {
    let lines = [
      #"{"jsonrpc":"2.0","method":"notifications/unknown"}"#, #"{"jsonrpc":"2.0","id":1,"result":{}}"#,
      #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99}}"#, "  ",
    ]
    #expect(try answers(lines).isEmpty)
  }

  /// Nothing interrupts one call of a function of SQLite's, and a stranger's store may have one in its schema: the server was
  /// gone for good.
  private static let endless =
    "SELECT instr(hex(zeroblob(15000000)), hex(zeroblob(7000000)) || '1') AS x"

  private func endlessCall() throws -> String {
    try request("tools/call", ["name": "query", "arguments": ["store": store, "sql": Self.endless]], id: 1)
  }

  /// Runs the server with these lines, and a pause of so many seconds after each.
  private func run(_ lines: [(String, Double)], _ options: String = "", then: String = "") throws
    -> Tool.Result
  {
    try FileManager.default.createDirectory(atPath: folder.path("tmp"), withIntermediateDirectories: true)
    for (index, line) in lines.enumerated() {
      try folder.write(Array((line.0 + "\n").utf8), to: "line\(index)")
    }
    let words = lines.enumerated().map { "cat line\($0) >&9; sleep \($1.1)" }.joined(separator: "; ")
    let script = """
      mkfifo in; "\(Tool.path)" mcp --include-values \(options) < in > out & server=$!
      exec 9> in; \(words); \(then.isEmpty ? "exec 9>&-" : then)
      (sleep 50; kill -KILL $server) 2> /dev/null & last=$!
      wait $server; status=$?; kill $last; cat out; exit $status
      """
    return try Tool.run(
      "/bin/sh", ["-c", script], environment: ["TMPDIR": folder.path("tmp")], in: folder.path)
  }

  /// What was taken out of archives goes with the server.
  private func leavesNothing() throws {
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path("tmp"))
    #expect(left.filter { $0.hasPrefix("storescope") }.isEmpty, "\(left)")
  }

  /// A call that is canceled ends, and nothing is said of it.
  @Test func isCanceled() throws {
    let cancel = #"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#
    let next = try request("tools/call", ["name": "explain", "arguments": ["word": "134419"]], id: 2)
    let result = try run([(endlessCall(), 2), (cancel, 0), (next, 0)])
    #expect(result.status == 0 && result.errors == "", "\(result)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].contains(#""id":2"#), "\(result.output)")
    try leavesNothing()
  }

  /// Then the next one is answered.
  @Test func endsWhatTakesTooLong() throws {
    let next = try request("tools/call", ["name": "summary", "arguments": ["store": store]], id: 2)
    let result = try run([(endlessCall(), 0), (next, 8)], "--timeout 1")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count == 2 && lines.last?.contains(#""isError":false"#) == true, "\(result)")
    #expect(lines.first?.contains("took longer than 2 seconds") == true, "\(result)")
  }

  /// It went on with what ran, and with what waited, for nobody. The store is one in an archive, which has a copy.
  @Test(arguments: ["exec 9>&-", "kill -TERM $server", "kill -HUP $server"]) func endsDuringACall(
    _ end: String
  ) throws {
    var zip = ZipForge()
    for part in ["", "-wal"] {
      zip.add("Demo.store" + part, try folder.read(Platform.fileName(store) + part))
    }
    try zip.write(to: folder.path("case.zip"))
    let first = try request(
      "tools/call", ["name": "summary", "arguments": ["store": folder.path("case.zip")]], id: 0)
    let result = try run(
      [(first, 2), (endlessCall(), 0), (endlessCall(), 1)], then: end)
    #expect(result.output.contains(#""id":0"#), "\(result)")
    #expect(end.hasPrefix("exec") ? result.status == 0 : result.status == 2, "\(result)")
    #expect(end.hasPrefix("exec") || result.errors == "storescope: interrupted.\n", "\(result)")
    try leavesNothing()
  }

  // MARK: - Tools

  private static let calls: [(tool: String, arguments: [String: String], key: String)] = [
    ("summary", [:], "entities"), ("pending", [:], "pending"), ("doctor", [:], "findings"),
    ("doctor", ["rule": "history-author-missing"], "findings"), ("trace", ["object": "Trip/p1"], "steps"),
    ("search", ["text": "lisbon"], "matches"), ("query", ["sql": "SELECT * FROM Person"], "rows"),
    ("query", ["sql": "changes-by-author"], "rows"), ("query", ["list": "views"], "views"),
    ("query", ["list": "queries"], "queries"), ("query", ["list": "functions"], "functions"),
    ("explain", ["word": "134419"], "explanations"), ("preflight", [:], "steps"),
  ]

  @Test(arguments: calls.indices, [true, false]) func answers(_ index: Int, _ showsValues: Bool) throws {
    let (tool, arguments, key) = Self.calls[index]
    let before = try FolderSnapshot(folder.path)
    let result = try call(tool, arguments, showsValues: showsValues)
    let text = try text(result)
    #expect(result["isError"] as? Bool == false, "\(text)")
    let content = try #require(result["structuredContent"] as? [String: Any])
    #expect(content["schema"] as? String == "storescope/\(tool)/1")
    #expect(content["values"] as? String == (showsValues ? "included" : "withheld"))
    #expect((content[key] as? [Any])?.isEmpty == false, "\(content)")
    let sameText = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
    #expect(sameText == content as NSDictionary)
    #expect(try FolderSnapshot(folder.path) == before)
  }

  @Test func finds() throws {
    let content = try call("find", ["path": folder.path], folders: [folder.path])["structuredContent"]
    let stores = try #require((content as? [String: Any])?["stores"] as? [[String: Any]])
    #expect(stores.map { $0["address"] as? String } == [store])
  }

  /// Every text of the store that is a value, and each identifier in one, is looked for in all answers. The store's own
  /// identifier is part of its objects' URIs.
  @Test func showsNoValues() throws {
    let values = try OriginalValues(store)
    #expect(values.texts.contains("Spring in Lisbon"))
    func shown(_ showsValues: Bool) throws -> String {
      try Self.calls.filter { $0.tool != "explain" && $0.arguments["list"] == nil }.map {
        try text(call($0.tool, $0.arguments, showsValues: showsValues))
      }.joined()
    }
    let (open, masked) = (try shown(true), try shown(false))
    #expect(open.contains("Spring in Lisbon") && open.contains("ada@example.com"))
    // What is asked for is told anyway.
    #expect(values.texts.filter { masked.contains($0) && !masked.contains("x-coredata://\($0)/") } == [])
    for uuid in values.uuids {
      let text = try #require(uuid.withUnsafeBytes { Hexadecimal.uuid($0) })
      #expect(!masked.uppercased().contains(text), "\(text)")
    }
  }

  /// A copy that had been made for it was asked.
  @Test func seesWhatChanged() throws {
    let questions = try questions()
    func count() throws -> Int? {
      let sql = ["sql": "SELECT COUNT(*) AS n FROM Person"]
      let content = try AssistantCall.result("query", sql, store, questions)["structuredContent"]
      return ((content as? [String: Any])?["rows"] as? [[String: Any]])?.first?["n"] as? Int
    }
    let before = try #require(try count())
    let changed = try Tool.run(
      try #require(LiveWriter.executable), [store, "DELETE FROM ZPERSON WHERE Z_PK = 1"])
    #expect(changed.status == 0, "\(changed.errors)")
    #expect(try count() == before - 1)
  }

  @Test(
    arguments: [
      ("summary", ["store": "/nowhere/None.store"], "no such file"), ("summary", ["store": 1], "type string"),
      ("query", ["sql": "DELETE FROM Person"], "refused"), ("query", ["sql": "ATTACH 'x' AS x"], "refused"),
      ("query", ["sql": "SELECT load_extension('x')"], "refused"),
      ("query", ["sql": "SELECT readfile('/etc/passwd')"], "no such function"),
      ("query", ["sql": "SELECT * FROM Persn"], "Person"), ("query", [:], "'sql' or 'list' is missing"),
      ("query", ["sql": "SELECT 1", "list": "views"], "can't be combined"),
      ("query", ["list": "tables"], "one of"),
      ("query", ["sql": "SELECT 1", "limit": 0], "between 1 and"),
      ("query", ["sql": "SELECT 1", "limit": "many"], "type integer"),
      ("query", ["sql": "SELECT 1", "file": "/tmp/x"], "no argument 'file'"),
      ("query", ["sql": "SELECT :x", "parameters": ["x": [1]]], "strings and numbers"),
      ("query", ["sql": "SELECT printf('%.*c', 300000, 'x') AS x"], "more than 128 kB"),
      ("trace", ["object": "--help"], "--help"), ("trace", [:], "'object' is missing"),
      ("search", ["text": "x", "entity": "Persn"], "Person"), ("doctor", ["rule": "nothing"], "nothing"),
      ("rows", ["entity": "Trip", "predicate": "title BEGINSWITH 'S'"], "this server shows no values"),
      ("rows", ["entity": "Trip", "predicate": "titel == nil"], "Did you mean 'title'?"),
      ("find", ["path": "/nowhere"], "No such file"), ("explain", ["word": "--version"], "--version"),
    ] as [(String, [String: any Sendable], String)]) func says(
      _ tool: String, _ arguments: [String: any Sendable], _ expected: String
    ) throws
  {
    let result = try call(tool, arguments)
    let text = try text(result)
    #expect(result["isError"] as? Bool == true)
    #expect(text.contains(expected), "\(text)")
    let content = result["structuredContent"] as? [String: String]
    #expect(content == ["error": text, "values": "withheld"])
  }

  @Test func endsAtItsLimit() throws {
    func rows(_ limit: Int) throws -> (count: Int?, more: Bool?) {
      let result = try call("query", ["sql": "SELECT pk FROM Tag", "limit": limit])
      let content = result["structuredContent"] as? [String: Any]
      return ((content?["rows"] as? [Any])?.count, content?["more"] as? Bool)
    }
    #expect(try rows(3) == (3, true))
    #expect(try rows(8) == (8, false))
    let findings = try call("doctor", ["limit": 2])["structuredContent"] as? [String: Any]
    #expect((findings?["findings"] as? [Any])?.count == 2 && findings?["more"] as? Bool == true)
    let parameters: [String: Any] = ["sql": "SELECT :a || :b AS x", "parameters": ["a": "--json", "b": 2]]
    let content = try call("query", parameters)["structuredContent"] as? [String: Any]
    #expect((content?["rows"] as? [[String: Any]])?.first?["x"] as? String == "--json2")
  }

  /// For a file that is there, it gave the advice to run it.
  @Test(arguments: ["query", "trace", "explain", "doctor"]) func saysNothingOfOtherFiles(_ tool: String)
    throws
  {
    try folder.write([], to: "there.momd")
    let names = ["query": "sql", "trace": "object", "explain": "word", "doctor": "rule"]
    let texts = try ["there.momd", "away.momd"].map { name in
      try text(call(tool, [try #require(names[tool]): folder.path(name)])).replacing(name, with: "NAME")
    }
    #expect(texts[0] == texts[1])
  }

  /// Links lead nowhere else.
  @Test func staysInItsFolders() throws {
    let own = TemporaryFolder("own")
    try FileManager.default.createSymbolicLink(atPath: own.path("link.store"), withDestinationPath: store)
    for path in [store, own.path("link.store"), own.path + "/../" + Platform.fileName(folder.path)] {
      let result = try call("summary", ["store": path], folders: [own.path])
      #expect(result["isError"] as? Bool == true)
      #expect(try text(result).contains("may look into"))
    }
    // What is next to a store is read as part of it: a -wal that is a link led anywhere.
    try FileManager.default.copyItem(atPath: store, toPath: own.path("own.store"))
    try FileManager.default.createSymbolicLink(
      atPath: own.path("own.store-wal"), withDestinationPath: store + "-wal")
    #expect(
      try text(call("summary", ["store": own.path("own.store")], folders: [own.path])).contains(
        "may look into"))
    #expect(try call("summary", folders: [own.path, folder.path])["isError"] as? Bool == false)
    #expect(try text(call("find", ["path": "/"], folders: [own.path])).contains("may look into"))
    #expect(throws: StoreScopeError.self) { try AssistantFolders(["/nowhere"]) }
  }
}
