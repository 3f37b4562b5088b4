import Foundation
import Testing

/// Another process that has a store open: the `sqlite3` shell, driven through pipes.
package final class LiveWriter: @unchecked Sendable {
  package static let executable = ["/usr/bin/sqlite3", "/opt/homebrew/bin/sqlite3", "/usr/local/bin/sqlite3"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }
  package static let isAvailable = executable != nil

  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()
  private let errors = Pipe()

  package var processID: Int32 { process.processIdentifier }

  package init(_ path: String) throws {
    process.executableURL = URL(fileURLWithPath: try #require(Self.executable))
    process.arguments = ["-batch", path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = errors
    // A writer that is gone shall be an error of the write, not the end of the tests.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
    try send(".timeout 20000\n")
  }

  deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }

  package func send(_ text: String) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(text.utf8))
  }

  /// Runs the statements and waits until they are done; what they print.
  @discardableResult package func run(_ sql: String) throws -> String {
    try send(sql + ";\n.print #done#\n")
    var text = ""
    while !text.contains("#done#\n") {
      let data = output.fileHandleForReading.availableData
      guard !data.isEmpty else { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return text.replacingOccurrences(of: "#done#\n", with: "")
  }

  /// Closes the input and waits; what was written to standard error.
  package func finish() throws -> String {
    try input.fileHandleForWriting.close()
    _ = try output.fileHandleForReading.readToEnd()
    let text = try errors.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: text, as: UTF8.self)
  }
}
