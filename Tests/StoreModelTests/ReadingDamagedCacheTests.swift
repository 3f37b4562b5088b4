import Archives
import Forge
import SQLite
import StoreModel
import TestSupport
import Testing

/// Damaged caches end in `damaged` or in a model, never in a crash or an endless loop.
struct ReadingDamagedCacheTests {
  /// Numbers that are the same in every run.
  private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  private func decode(_ bytes: [UInt8]) -> ModelCache {
    bytes.withUnsafeBytes { ModelCache.decode($0) }
  }

  private func isDamaged(_ cache: ModelCache) -> Bool {
    guard case .damaged(let why) = cache else { return false }
    return !why.isEmpty
  }

  @Test(.enabled(if: RealStores.arePresent, "there are no real stores next to the package"))
  func mutatedRealCache() throws {
    let content = try RealStores.withCopy(of: "CoreDataPlus/SampleModel2_V2.sqlite") { connection in
      try #require(try connection.first("SELECT Z_CONTENT FROM Z_MODELCACHE") { $0.bytes(0) })
    }
    let archive = try Inflate.raw(content, limit: ModelCache.inflatedLimit)
    #expect(archive.count > 10_000)
    var random = Random(state: 4711)
    for _ in 0..<300 {
      var bytes = archive
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      _ = try? ModelArchiveReader.read(bytes)
      bytes.removeLast(Int.random(in: 0..<bytes.count, using: &random))
      _ = try? ModelArchiveReader.read(bytes)
    }
    for _ in 0..<100 {
      var bytes = content
      bytes[Int.random(in: bytes.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
      _ = decode(bytes)
    }
    for length in stride(from: 1, to: content.count, by: max(1, content.count / 50)) {
      #expect(isDamaged(decode(Array(content.prefix(length)))))
    }
  }

  @Test(arguments: [[1, 2, 3], Array("bplist00".utf8), Deflate.raw(Array("plain".utf8)), Deflate.raw([])])
  func noModel(bytes: [UInt8]) { #expect(isDamaged(decode(bytes))) }

  @Test func statesOfTheTable() throws {
    let connection = try Connection(path: ":memory:", options: .readWrite(create: true))
    #expect(try ModelCache.read(from: connection) == .absent)
    try connection.execute("CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)")
    #expect(try ModelCache.read(from: connection) == .empty)
    try connection.execute("INSERT INTO Z_MODELCACHE VALUES (NULL)")
    #expect(try ModelCache.read(from: connection) == .empty)
    try connection.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x''")
    #expect(try ModelCache.read(from: connection) == .empty)
    try connection.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'")
    #expect(isDamaged(try ModelCache.read(from: connection)))

    let writer = KeyedArchiveWriter()
    let model = writer.object(
      "NSManagedObjectModel", fields: [("NSEntities", .reference(writer.dictionary([])))])
    try connection.execute(
      "UPDATE Z_MODELCACHE SET Z_CONTENT = ?", [.blob(Deflate.raw(writer.bytes(root: model)))])
    let expected = DecodedModel(model: ManagedObjectModel(entities: []))
    #expect(try ModelCache.read(from: connection) == .decoded(expected))
  }
}
