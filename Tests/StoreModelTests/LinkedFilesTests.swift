import Base
import Foundation
import TestSupport
import Testing

@testable import StoreModel

/// E1: a stranger's store with a link in its hidden folder made `rows`, `export` and `backup` show the reader's own files.
/// A3: what can't be read was taken for what isn't there.
struct LinkedFilesTests {
  private let folder = TemporaryFolder()

  static let name = "6B29FC40-CA47-1067-B31D-00DD010662DA"

  enum Place: CaseIterable {
    case file, kindFolder, supportFolder
  }

  /// A folder with a secret outside of the store's own, and a link to it at one place.
  private func linked(_ place: Place, dangling: Bool = false) throws -> ExternalFiles {
    let files = FileManager.default
    let secret = folder.path("secret/.App_SUPPORT/_EXTERNAL_DATA")
    try files.createDirectory(atPath: secret, withIntermediateDirectories: true)
    if !dangling {
      try folder.write(Array("secret".utf8), to: "secret/.App_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
    }
    try files.createDirectory(atPath: folder.path("s"), withIntermediateDirectories: false)
    let ways = [".App_SUPPORT", "_EXTERNAL_DATA", Self.name]
    let depth: Int =
      switch place {
      case .supportFolder: 1
      case .kindFolder: 2
      case .file: 3
      }
    let way = ways.prefix(depth).joined(separator: "/")
    try files.createDirectory(
      atPath: (folder.path("s/" + way) as NSString).deletingLastPathComponent,
      withIntermediateDirectories: true)
    try files.createSymbolicLink(
      atPath: folder.path("s/" + way), withDestinationPath: folder.path("secret/" + way))
    return ExternalFiles(storePath: folder.path("s/App.store"))
  }

  @Test(arguments: Place.allCases) func linksAreNotFollowed(_ place: Place) throws {
    let files = try linked(place)
    let file = files.file(Self.name, .externalData)
    #expect(file.state == .link)
    #expect { try FileReader.bytes(of: file, limit: 100) } throws: {
      "\($0)".contains("is a link, not followed")
    }
    #expect { try FileReader.beginning(of: file, count: 4) } throws: { "\($0)".contains("link") }
    let tag = [2] + Array(Self.name.utf8)
    #expect(throws: StoreScopeError.self) {
      try tag.withUnsafeBytes { try ExternalValue.content(of: $0, files) }
    }
    if place == .file {
      #expect(try files.names(.externalData) == [Self.name])
    } else {
      #expect(throws: StoreScopeError.self) { try files.names(.externalData) }
    }
  }

  @Test func aLinkThatLeadsNowhereIsALink() throws {
    let files = try linked(.file, dangling: true)
    #expect(files.file(Self.name, .externalData).state == .link)
  }

  /// The way to the store itself is the user's own.
  @Test func linksToTheStoreAreFollowed() throws {
    let data = folder.path("real/.App_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
    try folder.write([1, 2, 3], to: "real/.App_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
    try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "real")
    let files = ExternalFiles(storePath: folder.path("link/App.store"))
    #expect(try FileReader.bytes(of: files.file(Self.name, .externalData), limit: 9) == [1, 2, 3])
    #expect(files.file("absent", .externalData).state == .missing)
    #expect(files.file("absent", .fileBackedFuture).state == .missing)
    #expect(try files.names(.fileBackedFuture) == [])
  }

  @Test func whatIsNoFileIsNeverWaitedFor() throws {
    let data = folder.path(".App_SUPPORT/_EXTERNAL_DATA")
    try FileManager.default.createDirectory(atPath: data + "/folder", withIntermediateDirectories: true)
    mkfifo(data + "/pipe", 0o600)
    let files = ExternalFiles(storePath: folder.path("App.store"))
    #expect(files.file("pipe", .externalData).state == .special)
    #expect(files.file("folder", .externalData).state == .folder)
    for name in ["pipe", "folder"] {
      #expect(throws: StoreScopeError.self) {
        try FileReader.bytes(of: files.file(name, .externalData), limit: 9)
      }
    }
  }

  /// A command that reads each value twice said "is not read" once a gigabyte of real files had been read again.
  @Test func aFewReadingsOfRealFilesCostNothing() {
    let readings = Readings()
    let gigabyte: Int64 = 1 << 30
    for _ in 0..<2 {
      for file in ["a", "b", "c"] { #expect(readings.excess(file, size: gigabyte, held: gigabyte) == 0) }
    }
    // A file that each row names is more than that, and so are holes.
    let again = (0..<20).map { _ in readings.excess("a", size: gigabyte, held: gigabyte) }
    #expect(again.reduce(0, +) == 11 * gigabyte)
    #expect(readings.excess("sparse", size: gigabyte, held: 65_536) == gigabyte - 65_536)
  }

  @Test func unreadableIsNotMissing() async throws {
    let support = folder.path(".App_SUPPORT")
    try FileManager.default.createDirectory(
      atPath: support + "/_EXTERNAL_DATA", withIntermediateDirectories: true)
    try folder.write([1], to: ".App_SUPPORT/_EXTERNAL_DATA/\(Self.name)")
    chmod(support, 0)
    defer { chmod(support, 0o700) }
    let files = ExternalFiles(storePath: folder.path("App.store"))
    _ = try await withoutRootRights {
      guard case .unreadable = files.file(Self.name, .externalData).state else {
        Issue.record("\(files.file(Self.name, .externalData).state)")
        return
      }
      #expect(throws: StoreScopeError.self) { try files.names(.externalData) }
    }
  }
}
