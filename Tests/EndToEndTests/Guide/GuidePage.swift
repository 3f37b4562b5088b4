import Foundation

/// A page of Markdown: text, and the sessions that its ```` ```console ```` blocks show.
struct GuidePage {
  struct Step {
    /// What stands behind `$ `.
    var command: String
    /// What the program prints then, in lines.
    var output: String
  }

  enum Part {
    case text(String)
    case session([Step])
  }

  static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
  static let guide = "Sources/storescope/storescope.docc"

  /// The README and all articles of the guide, by their paths.
  static let names: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: guide).path)) ?? []
    return ["README.md"] + files.filter { $0.hasSuffix(".md") }.sorted().map { "\(guide)/\($0)" }
  }()

  static func file(_ name: String) -> URL { root.appending(path: name) }

  var parts: [Part]

  init(_ name: String) throws { self.init(text: try String(contentsOf: Self.file(name), encoding: .utf8)) }

  init(text: String) {
    parts = []
    var (lines, steps): (String, [Step]?) = ("", nil)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      if steps == nil {
        lines += line + "\n"
        guard line == "```console" else { continue }
        parts.append(.text(lines))
        (lines, steps) = ("", [])
      } else if line == "```" {
        parts.append(.session(steps ?? []))
        (lines, steps) = (line + "\n", nil)
      } else if line.hasPrefix("$ ") {
        steps?.append(Step(command: String(line.dropFirst(2)), output: ""))
      } else if let last = steps?.indices.last {
        steps?[last].output += line + "\n"
      }
    }
    parts.append(.text(lines))
  }

  var text: String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .session(let steps): steps.map { "$ \($0.command)\n\($0.output)" }.joined()
      }
    }.joined()
  }

  var steps: [Step] {
    parts.flatMap { part -> [Step] in
      if case .session(let steps) = part { steps } else { [] }
    }
  }
}
