import Foundation
import Testing

/// One target calls the operating system. Then there is one place where the systems differ, and `.ci/check-darwin` can
/// type-check all of it on any of them.
struct PlatformTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  @Test func onlySystemCallsKnowsTheSystem() throws {
    var (found, others) = ([String](), 0)
    for file in try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
    where file.hasSuffix(".swift") {
      let isHome = file.hasPrefix("SystemCalls/")
      let source = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      if !isHome { others += 1 }
      for line in Self.places(in: source) {
        if !isHome {
          found.append("\(file): \(line)")
        }
        // `os(Linux)` is true where the branches for Apple's systems are type-checked on Linux.
        else if line.hasPrefix("#"), line != "#if canImport(Darwin)", line != "#if !canImport(Darwin)",
          line != "#if canImport(CommonCrypto)"
        {
          found.append("\(file): \(line); ask for canImport(Darwin)")
        }
      }
    }
    #expect(others > 400)
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
  }

  /// A promise: nothing that is read leaves the machine.
  @Test func nothingConnects() throws {
    var found: [String] = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
    where file.hasSuffix(".swift") || file.hasSuffix(".h") || file.hasSuffix(".modulemap") {
      let source = try String(contentsOf: Self.sources.appending(path: file), encoding: .utf8)
      found += source.split(separator: "\n").filter(Self.connects).map { "\(file): \($0)" }
    }
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    #expect(Self.connects("let descriptor = socket(AF_INET, type, 0)") && Self.connects("import Network"))
  }

  /// Whether a line uses what programs reach others by.
  private static func connects(_ line: Substring) -> Bool {
    line.contains(
      #/\b(AF_INET6?|PF_INET6?|AF_UNIX|getaddrinfo|gethostbyname|URLSession|NWConnection|CFStream\w*|libcurl)\b/#
    )
      || line.contains(#/\b(import|link) "?(Network|FoundationNetworking|CFNetwork|curl|NIO\w*)\b/#)
  }

  /// Without this, a mistake in the reading would pass everything.
  @Test func itIsFound() {
    let source = """
      // import Glibc
      import GlibcSomething
      package import Darwin
        @preconcurrency import Glibc
      #if os(macOS)
      #elseif DEBUG
      let text = "#if"
      """
    #expect(
      Self.places(in: source) == [
        "package import Darwin", "@preconcurrency import Glibc", "#if os(macOS)", "#elseif DEBUG",
      ])
  }

  /// The lines that import the C library, or what only one system has, and all conditions.
  private static func places(in source: String) -> [String] {
    let place =
      #/^(#(if|elseif)\b.*|[@\w ]*\bimport (Glibc|Musl|Darwin|CommonCrypto|CNettle|CLinux|CXattr|Foundation)\b.*)$/#
    return source.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { $0.contains(place) }
  }
}
