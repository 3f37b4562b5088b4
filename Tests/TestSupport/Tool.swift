package import Foundation

/// The program, run as a user runs it.
package enum Tool {
  package struct Result: Sendable {
    /// The exit code, or 128 and the signal that ended the program, as in a shell.
    package var status: Int32
    package var output: String
    package var errors: String
    package var outputBytes: Data
    /// What the run took at most, in bytes; 0 where that isn't known.
    package var memory = 0

    package func json() throws -> [String: Any] {
      try JSONSerialization.jsonObject(with: outputBytes) as? [String: Any] ?? [:]
    }
  }

  /// Next to the test bundle, where the package manager puts all it builds.
  static var folder: String {
    #if os(Linux)
      let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #else
      let folder =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
        ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
    return folder.absoluteURL.path
  }

  /// The real binary.
  package static var path: String { folder + "/storescope" }

  /// Runs the binary's code in a process that was forked, which takes a tenth of the time of one that is loaded; as a
  /// program with files for its standard input, output and error. `run(Tool.path, …)` runs the binary itself.
  /// - Parameter seconds: the program is killed when it runs longer; debug builds on busy machines are slow.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil, seconds: Double = 60
  ) throws -> Result {
    let place = try TemporaryFolder("run")
    let ended = try run(
      arguments, environment: environment, in: folder, seconds: seconds, output: place.path("output"),
      errors: place.path("errors"))
    let output = try Data(contentsOf: URL(fileURLWithPath: place.path("output")))
    let errors = try Data(contentsOf: URL(fileURLWithPath: place.path("errors")))
    return Result(
      status: ended.status, output: String(decoding: output, as: UTF8.self),
      errors: String(decoding: errors, as: UTF8.self), outputBytes: output, memory: ended.memory)
  }

  /// The same with files or a terminal for its standard input, output and error, by their paths.
  /// - Returns: the exit code, or 128 and the signal; and the memory that the run took at most, in bytes.
  @discardableResult
  package static func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil,
    seconds: Double = 60, input: String = "/dev/null", output: String, errors: String
  ) throws -> (status: Int32, memory: Int) {
    try ForkedRuns.run(
      ForkedRuns.Request(
        folder: folder ?? "", seconds: seconds, input: input, output: output, errors: errors,
        environment: self.environment(environment), words: arguments))
  }

  /// The tests' own environment without a developer's settings, which must not change what the tests see.
  private static func environment(_ changes: [String: String]) -> [String: String] {
    var all = ProcessInfo.processInfo.environment
    for name in ["XDG_CONFIG_HOME", "NO_COLOR", "PAGER", "COLUMNS"] { all[name] = nil }
    all["HOME"] = "/nonexistent"
    return all.merging(changes) { _, new in new }
  }

  /// As `run(_:)`, another program.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil,
    seconds: Double = 60
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.environment = self.environment(environment)
    if let folder { process.currentDirectoryURL = URL(filePath: folder) }
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let end = DispatchWorkItem { kill(process.processIdentifier, SIGKILL) }
    DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: end)
    // Both pipes are emptied at once: a full one would stop the program.
    let collected = Collector()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      collected.errors = errors.fileHandleForReading.readDataToEndOfFile()
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    group.wait()
    process.waitUntilExit()
    end.cancel()
    let signal: Int32 = process.terminationReason == .uncaughtSignal ? 128 : 0
    return Result(
      status: signal + process.terminationStatus, output: String(decoding: bytes, as: UTF8.self),
      errors: String(decoding: collected.errors, as: UTF8.self), outputBytes: bytes)
  }

  private final class Collector: @unchecked Sendable {
    var errors = Data()
  }
}
