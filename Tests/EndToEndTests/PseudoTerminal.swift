import Foundation
import TestSupport
import Testing

/// Runs the program with its output on a terminal.
enum PseudoTerminal {
  /// What a terminal of that size would be sent; line ends as line feeds.
  /// - Parameter typed: what a person types, with the return key as a line feed; with it everything is on the terminal.
  static func run(
    _ arguments: [String], columns: UInt16 = 100, rows: UInt16 = 40, environment: [String: String] = [:],
    typing typed: String? = nil
  ) throws -> String {
    // Glibc's module hides it behind a macro that Swift doesn't set.
    typealias OpenTerminal =
      @convention(c) (
        UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?,
        UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
      ) -> Int32
    let openTerminal = unsafeBitCast(try #require(dlsym(nil, "openpty")), to: OpenTerminal.self)
    var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    var (main, terminal): (Int32, Int32) = (-1, -1)
    try #require(openTerminal(&main, &terminal, nil, nil, &size) == 0)
    // No other test's program may keep the terminal open.
    for descriptor in [main, terminal] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    let process = Process()
    process.executableURL = URL(filePath: Tool.path)
    process.arguments = arguments + ["--no-pager"]
    var all = ProcessInfo.processInfo.environment
    for name in ["NO_COLOR", "COLUMNS"] { all[name] = nil }
    all["TERM"] = "xterm"
    process.environment = all.merging(environment) { $1 }
    let handle = FileHandle(fileDescriptor: terminal, closeOnDealloc: false)
    process.standardInput = typed == nil ? FileHandle.nullDevice : handle
    process.standardOutput = handle
    process.standardError = typed == nil ? FileHandle.nullDevice : handle
    // The terminal keeps the lines until somebody asks for them.
    let bytesTyped = Array((typed ?? "").utf8)
    try #require(write(main, bytesTyped, bytesTyped.count) == bytesTyped.count)
    try process.run()
    close(terminal)
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    // Reading ends with an error once nobody has the terminal's other end open.
    while case let count = read(main, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    close(main)
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
  }
}
