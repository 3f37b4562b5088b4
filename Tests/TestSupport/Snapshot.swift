import Foundation
package import Testing

/// Compares text with a file beside the test. `RECORD_SNAPSHOTS=1` writes the file instead, and then the test fails,
/// so that recording can't pass for testing.
package func expectSnapshot(
  _ actual: String, named name: String, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let folder = URL(filePath: filePath).deletingLastPathComponent().appending(path: "Snapshots")
  let file = folder.appending(path: name)
  let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil
  guard !isRecording, let expected = try? String(contentsOf: file, encoding: .utf8) else {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try actual.write(to: file, atomically: true, encoding: .utf8)
    Issue.record("recorded \(name); read it, and run the test again", sourceLocation: sourceLocation)
    return
  }
  #expect(actual == expected, "\(name) differs", sourceLocation: sourceLocation)
}
