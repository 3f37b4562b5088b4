import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs the program with its output on a terminal.
enum PseudoTerminal {
  /// Both ends of a new one, and the path of the second.
  static func open(_ size: winsize) throws -> (main: Int32, terminal: Int32, path: [CChar]) {
    // Glibc's module hides it behind a macro that Swift doesn't set.
    typealias OpenTerminal =
      @convention(c) (
        UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<CChar>?,
        UnsafeMutableRawPointer?, UnsafeMutableRawPointer?
      ) -> Int32
    let openTerminal = unsafeBitCast(try #require(dlsym(nil, "openpty")), to: OpenTerminal.self)
    var size = size
    var (main, terminal): (Int32, Int32) = (-1, -1)
    var path = [CChar](repeating: 0, count: 128)
    try #require(openTerminal(&main, &terminal, &path, nil, &size) == 0)
    // No other test's program may keep the terminal open.
    for descriptor in [main, terminal] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return (main, terminal, path)
  }

  /// What a terminal of that size would be sent; line ends as line feeds.
  /// - Parameter typed: what a person types, with the return key as a line feed; with it everything is on the terminal.
  static func run(
    _ arguments: [String], columns: UInt16 = 100, rows: UInt16 = 40, environment: [String: String] = [:],
    typing typed: String? = nil
  ) throws -> String {
    let size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    let (main, terminal, path) = try open(size)
    // The terminal keeps the lines until somebody asks for them.
    let bytesTyped = Array((typed ?? "").utf8)
    try #require(write(main, bytesTyped, bytesTyped.count) == bytesTyped.count)
    let name = path.withUnsafeBufferPointer {
      String(decoding: $0.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    }
    let other = typed == nil ? "/dev/null" : name
    let variables = ["TERM": "xterm"].merging(environment) { $1 }
    let ended = Mutex<Result<Void, any Error>?>(nil)
    let group = DispatchGroup()
    DispatchQueue.global().async(group: group) { [terminal] in
      let result = Result {
        _ = try Tool.run(
          arguments + ["--no-pager"], environment: variables, input: other, output: name, errors: other)
      }
      ended.withLock { $0 = result }
      // Reading ends with an error once nobody has this end open.
      close(terminal)
    }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = read(main, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
    group.wait()
    close(main)
    try ended.withLock { try $0?.get() }
    return String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n")
  }
}
