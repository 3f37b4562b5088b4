package import Foundation

/// The real binary, run as a user runs it.
package enum Tool {
  package struct Result: Sendable {
    /// The exit code, or 128 and the signal that ended the program, as in a shell.
    package var status: Int32
    package var output: String
    package var errors: String
    package var outputBytes: Data

    package func json() throws -> [String: Any] {
      try JSONSerialization.jsonObject(with: outputBytes) as? [String: Any] ?? [:]
    }
  }

  /// Beside the test bundle, where the package manager puts all it builds.
  package static var path: String {
    #if os(Linux)
      let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #else
      let folder =
        Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL.deletingLastPathComponent()
        ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    #endif
    return folder.appending(path: "storescope").path
  }

  /// - Parameter seconds: the program is killed when it runs longer; debug builds on busy machines are slow.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil, seconds: Double = 60
  ) throws -> Result {
    try run(path, arguments, environment: environment, in: folder, seconds: seconds)
  }

  /// As `run(_:)`, another program.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil,
    seconds: Double = 60
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    var all = ProcessInfo.processInfo.environment
    // A developer's own settings must not change what the tests see.
    for name in ["XDG_CONFIG_HOME", "NO_COLOR", "PAGER", "COLUMNS"] { all[name] = nil }
    all["HOME"] = "/nonexistent"
    process.environment = all.merging(environment) { _, new in new }
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
