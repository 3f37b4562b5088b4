import Forge
import Foundation
import TestSupport
import Testing

/// `fleet --stdin`: addresses in, lines of JSON out.
@Suite(.waiting) struct FleetStreamTests {
  private typealias Object = [String: Any]

  private static func run(_ addresses: [String], _ words: [String] = []) throws -> (Int32, [[String: Any]]) {
    let folder = TemporaryFolder("fleet-stdin")
    // Empty lines are none, and the last one needs no end.
    try folder.write(Array(addresses.joined(separator: "\n\n").utf8), to: "in")
    let (status, _) = try Tool.run(
      ["fleet", "--stdin"] + words, input: folder.path("in"), output: folder.path("out"),
      errors: folder.path("err"))
    return (status, try FleetPlace.lines(folder.path("out")))
  }

  /// The documents are the single commands' own.
  @Test func linesInOrder() throws {
    let place = try FleetPlace()
    let names = ["a/Journeys.store", "noise.store", "Healthy.store", "case.zip", "missing", "Maps"]
    let addresses = names.map(place.folder.path)
    let (status, lines) = try Self.run(addresses, ["--jobs", "3", "--include-values"])
    #expect(status == 0)
    #expect(lines.compactMap { $0["address"] as? String } == addresses)
    for (line, address) in zip(lines, addresses) {
      if ["noise.store", "missing"].contains(where: address.hasSuffix) {
        #expect((line["failure"] as? Object)?["message"] is String)
        continue
      }
      for words in [
        ["summary", address], ["doctor", address, "--limit", "100"], ["pending", address],
        ["size", address, "--limit", "1000"],
      ] {
        let document = try #require(line[words[0]] as? NSDictionary)
        #expect(try document == Tool.json(words) as NSDictionary, "\(words)")
      }
    }
  }

  /// A name with a line end in it was two addresses, of which the second could be any file's that its author likes.
  @Test func addressesInJSON() throws {
    let folder = TemporaryFolder("fleet-names")
    let names = ["two\nlines.store", "\"quoted\".store", "back\\slash.store"]
    let store = try Demo(leaving: .nothing).folder.read(DemoStore.fileName)
    for name in names { try folder.write(store, to: name) }
    let found = try Tool.json(["find", folder.path])
    let addresses = try found.list("stores").compactMap { $0["address"] as? String }
    #expect(addresses.count == 3)
    let lines = try addresses.map {
      String(
        decoding: try JSONSerialization.data(withJSONObject: $0, options: .fragmentsAllowed), as: UTF8.self)
    }
    // What begins with a quote and is no text of JSON is an address as it stands.
    let odd = "\"quoted\".store"
    let (status, answers) = try Self.run(lines + [odd])
    #expect(status == 0 && answers.compactMap { $0["address"] as? String } == addresses + [odd])
    #expect(answers.count { $0["storeId"] != nil } == 3)
  }

  /// On a cluster the same rows come from here.
  @Test func rowsAreThoseOfTheFiles() throws {
    let place = try FleetPlace()
    let run = try place.run()
    let addresses = try ["stores", "failures"].flatMap { name in
      try FleetPlace.rows(name, in: run.folder).compactMap { $0["address"] as? String }
    }
    let (status, lines) = try Self.run(addresses, ["--rows"])
    #expect(status == 0)
    for dataset in ["stores", "findings", "entities", "events", "authors", "pending", "days"] {
      let rows = lines.filter { $0["dataset"] as? String == dataset }.map { line in
        line.filter { $0.key != "dataset" } as NSDictionary
      }
      #expect(try rows == FleetPlace.rows(dataset, in: run.folder).map { $0 as NSDictionary }, "\(dataset)")
    }
    #expect(lines.filter { $0["dataset"] as? String == "failures" }.count == FleetPlace.broken)
  }

  /// From the second of consecutive addresses on, a compressed archive is read from a decompressed copy; the same is found
  /// as by those who take each store out of the archive itself.
  @Test(arguments: TarArchive.Compression.available)
  func storesOfOneArchive(_ compression: TarArchive.Compression) throws {
    let folder = TemporaryFolder("fleet-archive")
    let demo = try Demo()
    var tar = TarArchive()
    for number in 0..<3 {
      for suffix in ["", "-wal"] {
        tar.add("\(number)/App.store\(suffix)", try demo.folder.read("\(DemoStore.fileName)\(suffix)"))
      }
    }
    tar.add("3/App.store", Array(try FindRun.store()[..<9000]))
    let archive = "case.\(compression.rawValue)"
    try folder.write(compression.packed(tar.ended), to: archive)
    let addresses = (0..<4).map { "\(folder.path(archive))!/\($0)/App.store" }
    let (status, lines) = try Self.run(addresses, ["--rows", "--jobs", "2"])
    #expect(status == 0)
    let apart = try addresses.flatMap { try Self.run([$0], ["--rows"]).1 }
    #expect(lines as NSArray == apart as NSArray)
    #expect(lines.count { $0["dataset"] as? String == "stores" } >= 3)
    try folder.run("fleet", archive, "--to", "out").expectStatus()
    #expect(try FleetPlace.rows("stores", in: folder.path("out")).count >= 3)
  }

  @Test func noneCanBeRead() throws {
    let (status, lines) = try Self.run(["/missing/one", "/missing/two"])
    #expect(status == 2 && lines.count == 2)
    #expect(try Self.run([]).0 == 0)
  }

