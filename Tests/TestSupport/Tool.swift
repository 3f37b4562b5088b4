package import Foundation

/// The real binary, run as a user runs it.
package enum Tool {
  package struct Result: Sendable {
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

  package static func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil
  ) throws -> Result {
    let process = Process()
    process.executableURL = URL(filePath: path)
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
    // Both pipes are emptied at once: a full one would stop the program.
    let collected = Collector()
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) {
      collected.errors = errors.fileHandleForReading.readDataToEndOfFile()
    }
    let bytes = output.fileHandleForReading.readDataToEndOfFile()
    group.wait()
    process.waitUntilExit()
    return Result(
      status: process.terminationStatus, output: String(decoding: bytes, as: UTF8.self),
      errors: String(decoding: collected.errors, as: UTF8.self), outputBytes: bytes)
  }

  private final class Collector: @unchecked Sendable {
    var errors = Data()
  }
}
