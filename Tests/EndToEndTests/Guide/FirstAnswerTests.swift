import Forge
import Foundation
import TestSupport
import Testing

/// From the README alone to an answer: its two commands, typed as they stand there, about an app in a simulator.
struct FirstAnswerTests {
  @Test func twoCommandsAnswer() throws {
    let text = try GuidePage("README.md").text
    let heading = try #require(text.range(of: "## Two commands\n"))
    let block = try #require(text[heading.upperBound...].firstMatch(of: /```sh\n(.*)\n(.*)\n```/))
    let (home, demo) = (try TemporaryFolder("home"), try Demo())
    let data = home.path("Library/Developer/CoreSimulator/Devices/1F7A/data/Containers/Data/Application/2B90")
    try FindPlace.copy(demo.folder.path, to: data + "/Library/Application Support")
    try FindPlace.noteOwner("com.example.Journeys", in: data)

    let found = try Self.run(String(block.1), home)
    #expect(found.contains("com.example.Journeys") && found.contains("25 pending"), "\(found)")
    let path = String(try #require(found.firstMatch(of: /'.*Journeys\.store'/)).0)
    #expect(block.2.contains("'PATH OF A STORE'"))
    let summary = try Self.run(String(block.2.replacing("'PATH OF A STORE'", with: path)), home)
    #expect(summary.contains("Blocked: iCloud storage is full. 25 changes pending"), "\(summary)")
  }

  private static func run(_ command: String, _ home: TemporaryFolder) throws -> String {
    let words = try Tool.run(
      "/bin/sh", ["-c", "for word in \(command); do printf '%s\\0' \"$word\"; done"],
      environment: ["HOME": home.path])
    let result = try Tool.run(
      words.output.split(separator: "\0").dropFirst().map(String.init), environment: ["HOME": home.path])
    result.expectDone()
    return result.output
  }
}
