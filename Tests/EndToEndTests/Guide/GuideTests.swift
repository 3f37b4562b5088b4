import Forge
import Foundation
import TestSupport
import Testing

/// The README and the guide show what the program prints: each ```` ```console ```` block is a session in a folder with the
/// demo store. `RECORD_SNAPSHOTS=1 swift test --filter GuideTests` writes into all of them what it prints now.
struct GuideTests {
  @Test(arguments: GuidePage.names) func printsWhatIsShown(_ name: String) throws {
    let page = try GuidePage(name)
    var printed = page
    for (index, part) in page.parts.enumerated() {
      guard case .session(var steps) = part else { continue }
      let folder = try TemporaryFolder("guide")
      _ = try DemoStore.copy(in: folder.path)
      for index in steps.indices { steps[index].output = try Self.run(steps[index].command, in: folder.path) }
      printed.parts[index] = .session(steps)
    }
    for (shown, now) in zip(page.steps, printed.steps) where shown.output != now.output {
      Issue.record("\(name): after '\(shown.command)' it should show:\n\(now.output)")
    }
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil, printed.text != page.text {
      try printed.text.write(to: GuidePage.file(name), atomically: true, encoding: .utf8)
    }
  }

  /// What is printed, errors first. A command that begins with `storescope` gets its words as a shell splits them, and
  /// must succeed; any other is a shell's.
  private static func run(_ command: String, in folder: String) throws -> String {
    // A terminal of a usual width, in a year that short dates leave out.
    var environment = ["COLUMNS": "100", "SOURCE_DATE_EPOCH": "1795000000"]
    guard command.hasPrefix("storescope "), command.firstMatch(of: #/; | \| | && /#) == nil else {
      let tools = URL(filePath: Tool.path).deletingLastPathComponent().path
      environment["PATH"] = tools + ":" + (ProcessInfo.processInfo.environment["PATH"] ?? "")
      let result = try Tool.run("/bin/sh", ["-c", command], environment: environment, in: folder)
      return result.errors + result.output
    }
    let words = try Tool.run("/bin/sh", ["-c", "for word in \(command); do printf '%s\\0' \"$word\"; done"])
    let arguments = words.output.split(separator: "\0").dropFirst().map(String.init)
    let result = try Tool.run(arguments, environment: environment, in: folder)
    #expect(result.status == 0, "\(command): \(result.errors)")
    return result.errors + result.output
  }

  @Test(arguments: GuidePage.names) func examplesCanBeRead(_ name: String) throws {
    let page = try GuidePage(name)
    // Nothing is lost when it is recorded.
    #expect(try page.text == String(contentsOf: GuidePage.file(name), encoding: .utf8))
    for step in page.steps {
      #expect(step.command.contains("storescope ") && !step.output.isEmpty, "\(step.command)")
      #expect(step.command.count <= 120, "\(step.command)")
      // Messages aren't wrapped.
      let lines = step.output.split(separator: "\n").filter { !$0.hasPrefix("storescope: ") }
      #expect(lines.allSatisfy { $0.count <= 110 }, "\(step.command)")
    }
  }

  @Test func theREADMEIsShort() throws {
    let readme = try GuidePage("README.md")
    #expect(readme.steps.count >= 5)
    #expect(readme.text.utf8.count <= 8000, "what is longer belongs in the guide")
  }

  @Test func thereIsAGuide() throws {
    #expect(GuidePage.names.count > 10)
    #expect(try GuidePage.names.flatMap { try GuidePage($0).steps }.count > 30)
  }
}
