import Base

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// A finished process: how long it took, and how much memory it had at most.
struct Process {
  var seconds: Double
  var peakBytes: Int
  var status: Int32

  static let shell = "/bin/sh"

  /// Runs the program with its output thrown away.
  static func run(_ path: String, _ arguments: [String]) -> Process {
    let start = Platform.monotonicSeconds()
    let child = spawn(path, arguments)
    var status: Int32 = 0
    var usage = rusage()
    wait4(child, &status, 0, &usage)
    #if canImport(Darwin)
      let unit = 1
    #else
      let unit = 1024
    #endif
    return Process(
      seconds: Platform.monotonicSeconds() - start, peakBytes: usage.ru_maxrss * unit, status: status)
  }

  private static func spawn(_ path: String, _ arguments: [String]) -> pid_t {
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var words: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) }
    words.append(nil)
    defer { words.forEach { free($0) } }
    var child: pid_t = 0
    posix_spawnp(&child, path, &actions, nil, words, environ)
    return child
  }
}

/// Two commands taken in turn: medians. Or one alone, once, for its memory.
struct Comparison {
  /// As one would type them.
  var commands: [String]
  /// Nil if it was measured alone.
  var ratio: Double?
  /// Of ours.
  var seconds: Double
  var peakBytes: Int

  typealias Command = (program: String, arguments: [String])

  /// Medians of `rounds` rounds, after one that doesn't count.
  init(_ ours: Command, against peer: Command, rounds: Int) throws {
    commands = [Self.typed(ours), Self.typed(peer)]
    var ratios: [Double] = []
    var times: [Double] = []
    var peak = 0
    for round in 0...rounds {
      let one = try Self.run(ours)
      let other = try Self.run(peer)
      guard round > 0 else { continue }
      ratios.append(one.seconds / other.seconds)
      times.append(one.seconds)
      peak = max(peak, one.peakBytes)
    }
    ratio = ratios.sorted()[ratios.count / 2]
    seconds = times.sorted()[times.count / 2]
    peakBytes = peak
  }

  /// One run.
  init(alone command: Command) throws {
    let run = try Self.run(command)
    (commands, seconds, peakBytes) = ([Self.typed(command)], run.seconds, run.peakBytes)
  }

  private static func run(_ command: Command) throws -> Process {
    let process = Process.run(command.program, command.arguments)
    guard process.status == 0 else {
      throw StoreScopeError(.failed, "'\(typed(command))' ended with an error.")
    }
    return process
  }

  private static func typed(_ command: Command) -> String {
    if command.program == Process.shell, let script = command.arguments.last { return script }
    return ([command.program] + command.arguments).map(ShellQuotes.word).joined(separator: " ")
  }

  /// Without the folders in which the stores and the program were, and cut: the SQL that reads every column of every table has thousands of
  /// letters.
  func naming(_ storescope: String, _ folders: [String]) -> Comparison {
    var named = self
    named.commands = commands.map { command in
      let short = folders.reduce(command) { $0.replacing("\($1)/", with: "") }
        .replacing(storescope, with: "storescope")
      return short.count > 1200 ? short.prefix(1200) + "…" : short
    }
    return named
  }

  // MARK: - In a file

  var fields: [String] {
    [ratio.map { String($0) } ?? "", String(seconds), String(peakBytes)]
      + commands.map { $0.replacing("\n", with: " ") }
  }

  init?(_ fields: ArraySlice<String>) {
    let fields = Array(fields)
    guard fields.count > 3, let seconds = Double(fields[1]), let peakBytes = Int(fields[2]) else {
      return nil
    }
    (self.seconds, self.peakBytes, ratio) = (seconds, peakBytes, Double(fields[0]))
    commands = Array(fields.dropFirst(3))
  }
}
