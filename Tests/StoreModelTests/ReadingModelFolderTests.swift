import Archives
import Base
import Forge
import Foundation
import StoreModel
import TestSupport
import Testing

/// Model files and folders made here: merged models, missing parts, what is no model at all.
struct ReadingModelFolderTests {
  private let folder = TemporaryFolder()

  private func write(_ bytes: [UInt8], to name: String) throws {
    let path = folder.path(name)
    try FileManager.default.createDirectory(
      atPath: String(path.prefix(upTo: try #require(path.lastIndex(of: "/")))),
      withIntermediateDirectories: true)
    try folder.write(bytes, to: name)
  }

  private func write(_ text: String, to name: String) throws { try write(Array(text.utf8), to: name) }

  private func mom(_ entities: [String]) -> [UInt8] {
    let writer = KeyedArchiveWriter()
    let dictionary = writer.dictionary(
      entities.map { name in
        let fields = [("NSEntityName", KeyedArchiveWriter.Field.reference(writer.string(name)))]
        return (key: writer.string(name), value: writer.object("NSEntityDescription", fields: fields))
      })
    return writer.bytes(
      root: writer.object("NSManagedObjectModel", fields: [("NSEntities", .reference(dictionary))]))
  }

  private func hashes(_ names: [String], _ byte: UInt8 = 1) -> PropertyList {
    .dictionary(
      PropertyListDictionary(names.map { .init($0, .data([UInt8](repeating: byte, count: 32))) }))
  }

  private func momd(_ name: String, versions: [String: [String]], byte: UInt8 = 1) throws {
    var list: [PropertyListDictionary.Entry] = []
    for (version, entities) in versions.sorted(by: { $0.key < $1.key }) {
      try write(mom(entities), to: "\(name)/\(version).mom")
      list.append(.init(version, hashes(entities, byte)))
    }
    let info: PropertyList = ["NSManagedObjectModel_VersionHashes": .dictionary(PropertyListDictionary(list))]
    try write(BinaryPropertyList.write(info), to: "\(name)/VersionInfo.plist")
  }

  private func metadata(_ names: [String]) -> StoreMetadata {
    StoreMetadata(uuid: nil, propertyList: .decoded(["NSStoreModelVersionHashes": hashes(names)]))
  }

  private func message(_ path: String, _ metadata: StoreMetadata? = nil) -> String {
    let error = #expect(throws: StoreScopeError.self) { try ModelFile.load(path: path, metadata: metadata) }
    return error?.description ?? ""
  }

  @Test func severalModelsTogether() throws {
    try momd("App/One.momd", versions: ["One": ["A", "B"], "One 2": ["A", "B", "X"]])
    try momd("App/Two.momd", versions: ["Two": ["C"]])
    let merged = try ModelFile.load(path: folder.path("App"), metadata: metadata(["A", "B", "C"]))
    #expect(merged.map(\.name) == ["One + Two"])
    #expect(merged.map(\.isVerified) == [true])
    #expect(merged.first.map { $0.model.entities.map(\.name).sorted() } == ["A", "B", "C"])
    let single = try ModelFile.load(path: folder.path("App"), metadata: metadata(["C"]))
    #expect(single.map(\.name) == ["Two"])
    #expect(
      message(folder.path("App"), metadata(["A", "B", "C", "D"])).contains("\"Two\" differs in 3 of 4"))
  }

  @Test func versionWithoutItsFile() throws {
    try momd("M.momd", versions: ["M": ["A"], "M 2": ["A", "B"]])
    try FileManager.default.removeItem(atPath: folder.path("M.momd/M.mom"))
    let all = try ModelFile.load(path: folder.path("M.momd"), metadata: nil)
    #expect(all.map(\.name) == ["M 2"])
    #expect(message(folder.path("M.momd"), metadata(["A"])).contains("M.momd/M.mom"))
  }

  @Test func folderWithoutVersionInfo() throws {
    try write(mom(["A"]), to: "M.momd/M.mom")
    let candidates = try ModelFile.load(path: folder.path("M.momd"), metadata: metadata(["A"]))
    #expect(candidates.map(\.name) == ["M"])
    #expect(candidates.map(\.isVerified) == [false])
  }

  @Test func versionInfoCannotLeadOutOfTheFolder() throws {
    try write(mom(["A"]), to: "Secret.mom")
    try momd("M.momd", versions: [:])
    let list: PropertyList = ["NSManagedObjectModel_VersionHashes": ["../Secret": hashes(["A"])]]
    try write(BinaryPropertyList.write(list), to: "M.momd/VersionInfo.plist")
    #expect(message(folder.path("M.momd"), metadata(["A"])).contains("no compiled model"))
  }

  @Test func versionsOfASource() throws {
    let model = { (entity: String) in "<model><entity name=\"\(entity)\"/></model>" }
    try write(model("A"), to: "M.xcdatamodeld/M.xcdatamodel/contents")
    try write(model("A"), to: "M.xcdatamodeld/M 2.xcdatamodel/contents")
    try write(model("B"), to: "M.xcdatamodeld/M 3.xcdatamodel/contents")
    let path = folder.path("M.xcdatamodeld")
    #expect(try ModelFile.load(path: path, metadata: nil).map(\.name) == ["M 2", "M 3", "M"])
    try write(
      "<plist><dict><key>_XCCurrentVersionName</key><string>M.xcdatamodel</string></dict></plist>",
      to: "M.xcdatamodeld/.xccurrentversion")
    #expect(try ModelFile.load(path: path, metadata: nil).map(\.name) == ["M", "M 2", "M 3"])
    #expect(try ModelFile.load(path: path, metadata: metadata(["A"])).map(\.name) == ["M", "M 2"])
    #expect(message(path, metadata(["A", "C"])).contains("\"M 3\" differs in 3 of 3 entities (A, B, C)"))
    // That every version differs in everything says less.
    #expect(message(path, metadata(["C"])).contains("has no entity in common with the store"))
  }

  @Test(arguments: [
    ("text.mom", Array("hello".utf8), "isn't a model"),
    ("x.omo", Array("momv2$srsraori55".utf8), "pass the .mom next to"),
    ("a.sqlite", Array("SQLite format 3\0".utf8), "isn't a model"), ("empty.mom", [], "isn't a model"),
    ("M.xcdatamodel/contents", Array("<plist/>".utf8), "not <model>"),
    ("cut/contents", Array("<model><entity".utf8), "not well-formed"),
    ("cut.mom", Array("bplist00".utf8), "isn't a readable compiled model"),
    ("M.momd/VersionInfo.plist", Array("bplist00".utf8), "isn't a readable compiled model"),
  ])
  func noModel(name: String, bytes: [UInt8], expected: String) throws {
    try write(bytes, to: name)
    #expect(message(folder.path(name)).contains(expected))
  }

  @Test func foldersWithoutModels() throws {
    try write("x", to: "empty.momd/readme")
    #expect(message(folder.path("empty.momd")).contains("holds no model"))
    #expect(message(folder.path("nothing.momd")).contains("there is no model at"))
    try write(Array("bplist00".utf8), to: "bad.momd/VersionInfo.plist")
    #expect(message(folder.path("bad.momd")).contains("can't be used to choose a version"))
  }

  @Test(.timeLimit(.minutes(1))) func pipesDontHang() throws {
    #expect(mkfifo(folder.path("pipe.mom"), 0o600) == 0)
    #expect(message(folder.path("pipe.mom")).contains("neither a file nor a folder"))
    try momd("M.momd", versions: ["M": ["A"]])
    try FileManager.default.removeItem(atPath: folder.path("M.momd/M.mom"))
    #expect(mkfifo(folder.path("M.momd/M.mom"), 0o600) == 0)
    #expect(message(folder.path("M.momd"), metadata(["A"])).contains("is not a regular file"))
    #expect(message("/dev/zero").contains("neither a file nor a folder"))
  }

  @Test func sizeIsCapped() throws {
    try write([UInt8](repeating: 0, count: 100), to: "big")
    #expect(throws: StoreScopeError.self) { try FileReader.bytes(of: folder.path("big"), limit: 99) }
    #expect(try FileReader.bytes(of: folder.path("big"), limit: 100).count == 100)
  }
}
