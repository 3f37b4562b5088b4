import Archives
import Base
import Forge
import SQLite

#if canImport(Darwin)
  import Darwin
#else
  @preconcurrency import Glibc
#endif

/// A zip of 5 GB with 200,000 entries, as tools that copy a whole device make them: `find`, against `unzip` listing it and
/// then decompressing the databases in it once.
enum LargeArchive {
  static let forgeOption = "--forge-archive"
  static let name = "find in a zip of 5 GB, 200,000 entries"
  private static let entries = 200_000
  /// Of a picture, which DEFLATE can't make smaller.
  private static let pictureBytes = 25_000
  /// A device has about a thousand databases, a few of which are Core Data's.
  private static let entriesPerDatabase = 200
  private static let databasesPerStore = 50

  static func comparison(_ storescope: String, in folder: String) throws -> Comparison {
    let archive = folder + "/case.zip"
    guard Process.run(CommandLine.arguments[0], [forgeOption, archive]).status == 0 else {
      throw StoreScopeError(.failed, "The archive \(archive) could not be forged.")
    }
    defer { Files.remove(archive) }
    let shell = "unzip -l '\(archive)' > /dev/null && unzip -p '\(archive)' '*.sqlite' > /dev/null"
    return try Comparison(
      (storescope, ["find", archive, "--json", "--quiet"]), against: (Process.shell, ["-c", shell]), rounds: 3
    )
  }

  static func row(_ comparisons: [Int: Comparison]) -> ResultTable.Row {
    ResultTable.Row(
      name, peer: "unzip listing it and reading its databases", goal: 1.5, comparisons)
  }

  /// `benchmark --forge-archive PATH`
  static func forge() throws {
    guard CommandLine.arguments.count == 3, let folder = Platform.realPath("/tmp"),
      let file = OpenFile(CommandLine.arguments[2], for: .making)
    else { throw StoreScopeError(.failed, "'\(forgeOption)' takes a path.") }
    let place = "\(folder)/storescope-archive-\(getpid())"
    defer { Files.remove(place) }
    let store = try FileReader.bytes(of: DemoStore.make(in: place), limit: 1 << 24)
    try Connection(path: "\(place)/other", options: .readWrite(create: true)).execute(
      """
      CREATE TABLE t(a);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO t SELECT 'row ' || i || hex(randomblob(40)) FROM n
      """)
    let other = try FileReader.bytes(of: "\(place)/other", limit: 1 << 24)
    let noise = (0..<pictureBytes * 2).map { _ in UInt8.random(in: 0...255) }
    let output = OutputBuffer(write: file.write)
    let archive = ZipWriter(output, modified: Platform.now())
    for number in 0..<entries {
      let folder = "private/var/mobile/Containers/Data/Application/\(number / 1000)/Library/\(number / 100)"
      if number % entriesPerDatabase > 0 {
        try add(
          "\(folder)/IMG_\(number).JPG", noise[(number % pictureBytes)...].prefix(pictureBytes), to: archive)
      } else {
        let isStore = number / entriesPerDatabase % databasesPerStore == 0
        try add("\(folder)/\(number).sqlite", (isStore ? store : other)[...], to: archive)
      }
    }
    archive.finish()
  }

  private static func add(_ name: String, _ bytes: ArraySlice<UInt8>, to archive: ZipWriter) throws {
    try archive.add(name, size: Int64(bytes.count)) { write in bytes.withUnsafeBytes(write) }
  }
}
