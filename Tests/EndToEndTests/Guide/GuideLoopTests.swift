import Foundation
import TestSupport
import Testing

/// Loops of the guide, run as they stand there over names that somebody else chose.
struct GuideLoopTests {
  private static func exists(_ program: String) -> Bool {
    FileManager.default.isExecutableFile(atPath: "/usr/bin/\(program)")
  }

  /// A customer's archive with line ends in a name said where a report is written, and of which store.
  @Test(.enabled(if: exists("jq") && exists("xargs"))) func reportsOfAFleet() throws {
    let text = try String(contentsOf: GuidePage.file("\(GuidePage.guide)/Fleet.md"), encoding: .utf8)
    let start = try #require(text.range(of: "```sh\nmkdir reports\n"))
    let end = try #require(text.range(of: "\n```\n", range: start.upperBound..<text.endIndex))
    let loop = "mkdir reports\n" + text[start.upperBound..<end.lowerBound]

    let folder = try TemporaryFolder("guide-loop")
    var store = try FindRun.store()
    var zip = ZipForge()
    zip.add("a\n../planted\nmine.store", store)
    // A store of its own, by the application's number in its header.
    store[71] ^= 1
    zip.add("it's $(touch planted) \"b\".store", store)
    try zip.write(to: folder.path("case.zip"))
    let tools = URL(filePath: Tool.path).deletingLastPathComponent().path
    let path = ["PATH": "\(tools):/usr/bin:/bin"]
    let fleet = try Tool.run(["fleet", "case.zip", "--to", "fleet"], in: folder.path)
    #expect(fleet.status == 0, "\(fleet.errors)")
    let before = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    let run = try Tool.run("/bin/sh", ["-c", loop], environment: path, in: folder.path)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: folder.path)) == Set(before).union(["reports"]))
    let ids = try FleetPlace.rows("stores", in: folder.path("fleet")).compactMap { $0["storeId"] as? String }
    let reports = try FileManager.default.contentsOfDirectory(atPath: folder.path("reports"))
    #expect(ids.count == 2 && Set(reports) == Set(ids.map { "\($0).html" }), "\(reports)")
  }

  /// No block goes by the lines of names.
  @Test(arguments: GuidePage.names) func noLoopReadsLines(_ name: String) throws {
    let text = try String(contentsOf: GuidePage.file(name), encoding: .utf8)
    #expect(!text.contains("while read") && !text.contains("| xargs storescope"))
    #expect(!text.contains(#/find [^|\n]*-name[^|\n]*\| *storescope/#), "names of files may have line ends")
  }
}
