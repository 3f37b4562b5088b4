import Foundation
import Synchronization
import Values

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
    let folder = try TemporaryFolder("forkserver")
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
