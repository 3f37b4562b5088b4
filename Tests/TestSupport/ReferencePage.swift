import Foundation
import Values

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
