import Foundation
import Testing

/// What developers read is about what there is.
struct DocumentTests {
  private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  /// All pages of the project, by their paths.
  static let pages: [String] = {
    let places = ["Sources", "Tests", "Queries", ".github"]
    return ["README.md"]
      + places.flatMap { place in
        (FileManager.default.enumerator(atPath: root.appending(path: place).path)?.compactMap {
          $0 as? String
        }
          ?? [])
          .filter { $0.hasSuffix(".md") }.map { "\(place)/\($0)" }
      }.sorted()
  }()

  @Test(arguments: pages) func linksLeadSomewhere(_ page: String) throws {
    let place = Self.root.appending(path: page)
    for target in Self.links(in: try Self.text(page)) {
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(
        String.init)
      let file = parts[0].isEmpty ? place : place.deletingLastPathComponent().appending(path: parts[0])
      guard FileManager.default.fileExists(atPath: file.standardizedFileURL.path) else {
        Issue.record("\(page): there is no \(parts[0])")
        continue
      }
      guard parts.count > 1 else { continue }
      let anchors = Self.anchors(in: try String(contentsOf: file, encoding: .utf8))
      #expect(anchors.contains(parts[1]), "\(page): there is no heading for \(target)")
    }
  }

  @Test func pagesAreFound() throws {
    #expect(Self.pages.count > 20)
    #expect(
      Self.links(in: "[a](b.md#c), ![d](e.svg)\n```\n[no](link)\n```\n`[no](code)` [f](https://g.h)")
        == ["b.md#c", "e.svg"])
    #expect(
      Self.anchors(in: "## What is stable in 1.x\n### … a `rule`") == [
        "what-is-stable-in-1x", "-a-rule",
      ])
  }

  private static func lines(of text: String) -> [Substring] {
    var isCode = false
    return text.split(separator: "\n").filter { line in
      if line.drop(while: { $0 == " " }).hasPrefix("```") { isCode.toggle() }
      return !isCode
    }
  }

  private static func links(in text: String) -> [String] {
    lines(of: text).flatMap { line in
      line.replacing(/`[^`]*`/, with: "code").matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) }
    }.filter { !$0.contains("://") && !$0.hasPrefix("mailto:") }
  }

  /// As GitHub makes them: https://docs.github.com/get-started/writing-on-github#section-links
  private static func anchors(in text: String) -> Set<String> {
    Set(
      lines(of: text).filter { $0.hasPrefix("#") }.map { line in
        line.drop { $0 == "#" }.drop { $0 == " " }.lowercased()
          .filter { $0.isLetter || $0.isNumber || $0 == " " || $0 == "-" || $0 == "_" }
          .replacing(" ", with: "-")
      })
  }

  /// A new target has a line that says what it is for.
  @Test func everyTargetIsDescribed() throws {
    let package = try Self.text("Package.swift")
    let named = package.matches(
      of: /\b(?:library|tests)\(\s*"(\w+)"|\b\w*(?:[tT]arget|systemLibrary)\(\s*name: "(\w+)"/)
    let names = named.map { String($0.1 ?? $0.2 ?? "") }
    #expect(names.count > 40)
    let pages = try Self.text("Sources/README.md") + Self.text("Tests/README.md")
    for name in names { #expect(pages.contains("`\(name)`") || pages.contains("`\(name)Tests`"), "\(name)") }
  }
}
