import Foundation
import TestSupport
import Testing

/// Whatever path a store has in a container, its address leads to it and to nothing else.
struct AddressTests {
  private let folder = TemporaryFolder("strange")

  /// A slash with a combining mark behind it is one Character, and none that is a slash.
  @Test("No path leads out, whatever follows its slashes", arguments: ["\u{301}", "\u{200D}", "\u{FE0F}"])
  func marks(_ mark: String) throws {
    try folder.makeFolder("in")
    let path = "Library/../\(mark)evil.store"
    try folder.pack([("Data/" + path, try FindRun.store())], as: "in/a.zip")
    var backup = BackupForge()
    backup.files.append(("AppDomain-a.b", path, try FindRun.store()))
    try backup.make(at: folder.path("in/backup"))
    for address in ["in/a.zip!/Data/" + path, "in/backup!/AppDomain-a.b/" + path] {
      try folder.run("summary", address).expectStatus(2)
    }
    let found = try FindRun.find("in", in: folder, "--copy-to", "out")
    #expect(found.addresses.isEmpty)
    #expect(found.skipped.values.count { $0.contains("leads out of") } == 2, "\(found.skipped)")
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    #expect(!names.contains { $0.utf8.contains("evil".utf8) }, "\(names)")
  }

  @Test("A folder whose name has such a slash in its path is one like any other")
  func markedFolders() throws {
    try folder.pack([("dir/\u{301}App.store", try FindRun.store())], as: "a.zip")
    let found = try FindRun.find("a.zip", in: folder)
    #expect(found.addresses == ["a.zip!/dir/\u{301}App.store"])
    try FindRun.expectOpens(found.addresses, in: folder)
  }

