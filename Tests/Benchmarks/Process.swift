import SystemCalls
import Values

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

/// Two commands taken in turn: medians.
struct Comparison {
  /// As one would type them.
  var commands: [String]
  var ratio: Double
  /// Of ours.
  var seconds: Double
  var peakBytes: Int

  /// Medians of `rounds` rounds, after one that doesn't count.
  init(_ ours: (String, [String]), against peer: (String, [String]), rounds: Int) throws {
    commands = [Self.typed(ours), Self.typed(peer)]
    var ratios: [Double] = []
    var times: [Double] = []
    var peak = 0
    for round in 0...rounds {
      let one = Process.run(ours.0, ours.1)
      let other = Process.run(peer.0, peer.1)
      guard one.status == 0, other.status == 0 else {
        throw StoreScopeError(.failed, "'\(one.status == 0 ? peer : ours)' ended with an error.")
      }
      guard round > 0 else { continue }
      ratios.append(one.seconds / other.seconds)
      times.append(one.seconds)
      peak = max(peak, one.peakBytes)
    }
    ratio = ratios.sorted()[ratios.count / 2]
    seconds = times.sorted()[times.count / 2]
    peakBytes = peak
  }
  private static func typed(_ command: (program: String, arguments: [String])) -> String {
    if command.program == Process.shell, let script = command.arguments.last { return script }
    return ([command.program] + command.arguments).map(ShellQuotes.word).joined(separator: " ")
  }
}
