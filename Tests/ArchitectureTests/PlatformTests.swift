import Foundation
import Testing

/// One folder calls the operating system. Then there is one place where the systems differ, and `.ci/check-darwin` can
/// type-check all of it on any of them.
struct PlatformTests {
  private static let sources = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

  @Test func oneFolderKnowsTheSystem() throws {
    var (found, others) = ([String](), 0)
    for file in try FileManager.default.subpathsOfDirectory(atPath: Self.sources.path)
    where file.hasSuffix(".swift") {
      let isHome = file.hasPrefix("Base/System/")
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
      found += try Self.connections(in: source).map { "\(file): \($0)" }
    }
    #expect(found.isEmpty, "\(found.joined(separator: "\n"))")
    #expect(
      try Self.connections(in: "let descriptor = socket(AF_INET, type, 0)\nimport Network\nimport Networks")
        == ["AF_INET", "import Network"])
  }

  /// What a source names that programs reach others by. By Foundation's expressions: Swift's take minutes for all sources.
  private static func connections(in source: String) throws -> [String] {
    let names =
      #"(AF|PF)_INET6?|AF_UNIX|getaddrinfo|gethostbyname|URLSession|NWConnection|CFStream\w*|libcurl"#
    let modules = #"(import|link) "?(Network|FoundationNetworking|CFNetwork|curl|NIO\w*)"#
    let expression = try NSRegularExpression(pattern: #"\b(\#(names)|\#(modules))\b"#)
    let text = source as NSString
    return expression.matches(in: source, range: NSRange(location: 0, length: text.length)).map {
      text.substring(with: $0.range)
    }
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