  @Test("Whatever find prints can be opened")
  func addresses() throws {
    let store = try FindRun.store()
    // A folder in the archive that ends as an archive's name does in an address.
    var marked = ZipForge()
    marked.add("x!/App.store", store)
    try folder.write(marked.ended, to: "marked.zip")
    // The archive's folder, next to one that has its name without the mark.
    for name in ["a", "a!"] { try folder.makeFolder(name) }
    try folder.write(marked.ended, to: "a!/c.zip")
    // A store called as the copy of the archive was.
    var inner = ZipForge()
    inner.add("inner", store)
    inner.add("archive", store)
    try folder.pack([("inner.zip", inner.ended)], as: "outer.zip")
    // The end of the archive is missing.
    var tar = TarArchive()
    tar.add("App.store", store)
    tar.add("b.db", [UInt8](repeating: 7, count: 100_000))
    try folder.write(Array(tar.bytes.dropLast(50_000)), to: "cut.tar")
    let found = try FindRun.find(".", in: folder)
    #expect(
      found.addresses == [
        "./a!/c.zip!/x!/App.store", "./cut.tar!/App.store", "./marked.zip!/x!/App.store",
        "./outer.zip!/inner.zip!/archive", "./outer.zip!/inner.zip!/inner",
      ])
    try FindRun.expectOpens(found.addresses, in: folder)
    try folder.run("summary", "cut.tar!/App.store").expectErrors("wasn't read, such as its -wal")
    // Its -wal was said to be missing, and had been read.
    tar = TarArchive()
    tar.add("App.store", store)
    tar.add("App.store-wal", [])
    tar.add("b.db", [UInt8](repeating: 7, count: 100_000))
    try folder.write(Array(tar.bytes.dropLast(50_000)), to: "later.tar")
    try folder.run("summary", "later.tar!/App.store").expectErrors("What follows its -wal wasn't read")
  }

  @Test("Two files of one name are none", arguments: ["a.zip", "a.tar"])
  func twice(_ name: String) throws {
    try folder.pack(["App.store", "./App.store"].map { ($0, try FindRun.store()) }, as: name)
    let found = try FindRun.find(name, in: folder)
    #expect(found.addresses.isEmpty)
    #expect(found.skipped["\(name)!/App.store"]?.contains("is there twice") == true, "\(found.skipped)")
  }

  /// The address that was listed led to neither of them, and nothing behind it was copied.
  @Test("Two archives of one name in another are none", arguments: ["a.zip", "a.tar"])
  func archiveTwice(_ name: String) throws {
    var inner = ZipForge()
    inner.add("App.store", try FindRun.store())
    try folder.pack(["in.zip", "in.zip", "other.zip"].map { ($0, inner.ended) }, as: name)
    let found = try FindRun.find(name, in: folder, "--copy-to", "out")
    #expect(found.addresses == ["\(name)!/other.zip!/App.store"])
    #expect(found.skipped.keys.sorted() == ["\(name)!/in.zip"], "\(found.skipped)")
    #expect(found.skipped["\(name)!/in.zip"]?.contains("is there twice") == true, "\(found.skipped)")
    try folder.run("summary", "\(name)!/in.zip!/App.store").expectErrors(status: 2, "has two files 'in.zip'")
  }

  /// Its stores were listed as often as it was named.
  @Test("An archive or a backup that two paths lead to is searched once", arguments: ["a.zip", "backup"])
  func namedTwice(_ container: String) throws {
    try folder.pack([("App.store", try FindRun.store())], as: container)
    let address = "\(container)!/" + (container == "backup" ? "AppDomain-a.b/" : "") + "App.store"
    let found = try FindRun.find(container, in: folder, "./" + container, ".", address)
    #expect(found.addresses == [address])
    let twice = try FindRun.find(address, in: folder, "./" + address)
    #expect(twice.addresses == [address])
    // What leads into a container first was listed again with all of it, and copied twice.
    #expect(try FindRun.find(address, in: folder, container).addresses == [address])
  }

  /// It was listed for its last store, and again for itself; what lies in folders once for each way to it.
  @Test("What can't be read is listed once")
  func skippedOnce() throws {
    var tar = TarArchive()
    for path in ["a/App.store", "b/App.store"] { tar.add(path, try FindRun.store()) }
    try folder.write(Array(tar.bytes.dropLast(50_000)), to: "cut.tar")
    try folder.write(Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0xFF, count: 8176), to: "c.store")
    let found = try FindRun.find(".", in: folder, "../\((folder.path as NSString).lastPathComponent)")
    #expect(found.addresses == ["./cut.tar!/a/App.store"])
    #expect(found.skipped.keys.sorted() == ["./c.store", "./cut.tar"], "\(found.skipped)")
    #expect(
      found.skipped["./cut.tar"]?.hasPrefix(
        "'b/App.store' and what follows it in the archive can't be read: ") == true, "\(found.skipped)")
  }

  /// Folders on disk did; one in an archive was no file of it.
  @Test(
    "A folder in a container stands for its one store, and a name alone brings up the stores of that name")
  func meantStores() throws {
    var zip = ZipForge()
    var backup = BackupForge()
    for path in ["a/one/App.store", "b/App.store", "b/Other.store"] {
      zip.add(path, try FindRun.store())
      backup.files.append(("AppDomain-a.b", path, try FindRun.store()))
    }
    try folder.write(zip.ended, to: "a.zip")
    try backup.make(at: folder.path("backup"))
    for start in ["a.zip!/", "backup!/AppDomain-a.b/"] {
      for place in ["a", "a/one/"] {
        let one = try folder.run("entities", start + place, "--json").expectOutput(
          status: 0, "\"path\":\"\(start)a/one/App.store\"")
        // JSON has the path already, and what is on standard error may stop a script.
        #expect(one.errors.isEmpty)
        let rows = try folder.run("entities", start + place)
        #expect(rows.errors == "storescope: the store is '\(start)a/one/App.store'\n")
      }
      let summary = try folder.run("summary", start + "a")
      let inside = start.hasPrefix("a.zip") ? "In a.zip: a" : "In backup: AppDomain-a.b/a"
      #expect(summary.output.contains("\n\(inside)/one/App.store\n"), "\(summary.output)")
      try folder.run("summary", start + "b").expectErrors(status: 2, "b' holds 2 stores; pass those")
    }
    for typed in ["a.zip!/App.store", "a.zip/App.store", "a.zip!App.store"] {
      let named = try folder.run("summary", typed)
      #expect(
        named.status == 2
          && named.errors.hasSuffix(
            "; stores of that name:\n  'a.zip!/a/one/App.store'  (36 objects, 25 pending)\n  'a.zip!/b/App.store'  (36 objects, 25 pending)\n"
          ), "\(named.errors)")
    }
    let missing = try folder.run("summary", "a.zip!/none")
    #expect(
      missing.errors
        == "storescope: 'a.zip' has no file 'none'; list the stores in it:\n  storescope find a.zip\n")
    // A search for it found nothing, as in a place where nothing is.
    let nothing = try folder.run("find", "a.zip!/none")
    #expect(nothing.status == 2 && nothing.output.hasPrefix("No store of Core Data"), "\(nothing)")
    #expect(
      nothing.errors
        == "storescope: 'a.zip' has no store at 'none'; list the stores in it:\n  storescope find a.zip\n")
    let slash = try folder.run("find", "a.zip/b")
    #expect(
      slash.status == 2 && slash.errors.hasSuffix("; type:\n  storescope find 'a.zip!/b'\n"), "\(slash)")
    // An archive in an archive was taken for a store.
    try folder.pack([("in.zip", zip.ended)], as: "outer.zip")
    try folder.run("summary", "outer.zip!/in.zip").expectErrors(
      status: 2, "in.zip' holds 3 stores; pass those")
    try folder.run("summary", "outer.zip!/in.zip!/a").expectOutput(
      "\nIn outer.zip: in.zip!/a/one/App.store\n")
    let url = try folder.run("find", "file://\(folder.path("a.zip"))", "--json")
    #expect((try url.json()["stores"] as? [Any])?.count == 3, "\(url.errors)")
  }

  @Test("Archives that aren't searched are named")
  func threeDeep() throws {
    var bytes = try FindRun.store()
    for name in ["App.store", "c.zip", "b.zip"] {
      var zip = ZipForge()
      zip.add(name, bytes)
      bytes = zip.ended
    }
    try folder.write(bytes, to: "a.zip")
    let found = try FindRun.find("a.zip", in: folder)
    #expect(found.skipped["a.zip!/b.zip!/c.zip"]?.contains("three archives deep") == true, "\(found.skipped)")
  }
}