  /// An engine that gives one address at a time would wait forever for a line that is kept back.
  @Test func eachLineComesAtOnce() throws {
    let place = try FleetPlace()
    let process = Process()
    process.executableURL = URL(filePath: Tool.path)
    process.arguments = ["fleet", "--stdin"]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    for name in ["a/Journeys.store", "noise.store", "Healthy.store"] {
      try input.fileHandleForWriting.write(contentsOf: Data("\(place.folder.path(name))\n".utf8))
      var line = Data()
      while line.last != 0x0A {
        let more = output.fileHandleForReading.availableData
        try #require(!more.isEmpty)
        line += more
      }
      let object = try #require(try JSONSerialization.jsonObject(with: line) as? Object)
      #expect(object["address"] as? String == place.folder.path(name))
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
  }
}

/// `fleet diff`: what changed between two runs over a fleet.
struct FleetDiffTests {
  private let folder = TemporaryFolder("fleet-diff")

  /// One of each kind of change, and some stores that stay as they are.
  init() throws {
    var (before, after) = (FleetFiles(), FleetFiles())
    before.add("/a", outcome: "blocked", rules: ["event-quota-exceeded", "token-expired"])
    after.add("/a", outcome: "atRisk", rules: ["token-expired", "record-orphaned"])
    before.add("/b")
    after.add("/b")
    before.fail("/c", "timedOut")
    after.add("/c", outcome: "atRisk", rules: ["token-expired"])
    before.add("/d", outcome: "atRisk", rules: ["token-expired"])
    before.add("/from", outcome: "atRisk", uuid: "moved", rules: ["token-expired"])
    after.add("/new", outcome: "healthy")
    after.add("/to", outcome: "healthy", uuid: "moved")
    try before.write("before", in: folder)
    try after.write("after", in: folder)
  }

  private func diff(_ words: String...) throws -> Tool.Result {
    try folder.run(["fleet", "diff"] + words)
  }

  @Test func eachKindOfChangeIsListed() throws {
    let json = try diff("before", "after", "--json").json()
    #expect(json["schema"] as? String == "storescope/fleet-diff/1")
    let changes = try json.list("changes").map { change in
      ["change", "address", "formerAddress", "rule", "before", "after"].compactMap { change[$0] as? String }
        .joined(separator: " ")
    }
    #expect(
      changes == [
        "newStore /new healthy", "goneStore /d atRisk", "movedStore /to /from atRisk healthy",
        "outcome /a blocked atRisk", "outcome /c timedOut atRisk", "outcome /to /from atRisk healthy",
        "newFinding /a record-orphaned", "goneFinding /a event-quota-exceeded",
        "goneFinding /to /from token-expired",
      ])
    let stores = try #require(json["stores"] as? [String: Int])
    #expect(
      stores == ["before": 5, "after": 5, "same": 4, "new": 1, "gone": 1, "moved": 1, "outcomeChanged": 3])
  }

  /// A store that nobody could read before, or that is gone, had no findings that could be new or gone.
  @Test func rulesAreCountedInBothRuns() throws {
    let json = try diff("before", "after", "--json").json()
    let rules = try json.list("rules").map { rule in
      ["before", "after", "new", "gone"].compactMap { rule[$0] as? Int }.map(String.init)
        .joined(separator: " ") + " \(rule["rule"] ?? "")"
    }
    #expect(rules == ["1 0 0 1 event-quota-exceeded", "0 1 1 0 record-orphaned", "3 2 0 1 token-expired"])
  }

  @Test func peopleReadASentenceFirst() throws {
    let result = try diff("before", "after").expectOutput(
      begins:
        "1 new finding, 2 findings gone, 3 stores with another outcome, 1 new store, 1 store gone, 1 store moved; 4 stores in both runs.\n"
    )
    for line in [
      "outcome       blocked, now at risk", "timed out, now at risk", "from /from", "finding gone",
    ] {
      #expect(result.output.contains(line), "\(result.output)")
    }
  }

  @Test func exitCodesAreThoseOfDiff() throws {
    #expect(try diff("before", "after").status == 0)
    #expect(try diff("before", "after", "--exit-code").status == 1)
    let same = try diff("after", "after", "--exit-code").expectStatus()
    #expect(same.output == "No difference: 5 stores with the same findings.\n")
    // The one that nobody could read was counted as a store with the same findings.
    #expect(
      try diff("before", "before").output
        == "No difference: 4 stores with the same findings; 1 address couldn't be examined in either run.\n")
    #expect(try diff("before").status == 64)
    #expect(try diff("before", "after", "--format", "html").status == 64)
  }

  @Test func programsGetRows() throws {
    let csv = try diff("before", "after", "--format", "csv").output.split(whereSeparator: \.isNewline)
    #expect(csv.first == "change,address,formerAddress,rule,severity,title,before,after")
    #expect(csv.count == 10)
    let lines = try diff("before", "after", "--format", "ndjson").output.split(whereSeparator: \.isNewline)
    #expect(lines.count == 9)
  }

  /// Two copies of a store have one identifier: which of them was moved can't be known.
  @Test func copiesAreNotTakenForEachOther() throws {
    var (one, two) = (FleetFiles(), FleetFiles())
    for name in ["/1", "/2"] { one.add(name, uuid: "same") }
    for name in ["/3", "/4"] { two.add(name, uuid: "same") }
    try one.write("one", in: folder)
    try two.write("two", in: folder)
    let stores = try #require(try diff("one", "two", "--json").json()["stores"] as? [String: Int])
    #expect(stores["moved"] == 0 && stores["new"] == 2 && stores["gone"] == 2)
  }
}
