import Foundation
import TestSupport
import Testing

/// The program on a terminal of its own, which a test types into.
final class TerminalSession {
  private(set) var screen: TerminalScreen
  /// All bytes that came.
  private(set) var transcript = ""
  let processID: pid_t
  private let main: Int32
  private var isOpen = true
  private var status: Int32?
  private var earlierPrompts = 0
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  struct Timeout: Error, CustomStringConvertible {
    var description: String
  }

  init(
    _ arguments: [String], of program: String = Tool.path, columns: Int = 80, rows: Int = 24,
    environment: [String: String] = [:]
  ) throws {
    screen = TerminalScreen(columns: columns, rows: rows)
    let opened = try PseudoTerminal.open(Self.size(columns, rows))
    main = opened.main
    processID = try Self.spawn([program] + arguments, on: opened.path, Self.environment(environment))
    close(opened.terminal)
    _ = fcntl(main, F_SETFL, O_NONBLOCK)
  }

  deinit {
    if status == nil {
      kill(processID, SIGKILL)
      var status: Int32 = 0
      waitpid(processID, &status, 0)
    }
    hangUp()
  }

  /// Closes the window.
  func hangUp() {
    if isOpen { close(main) }
    isOpen = false
  }

  private static func size(_ columns: Int, _ rows: Int) -> winsize {
    winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
  }

