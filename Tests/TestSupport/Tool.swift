import Base
package import Foundation
import Synchronization

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
  /// - Parameters:
  ///   - user: the number of the user whose rights it has; only root can choose another than its own.
  ///   - seconds: the program is killed when it runs longer; debug builds on busy machines are slow.
  package static func run(
    _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil,
    as user: UInt32? = nil,
    seconds: Double = 60
  ) throws -> Result {
    try result {
      ForkedRuns.Request(
        folder: folder ?? "", seconds: seconds, user: user, output: $0, errors: $1,
        environment: self.environment(environment), words: arguments)
    }
  }

  /// As `run(_:)`, another program.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], in folder: String? = nil,
    seconds: Double = 60
  ) throws -> Result {
    try result {
      ForkedRuns.Request(
        folder: folder ?? "", seconds: seconds, program: program, output: $0, errors: $1,
        environment: self.environment(environment), words: arguments)
    }
  }

  private static func result(_ request: (_ output: String, _ errors: String) -> ForkedRuns.Request) throws
    -> Result
  {
    let place = TemporaryFolder("run")
    let ended = try ForkedRuns.run(request(place.path("output"), place.path("errors")))
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
  static func environment(_ changes: [String: String]) -> [String: String] {
    var all = ProcessInfo.processInfo.environment
    for name in ["XDG_CONFIG_HOME", "NO_COLOR", "PAGER", "COLUMNS"] { all[name] = nil }
    all["HOME"] = "/nonexistent"
    return all.merging(changes) { _, new in new }
  }
}

/// Runs of the program's own code, each in a process of its own that was forked instead of loaded: see
/// `Tests/ForkServer`.
final class ForkedRuns: Sendable {
  struct Request {
    var folder = ""
    /// The run is stopped then by SIGALRM.
    var seconds = 60.0
    /// Whose rights it has; nil for this process's.
    var user: UInt32?
    /// Another program than storescope's own code.
    var program: String?
    var input = "/dev/null"
    var output: String
    var errors: String
    var environment: [String: String]
    var words: [String]

    fileprivate var bytes: Data {
      let texts =
        [folder, "\(Int(seconds.rounded(.up)))", user.map { "\($0)" } ?? "", program ?? ""]
        + [input, output, errors, "\(environment.count)"]
        + environment.map { "\($0)=\($1)" } + words
      let content = Data(texts.flatMap { Array($0.utf8) + [0] })
      return withUnsafeBytes(of: UInt32(content.count)) { Data($0) } + content
    }
  }

  private let input = Pipe()
  private let output = Pipe()

  /// Those that nobody is using: one more than there are tests at once. All runs of one server have its seed for hashes,
  /// so a test's next run takes another server: an order that comes of a Set or a Dictionary differs between the two.
  private static let idle = Mutex<[ForkedRuns]>([])

  private init() throws {
    let process = Process()
    process.executableURL = URL(filePath: Tool.folder + "/forkserver")
    process.environment = Tool.environment([:])
    let folder = TemporaryFolder("forkserver")
    process.arguments = [folder.path]
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    _ = try output.fileHandleForReading.read(upToCount: 1)
    // One that is gone is an error of the write.
    signal(SIGPIPE, SIG_IGN)
  }

  /// - Returns: the exit code, or 128 and the signal that ended the run; and the memory it took at most, in bytes.
  static func run(_ request: Request) throws -> (status: Int32, memory: Int) {
    let server = try idle.withLock { $0.count > 1 ? $0.removeFirst() : nil } ?? ForkedRuns()
    try server.input.fileHandleForWriting.write(contentsOf: request.bytes)
    var answer = Data()
    while answer.count < 16 {
      guard let more = try server.output.fileHandleForReading.read(upToCount: 16 - answer.count),
        !more.isEmpty
      else { throw StoreScopeError(.failed, "The fork server is gone") }
      answer += more
    }
    idle.withLock { $0.append(server) }
    let numbers = answer.withUnsafeBytes { [UInt8]($0) }.withUnsafeBytes {
      ($0.loadUnaligned(as: Int64.self), $0.loadUnaligned(fromByteOffset: 8, as: Int64.self))
    }
    let signal = Int32(numbers.0 & 0x7F)
    return (signal == 0 ? Int32(numbers.0 >> 8 & 0xFF) : 128 + signal, Int(numbers.1))
  }
}
