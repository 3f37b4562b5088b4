import Foundation
import TestSupport
import Testing

/// Readline waits for keys at more places than our prompt. Why these exist: Ctrl-C at "Display all N possibilities?"
/// hung the shell for good at full speed, and neither SIGTERM nor closing the window ended it; a bracketed paste that
/// didn't end did the same, and a terminal that Ctrl-S had stopped kept it from ending.
@Suite(.waiting) final class ShellPromptTests: DemoSuite {
  /// A place where readline waits for keys: what is typed to get there, and what shows it, if anything does.
  struct Place: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var typed: String
    var sign: String?

    init(_ name: String, _ typed: String, _ sign: String? = nil) {
      (testDescription, self.typed, self.sign) = (name, typed, sign)
    }

    static let all = [
      Place("a line", "abc", "abc"),
      Place("all possibilities?", "select * from Entry where \t\t", "possibilities? (y or n)"),
      Place("--More--", "select * from Entry where \t\ty", "--More--"),
      Place("reverse search", "a\u{12}b", "i-search)`b"),
      Place("search of the history", "a\u{1B}p", ":"),
      Place("quoted insert", "a\u{16}"), Place("an argument", "a\u{1B}5"),
      Place("a negative argument", "a\u{1B}-"), Place("the search of a character", "a\u{1D}"),
      Place("a key of two", "a\u{18}"), Place("Escape", "a\u{1B}"), Place("a sequence", "a\u{1B}["),
      Place("a recorded macro", "a\u{18}(b"), Place("a paste", "a\u{1B}[200~b"),
      Place("half a character", "a\u{C3}"),
    ]
  }

  private func open() throws -> TerminalSession {
    let session = try TerminalSession(["shell", demo.path, "--private", "--quiet", "--no-pager"])
    try session.waitForPrompt()
    return session
  }

  private func go(to place: Place, in session: TerminalSession) throws {
    session.forget()
    session.type(place.typed)
    if let sign = place.sign {
      try session.wait("\(place)", settles: false) { session.transcript.contains(sign) }
    } else {
      session.take(for: 0.02)
    }
  }

  /// All keys of ASCII but Ctrl-\, which ends a program, and some of those that send sequences.
  private static let allKeys =
    (0..<128).filter { $0 != 0x1C }.map { String(UnicodeScalar(UInt8($0))) }
    + ["\u{1B}[A", "\u{1B}[D", "\u{1B}OH", "\u{1B}[3~", "\u{1B}\u{1B}", "\u{1B}?", "\u{1B}f", "é"]

  /// Every key at every place takes minutes; each is typed at one of eight.
  @Test(arguments: Place.all.indices) func controlCComesBack(from index: Int) throws {
    let isLong = ProcessInfo.processInfo.environment["STORESCOPE_LONG"] == "1"
    let place = Place.all[index]
    let session = try open()
    for (number, key) in Self.allKeys.enumerated() where isLong || (number + index).isMultiple(of: 8) {
      try go(to: place, in: session)
      session.type(key)
      // The return key may have run something.
      session.take(for: 0.05)
      let prompts = session.promptCount
      session.type("\u{3}")
      try session.wait("the prompt after \(place) and \(Array(key.utf8))", seconds: 20) {
        session.promptCount > prompts
      }
      // A list that goes on after Ctrl-C is of names that readline has freed.
      let typesASCII = (place.typed + key).utf8.allSatisfy { $0 < 0x80 }
      #expect(!typesASCII || !session.transcript.contains("\u{FFFD}"), "\(session.transcript)")
    }
    try session.run("SELECT 6 * 7 AS answer;", seconds: 20, shows: "42")
    try session.quit()
    #expect(session.echoes)
  }

  @Test(arguments: Place.all) func signalsEndIt(at place: Place) throws {
    for signal in [SIGTERM, SIGHUP] {
      let session = try open()
      try go(to: place, in: session)
      kill(session.processID, signal)
      #expect(try session.end(seconds: 20) == 128 + signal)
      #expect(session.echoes)
    }
  }

  @Test(arguments: Place.all) func aClosedWindowEndsIt(at place: Place) throws {
    let session = try open()
    try go(to: place, in: session)
    session.hangUp()
    #expect([0, 128 + SIGHUP].contains(try session.end(seconds: 20)))
  }

  /// The terminal takes nothing, and whoever writes to it or restores it waits.
  @Test func aStoppedTerminalKeepsNobody() throws {
    let session = try open()
    session.type("\u{13}")
    session.take(for: 0.1)
    kill(session.processID, SIGTERM)
    #expect(try session.end(seconds: 30) == 128 + SIGTERM)
  }
}