  private static func environment(_ changes: [String: String]) -> [String: String] {
    var all = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "COLUMNS", "LINES", "LC_ALL", "LC_CTYPE", "XDG_CONFIG_HOME", "INPUTRC"] {
      all[name] = nil
    }
    // The pager is what a machine has, or none.
    all.merge(["TERM": "xterm", "LANG": "C.UTF-8", "HOME": "/nonexistent", "PAGER": "cat"]) { $1 }
    return all.merging(changes) { $1 }
  }

  /// Starts the program in a session of its own, whose terminal then is what it opens first: only so Ctrl-C is a signal.
  private static func spawn(
    _ command: [String], on terminal: [CChar], _ environment: [String: String]
  ) throws -> pid_t {
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // The tests' own threads may block or ignore signals, which the program would inherit.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    // POSIX_SPAWN_SETSID, which Glibc's module hides.
    #if os(Linux)
      let newSession: Int16 = 0x80
    #else
      let newSession: Int16 = 0x400
    #endif
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))
    posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    // Else a file that another test is copying is open in this program as well, and counts as a store in use.
    #if os(Linux)
      for descriptor in 3..<Int32(256) { posix_spawn_file_actions_addclose(&actions, descriptor) }
    #endif
    var words: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    var process: pid_t = 0
    try #require(posix_spawn(&process, command[0], &actions, &attributes, &words, &variables) == 0)
    return process
  }

  // MARK: - Typing

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(main, $0.baseAddress, $0.count) }
      if count > 0 { sent += count } else if errno == EAGAIN { take(for: 0.01) } else { return }
    }
  }

  /// Types a line and waits for the next prompt; all of `parts` are on the screen then.
  func run(
    _ line: String, seconds: Double = 60, shows parts: String...,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try typeUntilPrompt(line + "\r", seconds: seconds)
    for part in parts {
      #expect(screen.text.contains(part), "\(line): \(screen.text)", sourceLocation: sourceLocation)
    }
  }

  func typeUntilPrompt(_ text: String, seconds: Double = 60) throws {
    let prompts = promptCount
    type(text)
    try wait("a prompt after '\(text)'", seconds: seconds) { promptCount > prompts }
  }

  /// Types Ctrl-D, which ends it, or another way out.
  func quit(_ word: String = "\u{4}", sourceLocation: SourceLocation = #_sourceLocation) throws {
    type(word)
    #expect(try end() == 0, sourceLocation: sourceLocation)
  }

  func resize(columns: Int, rows: Int) {
    var size = Self.size(columns, rows)
    _ = ioctl(main, UInt(TIOCSWINSZ), &size)
    take(for: 0.3)
    screen.resize(columns: columns, rows: rows)
  }

  // MARK: - Seeing

  /// readline turns bracketed paste on whenever it waits for a line, and then prints the prompt. After Ctrl-C it also turns
  /// it on before a line break: a test that counted this one typed its Ctrl-D before the shell was reading keys again.
  var promptCount: Int {
    let parts = transcript.components(separatedBy: Self.linesBegin).dropFirst()
    return earlierPrompts + parts.count { $0.first?.isNewline == false }
  }

  private static let linesBegin = "\u{1B}[?2004h"

  func waitForPrompt(_ count: Int = 1) throws {
    try wait("prompt \(count)") { promptCount >= count }
  }

  func wait(for text: String, seconds: Double = 60) throws {
    try wait("'\(text)'", seconds: seconds) { transcript.contains(text) }
  }

  /// - Parameter settles: whether to take what comes right after it too, for those who look at the screen.
  func wait(_ what: String, seconds: Double = 60, settles: Bool = true, until isDone: () -> Bool) throws {
    let end = Date(timeIntervalSinceNow: seconds)
    while !isDone() {
      guard Date() < end else {
        throw Timeout(description: "waited for \(what), but there is:\n\(screen.wholeText)")
      }
      guard takeNext(within: 0.05) || isDone() else {
        throw Timeout(description: "waited for \(what), but it ended:\n\(screen.wholeText)")
      }
    }
    // What belongs to the same moment.
    while settles, takeNext(within: 0.05, isMore: true) {}
  }

  /// Takes what comes within so many seconds; false once the program is gone.
  @discardableResult
  func take(for seconds: Double) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    repeat {
      guard takeNext(within: end.timeIntervalSinceNow) else { return false }
    } while Date() < end
    return true
  }

  /// Takes what comes next, within so many seconds; false once the program is gone.
  /// - Parameter isMore: false too where nothing came.
  private func takeNext(within seconds: Double, isMore: Bool = false) -> Bool {
    guard isOpen else {
      Thread.sleep(forTimeInterval: max(0, seconds))
      return false
    }
    var waiting = pollfd(fd: main, events: Int16(POLLIN), revents: 0)
    _ = poll(&waiting, 1, Int32(max(1, seconds * 1000)))
    let count = read(main, &buffer, buffer.count)
    if count > 0 {
      screen.feed(Array(buffer[..<count]))
      transcript += String(decoding: buffer[..<count], as: UTF8.self)
      return true
    }
    return count < 0 && errno != EIO && !isMore
  }

  /// Lets go of what came so far, in a session that goes on for hours.
  func forget() {
    earlierPrompts = promptCount
    transcript = transcript.hasSuffix(Self.linesBegin) ? Self.linesBegin : ""
    screen.forgetScrolled()
  }

  /// The exit code, once it has left.
  func end(seconds: Double = 30) throws -> Int32 {
    let end = Date(timeIntervalSinceNow: seconds)
    var result: Int32 = 0
    while waitpid(processID, &result, WNOHANG) == 0 {
      guard Date() < end else { throw Timeout(description: "it didn't end:\n\(screen.text)") }
      take(for: 0.02)
    }
    take(for: 0.02)
    status = result
    return result & 0x7F == 0 ? (result >> 8) & 0xFF : 128 + result & 0x7F
  }

  /// Whether the terminal shows what is typed.
  var echoes: Bool {
    var attributes = termios()
    return tcgetattr(main, &attributes) == 0 && attributes.c_lflag & tcflag_t(ECHO) != 0
  }

  /// How many files it has open; 0 where the system doesn't tell.
  var openFiles: Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(processID)/fd").count) ?? 0
  }

  /// Resident memory in bytes.
  var memory: Int {
    let text = (try? String(contentsOfFile: "/proc/\(processID)/status", encoding: .utf8)) ?? ""
    let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
    return (Int(line.filter(\.isNumber)) ?? 0) * 1024
  }
}
