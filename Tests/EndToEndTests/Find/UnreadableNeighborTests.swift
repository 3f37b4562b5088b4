import Foundation
import TestSupport
import Testing

/// Stores that can't be read, and archives that aren't whole.
struct UnreadableNeighborTests {
  private let folder = TemporaryFolder("unread")

  private static func damagedZip(_ good: Int, in folder: TemporaryFolder) throws {
    var zip = ZipForge()
    for number in 0..<good { zip.add("x/Good\(number).store", try FindRun.store()) }
    zip.add("x/Bad.store", try FindRun.store(), isDamaged: true)
    try folder.write(zip.ended, to: "a.zip")
  }

  /// It was opened as if it were the only one, with exit code 0; and of two, the third was left out.
  @Test("A store doesn't stand for one that can't be read", arguments: [1, 2])
  func neighbor(_ good: Int) throws {
    try Self.damagedZip(good, in: folder)
    for place in ["a.zip", "a.zip!/x"] {
      try folder.run("summary", place).expectErrors(
        status: 2, "and 1 that can't be read: a.zip!/x/Bad.store: ", "'a.zip!/x/Good0.store'")
    }
    try FindRun.expectOpens(["a.zip!/x/Good0.store"], in: folder)
  }

  @Test("What can't be read doesn't keep others from being copied, and a script learns of it")
  func partialCopy() throws {
    try Self.damagedZip(1, in: folder)
    let result = try folder.run("find", "a.zip", "--copy-to", "out").expectErrors(
      status: 2, "'out' lacks 1 store")
    #expect(FileManager.default.fileExists(atPath: folder.path("out/Good0.store")))
    #expect(result.output.contains("help places"), "\(result.output)")
    // Why not stood on stderr only, below the table.
    try folder.run("find", "a.zip", "--copy-to", "out").expectRefused("never overwritten")
  }

  /// The first of them ended the search.
  @Test(
    "A place that can't be searched keeps no other from it",
    arguments: ["absent", "notes.txt", "empty.zip", "a.zip/x", "file://host/x"])
  func otherPlaces(_ bad: String) throws {
    try Self.damagedZip(1, in: folder)
    try folder.write(Array("text".utf8), to: "notes.txt")
    try folder.write([], to: "empty.zip")
    try folder.run("find", bad, "a.zip!/x/Good0.store").expectDone().expectOutput(
      "'a.zip!/x/Good0.store'", "\nSkipped\n\(bad): ")
    try folder.run("find", bad).expectErrors(status: 2, bad)
    try folder.run("find", bad, "absent").expectErrors(status: 2, "None of these places")
  }

  /// Its reason was on stdout, and a line without it on stderr.
  @Test func whatCantBeReadIsSaidOnce() throws {
    try folder.write(Array("PK\u{3}\u{4}garbage".utf8), to: "bad.zip")
    let result = try folder.run("find", "bad.zip")
    #expect(result.status == 2 && !result.output.contains("bad.zip"), "\(result.output)")
    expectText(result.errors, begins: "storescope: can't search 'bad.zip': the archive is cut off")
  }

  /// It could be taken for one that can't be read.
  @Test func anArchiveWithoutStoresSaysSo() throws {
    try folder.pack([("a.txt", [1])], as: "none.zip")
    let result = try folder.run("find", "none.zip").expectDone()
    #expect(result.output == "No store of Core Data or SwiftData was found in 'none.zip'.\n")
  }

  /// It ended with 0, and a script went on without a copy.
  @Test func nothingToCopyFails() throws {
    try folder.pack([("a.txt", [1])], as: "none.zip")
    try folder.run("find", "none.zip", "--copy-to", "out").expectErrors(
      status: 2, "Nothing was copied to 'out'")
  }

  /// The library's words say nothing to most: 'Unrecognized archive format', 'Truncated tar archive'.
  @Test func unreadableArchivesAreNamedInOurWords() throws {
    let store = try FindRun.store()
    try folder.write(TarArchive.Compression.gzip.packed(store), to: "App.sqlite.gz")
    var tar = TarArchive()
    tar.add("App.store", store)
    try folder.write(Array(tar.ended.prefix(store.count / 2)), to: "cut.tar")
    try folder.write([], to: "empty.zip")
    for command in ["find", "summary"] {
      func expect(_ file: String, _ text: String) throws {
        let result = try folder.run(command, file)
        #expect(
          result.status == 2 && (result.output + result.errors).contains(text),
          "\(result.output)\(result.errors)")
      }
      try expect(
        "App.sqlite.gz",
        "is a single compressed file, not an archive; unpack it first: gunzip -k App.sqlite.gz")
      try expect("cut.tar", "the archive is cut off or damaged (")
      try expect("empty.zip", "it is an empty file (0 bytes). Was the download complete?")
    }
  }

  /// Two lines named one cause, one of them with a number of the library's. The store itself was left out, though its
  /// address opens.
  @Test func damageHasOneLine() throws {
    var tar = TarArchive()
    tar.add("App.store", try Demo().folder.read("Journeys.store"))
    tar.add("App.store-wal", [UInt8](repeating: 7, count: 100_000))
    try folder.write(Array(tar.bytes.dropLast(50_000)), to: "cut.tar")
    let found = try FindRun.find("cut.tar", in: folder)
    #expect(found.addresses == ["cut.tar!/App.store"] && found.skipped.count == 1, "\(found.skipped)")
    #expect(
      found.skipped["cut.tar"]?.contains("'App.store-wal' and what follows it") == true, "\(found.skipped)")
  }

  /// Who wrote it so, or in other case, was told that there's no such file.
  @Test(
    "Other spellings of an address lead to it", arguments: ["a.zip:x/Good0.store", "a.zip!/X/good0.STORE"])
  func spellings(_ address: String) throws {
    try Self.damagedZip(1, in: folder)
    try folder.run("summary", address).expectErrors(status: 2, "'a.zip!/x/Good0.store'")
  }

  /// It was offered --model.
  @Test func anAppLeadsToFind() throws {
    try folder.run("summary", "Devices", "--app", "Journeys").expectErrors(
      status: 64, "'find' and 'fleet' have '--app'")
  }

  /// '3' was taken for a file.
  @Test func numbersAreForATerminal() throws {
    try folder.write(try FindRun.store(), to: "App.store")
    let result = try folder.run("shell", "App.store", "-c", "find .", "-c", "open 1")
    #expect(result.status != 0 && result.errors.contains("numbers only on a terminal"), "\(result.errors)")
  }
}
