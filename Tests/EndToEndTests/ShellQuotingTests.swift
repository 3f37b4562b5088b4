import Commands
import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// B1: bash inserted the names of a store unquoted between quotes, so that a name such as `Person$(command)` ran its
/// command when the completed line was entered. Here the real shells complete hostile names on a terminal, and what the
/// entered line gives to the program must be exactly the name.
@Suite(.waiting) struct ShellQuotingTests {
  /// The first two characters, which are those typed, tell the names apart.
  static let names = [
    "Aa$(touch${IFS}PWNED)", "Ba`touch${IFS}PWNED`", "Ca'$(touch${IFS}PWNED)'y", "Da\"$(touch${IFS}PWNED)\"z",
    "Ea!ls", "Fa\\b\\", "Ga;touch PWNED", "Ha*?[a]", "Ia~ b", "Ja#x & y", "Ka'\u{301}$(touch${IFS}PWNED)",
    "La{a,b}", "Ma!", "Na'", "Oa\"", "Pa$HOME", "Qa>PWNED", "Ra|touch PWNED", "Sa=~/x:y@z", "Ta(x)",
    "Ua$'\\x41'", "Va\"'\"$(touch${IFS}PWNED)", "Wa\\\"$(touch${IFS}PWNED)", "~Xa", "*Ya",
  ]
  /// No shell is ever offered these: a line end would enter the line.
  static let unspeakable = [
    "Za\nb", "Zb\tc", "Zc\u{1B}[31m", "Zd\rtouch PWNED", "Ze\u{E0041}", "Zf\u{202E}x",
  ]
  static let leadingDash = "-Za$(touch${IFS}PWNED)"

  private static func store(in folder: TemporaryFolder) throws {
    let model = ManagedObjectModel(
      entities: (names + unspeakable + [leadingDash]).map {
        EntityDescription(
          name: $0, attributes: [AttributeDescription(name: "a", type: .string)], relationships: [])
      })
    try StoreForge(path: folder.path("s.store"), model: model).close(leaving: .nothing)
  }

  @Test func whatEndsALineIsNeverOffered() throws {
    let folder = TemporaryFolder()
    try Self.store(in: folder)
    for options in [[], ["--quoted"], ["--bash", " \t\n\"'@><=;|&(:"]] {
      for quote in ["", "\"", "'"] where !options.isEmpty || quote.isEmpty {
        let words = ["__complete"] + options + ["--", "rows", folder.path("s.store"), quote + "Z"]
        #expect(try Tool.run(words).output == "", "\(options) \(quote)")
      }
    }
    let all = try Tool.run(["__complete", "--", "rows", folder.path("s.store"), ""]).output
    #expect(Set(all.split(separator: "\n").map(String.init)) == Set(Self.names + [Self.leadingDash]))
  }

  private static func program(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// In each shell a function stands for the program: it keeps what it is given, but completion asks the program.
  private static let recorder = """
    storescope() {
      if [[ $1 == __complete ]]; then command storescope "$@"; return; fi
      printf '%s\\0' "$@" > out.new; command mv out.new out
    }
    """

  @Test(.enabled(if: program("bash") != nil, "bash isn't installed")) func bashRunsNothing() throws {
    try check(
      "bash", ["--norc", "--noprofile", "-i"], script: "script",
      "\(Self.recorder)\nsource ./script\n", unquoted: { $0.hasPrefix("~") || $0.hasPrefix("*") ? "\\" : "" })
  }

  @Test(.enabled(if: program("zsh") != nil, "zsh isn't installed")) func zshRunsNothing() throws {
    try check(
      "zsh", ["-f", "-i"], script: "_storescope",
      "\(Self.recorder)\nfpath=($PWD $fpath)\nautoload -Uz compinit\ncompinit -u -D\n",
      unquoted: { $0.hasPrefix("~") || $0.hasPrefix("*") ? "\\" : "" })
  }

  @Test(.enabled(if: program("fish") != nil, "fish isn't installed")) func fishRunsNothing() throws {
    try check(
      "fish", ["--no-config", "-i"], script: "script",
      """
      function storescope
        printf '%s\\0' $argv > out.new; command mv out.new out
      end
      source ./script

      """, unquoted: { $0.hasPrefix("~") || $0.hasPrefix("*") ? "\\" : "" })
  }

  /// - Parameters:
  ///   - script: what the completion script's file is called.
  ///   - setUp: read by the shell before anything is typed.
  ///   - unquoted: what is typed before a name's beginning outside of quotes.
  private func check(
    _ shell: String, _ arguments: [String], script: String, _ setUp: String, unquoted: (String) -> String
  ) throws {
    let folder = TemporaryFolder()
    try Self.store(in: folder)
    try Tool.run(["completions", shell]).output.write(
      toFile: folder.path(script), atomically: true, encoding: .utf8)
    try setUp.write(toFile: folder.path("setup"), atomically: true, encoding: .utf8)
    let tool = (Tool.path as NSString).deletingLastPathComponent
    let session = try TerminalSession(
      ["-c", "cd \"$1\" && shift && exec \"$@\"", "sh", folder.path, try #require(Self.program(shell))]
        + arguments, of: "/bin/sh", columns: 200,
      environment: [
        "PATH": tool + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? ""), "HOME": folder.path,
        "HISTFILE": "/dev/null", "INPUTRC": "/dev/null",
      ])
    session.type("source ./setup; echo ready''now\r")
    try session.wait(for: "readynow")
    // What begins with a dash zsh takes for an option, and asks nobody.
    for name in Self.names + (shell == "zsh" ? [] : [Self.leadingDash]) {
      for quote in ["", "\"", "'"] {
        let dashes = name.hasPrefix("-") ? "-- " : ""
        let typed = "\(dashes)\(quote.isEmpty ? unquoted(name) : quote)\(name.prefix(2))"
        session.type("storescope rows s.store \(typed)\t\r")
        // A line whose quotes aren't closed waits for more.
        try? session.wait(typed, seconds: 20) { FileManager.default.fileExists(atPath: folder.path("out")) }
        let given = try? String(contentsOfFile: folder.path("out"), encoding: .utf8)
        #expect(
          given?.split(separator: "\0").last.map(String.init) == name,
          "\(shell): \(typed) became \(given ?? "nothing")\n\(given == nil ? session.screen.text : "")")
        try? FileManager.default.removeItem(atPath: folder.path("out"))
        if given == nil { session.type("\u{3}\r") }
      }
    }
    let left = try folder.names().filter { $0.contains("PWNED") }
    #expect(left.isEmpty, "\(shell) ran what a name says")
    session.type("exit\r")
  }
}
