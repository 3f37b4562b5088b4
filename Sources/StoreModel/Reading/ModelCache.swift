import Archives
package import SQLite

/// The model that a store keeps of itself in Z_MODELCACHE, or why there is none.
package enum ModelCache: Sendable, Equatable {
  /// Stores of older frameworks have no such table (519 and before, measured on real stores).
  case absent
  /// The table has no row, or nothing in it: apps delete it, and one real store has NULL there.
  case empty
  /// Why it can't be decoded, as a clause.
  case damaged(String)
  case decoded(DecodedModel)

  /// Real caches inflate to less than 2 MB.
  package static let inflatedLimit = 256 << 20

  /// - Throws: `SQLiteError`, but for damage to the table, which is `damaged` like damage to the content.
  package static func read(from connection: Connection) throws -> ModelCache {
    guard try connection.hasTable("Z_MODELCACHE"),
      try connection.columns(of: "Z_MODELCACHE").contains(where: { $0.name == "Z_CONTENT" })
    else { return .absent }
    do {
      let cache = try connection.first("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1") { row in
        row.withBytes(0) { bytes in decode(bytes) }
      }
      return cache ?? .empty
    } catch let error as SQLiteError where error.isDamage {
      return .damaged(error.message)
    }
  }

  /// The content is bare DEFLATE (RFC 1951) around a keyed archive, in all caches of frameworks 851 to 1526.
  package static func decode(_ content: UnsafeRawBufferPointer) -> ModelCache {
    guard !content.isEmpty else { return .empty }
    do throws(ArchiveError) {
      return .decoded(try ModelArchiveReader.read(Inflate.raw(content, limit: inflatedLimit)))
    } catch {
      return .damaged(error.description)
    }
  }
}
