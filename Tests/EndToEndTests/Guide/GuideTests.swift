import Forge
import Foundation
import TestSupport
import Testing

/// The README and the guide show what the program prints: each ```` ```console ```` block is a session in a folder with the
/// demo store. `RECORD_SNAPSHOTS=1 swift test --filter GuideTests` writes into all of them what it prints now.
struct GuideTests {
  @Test(arguments: GuidePage.names) func printsWhatIsShown(_ name: String) throws {
    let page = try GuidePage(name)
    var printed = page
    for (index, part) in page.parts.enumerated() {
      guard case .session(var steps) = part else { continue }
      let folder = TemporaryFolder("guide")
      _ = try DemoStore.copy(in: folder.path)
      for index in steps.indices { steps[index].output = try Self.run(steps[index].command, in: folder.path) }
      printed.parts[index] = .session(steps)
    }
    for (shown, now) in zip(page.steps, printed.steps) where shown.output != now.output {
      Issue.record("\(name): after '\(shown.command)' it should show:\n\(now.output)")
    }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil, printed.text != page.text {
      try printed.text.write(to: GuidePage.file(name), atomically: true, encoding: .utf8)
    }
  }

  /// What is printed, errors first. A command that begins with `storescope` gets its words as a shell splits them, and
  /// must succeed; any other is a shell's.
  private static func run(_ command: String, in folder: String) throws -> String {
    // A terminal of a usual width, in a year that short dates leave out.
    var environment = ["COLUMNS": "100", "SOURCE_DATE_EPOCH": "1795000000"]
    guard command.hasPrefix("storescope "), command.firstMatch(of: #/; | \| | && /#) == nil else {
      let tools = URL(filePath: Tool.path).deletingLastPathComponent().path
      environment["PATH"] = tools + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
      let result = try Tool.run("/bin/sh", ["-c", command], environment: environment, in: folder)
      return result.errors + result.output
    }
    let words = try Tool.run("/bin/sh", ["-c", "for word in \(command); do printf '%s\\0' \"$word\"; done"])
    let arguments = words.output.split(separator: "\0").dropFirst().map(String.init)
    let result = try Tool.run(arguments, environment: environment, in: folder).expectStatus(
      comment: "\(command)")
    return result.errors + result.output
  }

  @Test(arguments: GuidePage.names) func examplesCanBeRead(_ name: String) throws {
    let page = try GuidePage(name)
    // Nothing is lost when it is recorded.
    #expect(try page.text == String(contentsOf: GuidePage.file(name), encoding: .utf8))
    for step in page.steps {
      #expect(step.command.contains("storescope ") && !step.output.isEmpty, "\(step.command)")
      #expect(step.command.count <= 120, "\(step.command)")
      // Messages aren't wrapped.
      let lines = step.output.split(separator: "\n").filter { !$0.hasPrefix("storescope: ") }
      #expect(lines.allSatisfy { $0.count <= 110 }, "\(step.command)")
    }
  }

  @Test func theREADMEIsShort() throws {
    let readme = try GuidePage("README.md")
    #expect(readme.steps.count >= 5)
    #expect(readme.text.utf8.count <= 8000, "what is longer belongs in the guide")
  }

  @Test func thereIsAGuide() throws {
    #expect(GuidePage.names.count > 10)
    #expect(try GuidePage.names.flatMap { try GuidePage($0).steps }.count > 30)
  }
}

/// A page of Markdown: text, and the sessions that its ```` ```console ```` blocks show.
struct GuidePage {
  struct Step {
    /// What stands behind `$ `.
    var command: String
    /// What the program prints then, in lines.
    var output: String
  }

  enum Part {
    case text(String)
    case session([Step])
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let guide = "Sources/storescope/storescope.docc"

  /// The README and all articles of the guide, by their paths.
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: guide).path)) ?? []
    return ["README.md"] + files.filter { $0.hasSuffix(".md") }.sorted().map { "\(guide)/\($0)" }
  }()

  static func file(_ name: String) -> URL { root.appending(path: name) }

  var parts: [Part]

  init(_ name: String) throws { self.init(text: try String(contentsOf: Self.file(name), encoding: .utf8)) }

  init(text: String) {
    parts = []
    var (lines, steps): (String, [Step]?) = ("", nil)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if steps == nil {
        lines += line + "\n"
        guard line == "```console" else { continue }
        parts.append(.text(lines))
        (lines, steps) = ("", [])
      } else if line == "```" {
        parts.append(.session(steps ?? []))
        (lines, steps) = (line + "\n", nil)
      } else if line.hasPrefix("$ ") {
        steps?.append(Step(command: String(line.dropFirst(2)), output: ""))
      } else if let last = steps?.indices.last {
        steps?[last].output += line + "\n"
      }
    }
    parts.append(.text(lines))
  }

  var text: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .session(let steps): steps.map { "$ \($0.command)\n\($0.output)" }.joined()
      }
    }.joined()
  }

  var steps: [Step] {
    parts.flatMap { part -> [Step] in
      if case .session(let steps) = part { steps } else { [] }
    }
  }
}

/// Loops of the guide, run as they stand there over names that somebody else chose.
struct GuideLoopTests {
  private static func exists(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
  }

  /// A customer's archive with line ends in a name said where a report is written, and of which store.
  @Test(.enabled(if: exists("jq") && exists("xargs"))) func reportsOfAFleet() throws {
    let text = try String(contentsOf: GuidePage.file("\(GuidePage.guide)/Fleet.md"), encoding: .utf8)
    let start = try #require(text.range(of: "```sh\nmkdir reports\n"))
    let end = try #require(text.range(of: "\n```\n", range: start.upperBound..<text.endIndex))
    let loop = "mkdir reports\n" + text[start.upperBound..<end.lowerBound]

    let folder = TemporaryFolder("guide-loop")
    var store = try FindRun.store()
    var zip = ZipForge()
    zip.add("a\n../planted\nmine.store", store)
    // A store of its own, by the application's number in its header.
    store[71] ^= 1
    zip.add("it's $(touch planted) \"b\".store", store)
    try zip.write(to: folder.path("case.zip"))
    let tools = URL(filePath: Tool.path).deletingLastPathComponent().path
    let path = ["PATH": "\(tools):/usr/bin:/bin"]
    try folder.run("fleet", "case.zip", "--to", "fleet").expectStatus()
    let before = try folder.names()
    try Tool.run("/bin/sh", ["-c", loop], environment: path, in: folder.path).expectStatus()
    #expect(try Set(folder.names()) == Set(before).union(["reports"]))
    let ids = try FleetPlace.rows("stores", in: folder.path("fleet")).compactMap { $0["storeId"] as? String }
    let reports = try folder.names(in: "reports")
    #expect(ids.count == 2 && Set(reports) == Set(ids.map { "\($0).html" }), "\(reports)")
  }

  /// No block goes by the lines of names.
  @Test(arguments: GuidePage.names) func noLoopReadsLines(_ name: String) throws {
    let text = try String(contentsOf: GuidePage.file(name), encoding: .utf8)
    #expect(!text.contains("while read") && !text.contains("| xargs storescope"))
    #expect(!text.contains(#/find [^|\n]*-name[^|\n]*\| *storescope/#), "names of files may have line ends")
  }
}
