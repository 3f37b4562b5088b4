import Foundation
import TestSupport
import Testing

/// Passwords of encrypted backups, from files and from the keyboard.
struct BackupPasswordTests {
  private let folder = TemporaryFolder("strange")

  @Test("A password's file may be a pipe, and plain stores need none")
  func passwords() throws {
    try FindRun.makeBackup(in: folder, password: "right")
    let program = Tool.path
    try Tool.run(
      "/bin/sh", ["-c", "printf 'right\\r\\nmore' | '\(program)' find backup --password-file /dev/stdin"],
      in: folder.path
    ).expectOutput("(1 store)")
    try folder.write(Array("right".utf8), to: "password")
    // The commands that are advised need it, too.
    try folder.run("doctor", "backup", "--password-file", "password").expectOutput(
      " --password-file password")
    let refused = try folder.run("resync", "backup", "--pull", "--password-file", "password")
    #expect(
      refused.status == 2 && refused.errors.hasSuffix(" --copy-to App --password\n"), "\(refused.errors)")
    try folder.write(try FindRun.store(), to: "b.store")
    try folder.run("summary", "b.store", "--password-file", "missing").expectStatus()
  }

  /// Fifty million rounds of each kind were done, for each backup of a folder; of more, one kind was left out without a word, and
  /// the password was called another one.
  @Test(
    "A key bag with more rounds than Apple's is refused", arguments: [("DPIC", 10_000_001), ("ITER", 10_001)])
  func rounds(_ tag: String, _ rounds: UInt32) throws {
    var forge = BackupForge()
    forge.files = [("AppDomain-a.b", "Library/App.store", try FindRun.store())]
    try forge.make(at: folder.path("backup"), password: "right", claimedRounds: [tag: rounds])
    try folder.write(Array("right".utf8), to: "password")
    let found = try FindRun.find("backup", in: folder, "--password-file", "password")
    let reason = try #require(found.skipped["backup"])
    #expect(reason.contains("rounds of hashing") && reason.contains("of Apple's backups"), "\(reason)")
    #expect(found.skipped.count == 1)
  }

  /// It left a terminal that shows nothing of what is typed.
  @Test("Ctrl-C ends the question for a password")
  func interruptedPassword() throws {
    try FindRun.makeBackup(in: folder, password: "right")
    let session = try TerminalSession(["find", folder.path("backup"), "--password"])
    try session.wait(for: "Password of the backup: ")
    session.type("\u{3}")
    try session.wait(for: "interrupted")
    #expect(try session.end() == 2)
  }

  /// It said that there is no terminal.
  @Test("Ctrl-D at the question for a password enters none")
  func noPassword() throws {
    try FindRun.makeBackup(in: folder, password: "right")
    let session = try TerminalSession(["find", folder.path("backup"), "--password"])
    try session.wait(for: "Password of the backup: ")
    session.type("\u{4}")
    // The path in front of it decides where the line ends.
    try session.wait(for: "entered")
    #expect(try session.end() == 2)
  }

  /// Whoever stops the program goes on working on that terminal.
  @Test("Ctrl-Z at the question for a password gives the terminal back as it was")
  func stoppedPassword() throws {
    try FindRun.makeBackup(in: folder, password: "right")
    let session = try TerminalSession(
      ["-mc", "'\(Tool.path)' find '\(folder.path("backup"))' --password; echo stopped; sleep 60; fg"],
      of: "/bin/sh")
    try session.wait(for: "Password of the backup: ")
    #expect(!session.echoes)
    session.type("\u{1A}")
    try session.wait(for: "stopped")
    #expect(session.echoes)
  }

  /// Ctrl-Z and Ctrl-\ did nothing anymore.
  @Test("After Ctrl-C at the question for a password, a shell takes other signals as before")
  func signalsAfterPassword() throws {
    try FindRun.makeBackup(in: folder, password: "right")
    try folder.write(try FindRun.store(), to: "App.store")
    let session = try TerminalSession(
      ["shell", folder.path("App.store")], environment: ["SWIFT_BACKTRACE": "enable=no"])
    session.type("open '\(folder.path("backup"))' --password\r")
    try session.wait(for: "Password of the backup: ")
    session.type("\u{3}")
    try session.wait(for: "interrupted")
    kill(session.processID, SIGQUIT)
    #expect(try session.end() == 128 + SIGQUIT)
  }

  /// 'open 1' needed --password, and asked for what had been given to 'find'.
  @Test("A shell asks once for the password of a backup")
  func keptPassword() throws {
    try FindRun.makeBackup(in: folder, password: "right")
    try FindRun.makeBackup(at: "other", in: folder, password: "right")
    try folder.write(try FindRun.store(), to: "C.store")
    let session = try TerminalSession([folder.path("C.store"), "--no-pager"], columns: 200)
    try session.waitForPrompt()
    func type(_ line: String, _ answer: String) throws {
      session.type(line + "\r")
      try session.wait(for: answer)
    }
    try type("find '\(folder.path("backup"))' --password", "Password of the backup: ")
    try type("right", "'open NUMBER' opens one of them")
    try type("open 1", "App.store · ")
    try type("find '\(folder.path("backup"))' --copy-to '\(folder.path("out"))'", "out/App.store")
    // What has other keys is asked for.
    try type("find '\(folder.path("other"))'", "is an encrypted backup")
    try session.quit("quit\r")
    #expect(session.transcript.components(separatedBy: "Password of the backup: ").count == 2)
  }

  /// The terminal stayed as it was for the password, and showed nothing of what was typed into the user's shell.
  @Test(
    "Ctrl-\\ and Ctrl-Z at the question for a password leave the terminal as it was",
    arguments: [true, false])
  func stoppedPassword(_ quits: Bool) throws {
    try FindRun.makeBackup(in: folder, password: "right")
    // Swift's own handler for Ctrl-\ would let the program go on.
    let session = try TerminalSession(
      ["find", folder.path("backup"), "--password"],
      environment: ["SWIFT_BACKTRACE": "enable=yes,interactive=no"])
    try session.wait(for: "Password of the backup: ")
    #expect(!session.echoes)
    session.type("wro")
    session.type(quits ? "\u{1C}" : "\u{1A}")
    if quits {
      #expect(try session.end() == 128 + SIGQUIT)
    } else {
      // The kernel doesn't stop what no shell could have go on: it is as if it went on at once. A SIGCONT from here would
      // take a SIGTSTP back that hasn't arrived yet.
      try session.wait("the question again") {
        session.transcript.components(separatedBy: "Password of the backup: ").count == 3
      }
      session.type("right\r")
      try session.wait(for: "(1 store)")
      #expect(try session.end() == 0)
    }
    #expect(session.echoes)
  }
}
