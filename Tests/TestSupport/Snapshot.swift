import Base
package import Foundation

/// Compares text with a file next to the test, and throws where they differ. `RECORD_SNAPSHOTS=1` writes the file
/// instead, and throws then too, so that recording can't pass for testing.
package func expectSnapshot(_ actual: String, named name: String, filePath: String = #filePath) throws {
  let folder = URL(filePath: filePath).deletingLastPathComponent().appending(path: "Snapshots")
  try expectSnapshot(actual, at: folder.appending(path: name))
}

/// The same with a file elsewhere.
package func expectSnapshot(_ actual: String, at file: URL) throws {
  let name = file.lastPathComponent
  let isRecording = ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil
  guard !isRecording, let expected = try? String(contentsOf: file, encoding: .utf8) else {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try actual.write(to: file, atomically: true, encoding: .utf8)
    throw StoreScopeError(.failed, "recorded \(name); read it, and run the test again")
  }
  guard actual == expected else {
    throw StoreScopeError(.failed, "\(name) differs. Expected:\n\(expected)\nbut it is:\n\(actual)")
  }
}

/// Holds a page of the reference, in `storescope.docc`, against what it is generated from, and throws if they differ.
/// `RECORD_SNAPSHOTS=1` writes the page instead, and throws too, so that recording can't pass for testing.
package func expectPage(_ name: String, _ text: String) throws {
  let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "Sources/storescope/storescope.docc/\(name)")
  if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] != nil {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try text.write(to: file, atomically: true, encoding: .utf8)
    throw StoreScopeError(.failed, "wrote \(name); read it, and run the test again")
  }
  guard (try? String(contentsOf: file, encoding: .utf8)) == text else {
    throw StoreScopeError(
      .failed, "\(name) isn't current", advice: "RECORD_SNAPSHOTS=1 swift test --filter Page writes it")
  }
}
