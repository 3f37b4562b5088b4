import Foundation
import SystemCalls
import TestSupport
import Testing

/// What killed processes leave behind: parts of what they read, decrypted perhaps.
struct LeftoverTests {
  /// It stayed until the next command that took something out of an archive or a backup, which may be never.
  @Test(arguments: [["--version"], ["find", "."], ["rules"]])
  func anyCommandTakesCopiesAway(_ words: [String]) throws {
    let folder = try TemporaryFolder("leftovers")
    let left = folder.path("storescope-open-\(getuid())-abc")
    for path in [left, folder.path("storescope-open-mine"), folder.path("other")] {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      try Data("x".utf8).write(to: URL(filePath: path + "/Manifest.db"))
    }
    _ = try Tool.run(words, environment: ["TMPDIR": folder.path], in: folder.path)
    #expect(try folder.names().filter { !$0.contains("/") }.sorted() == ["other", "storescope-open-mine"])
  }

  /// They stayed forever.
  @Test func theNextHandoverTakesPartsAway() throws {
    let demo = try Demo()
    let folder = try TemporaryFolder("leftovers")
    // No process has a number that high: https://man7.org/linux/man-pages/man5/proc_sys_kernel.5.html (pid_max)
    let (dead, alive) = ("case.zip.999999999.parts", "case.zip.\(getppid()).parts")
    let others = [alive, "case.zip.x.parts", "other.zip.999999999.parts", "case.zip.999999999"]
    for name in [dead] + others {
      try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: false)
      try Data("x".utf8).write(to: URL(filePath: folder.path(name) + "/Redacted.store"))
    }
    let result = try Tool.run(["handover", demo.path, "-o", folder.path("case.zip")])
    #expect(result.status == 0, "\(result.errors)")
    let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(left.sorted() == (others + ["case.zip"]).sorted())
  }
}