/// A long session of whatever may be typed: it must never end by itself, nor grow.
@Suite(.waiting) struct ShellEnduranceTests {
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state >> 11 ^ state << 33
    }
  }

  private static let pieces: [[String]] = [
    [
      "summary", "entities", "rows", "show", "history", "mirror", "records", "pending", "events", "trace",
      "explain", "query", "doctor", "help", "back", "format", "limit", "timing", "pager", "settings", "open",
      "read", "typed", "SELECT", "VALUES", "EXPLAIN QUERY PLAN SELECT", "DELETE", ".tables", ".schema",
      ".mode", "\\d", "!", "1", "#", "Trip/p1", "Person/p3", "x-coredata://", "", "zz",
      "957203A6-C3CD-94A7-B0A0-0F1FF1A0D122",
    ],
    [
      "Trip", "Person", "Entry", "Place", "Trip/p1", "Trip 2", "1", "2", "99", "*", "1 FROM Trip", "(1)",
      "json", "table", "csv", "off", "134419", "changes-by-author", "'", "\"", "nothing", "", "", "\u{1}",
      "é日",
    ],
    [
      "--json", "--format csv", "--limit 2", "--where rating>3", "--by author", "--help", "--decode",
      "--limit", "-x", ";", "' '", "\\", "", "", "", "--format markdown", "--reverse", "--expand",
    ],
  ]

  private static var isLong: Bool { ProcessInfo.processInfo.environment["STORESCOPE_LONG"] != nil }

  @Test func neverEndsAndNeverGrows() throws {
    let demo = try Demo()
    let session = try TerminalSession(
      ["shell", demo.path, "--private", "--no-pager", "--no-color"], columns: 100, rows: 30)
    try session.waitForPrompt()
    var generator = Generator(state: 5)
    let count = Self.isLong ? 20_000 : 400
    var settled = 0
    for index in 0..<count {
      var line = Self.pieces.compactMap { $0.randomElement(using: &generator) }.joined(separator: " ")
      // Settings that would make the output of the rest huge, or wait.
      if line.hasPrefix("pager") || line.hasPrefix("read") { line = "settings" }
      // A statement that was begun is dropped, not gone on with.
      let prompts = session.promptCount
      session.type(line + "\r")
      try session.wait("a prompt after \(index): '\(line)'", settles: false) { session.promptCount > prompts }
      session.type("\u{3}")
      try session.wait("a prompt after Ctrl-C at \(index): '\(line)'", settles: false) {
        session.promptCount > prompts + 1
      }
      session.forget()
      if index == count / 4 { settled = session.memory }
    }
    // What the C library keeps for later differs from run to run.
    if Self.isLong {
      print("\(count) lines, \(settled) bytes of memory after a quarter, \(session.memory) at the end")
    }
    if settled > 0 { #expect(session.memory < settled + 8_000_000, "\(settled) \(session.memory)") }
    try session.run("SELECT 'still here' AS answer;", shows: "still here")
    try session.quit()
  }

  /// Connections and statements that hold each other would stay, with half a megabyte each.
  @Test func noCommandKeepsWhatItOpened() throws {
    let demo = try Demo()
    let session = try TerminalSession(
      ["shell", demo.path, "--private", "--no-pager", "--quiet"], columns: 100, rows: 30)
    try session.waitForPrompt()
    for line in [
      "SELECT COUNT(*) FROM pending;", "doctor", "pending", "trace Trip/p1", "history --by author",
    ] {
      for _ in 0..<3 { try session.run(line) }
      let files = session.openFiles
      // What the C library keeps for each thread differs from run to run, and then stays. What is kept by mistake grows in
      // each ten runs.
      var growth: [Int] = []
      repeat {
        let memory = session.memory
        for _ in 0..<10 { try session.run(line) }
        growth.append(session.memory - memory)
      } while growth.count < 4 && growth[growth.count - 1] >= 3_000_000
      #expect(growth[growth.count - 1] < 3_000_000, "\(line): \(growth)")
      #expect(session.openFiles == files, "\(line)")
      session.forget()
    }
  }
}
