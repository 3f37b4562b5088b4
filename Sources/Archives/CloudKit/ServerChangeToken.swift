/// How far a database's or a zone's changes were fetched. What its bytes mean is the server's affair:
/// https://developer.apple.com/documentation/cloudkit/ckserverchangetoken
package struct ServerChangeToken: Sendable, Equatable {
  /// The size of the archive in the store.
  package var archiveBytes: Int
  /// The token's own bytes; empty where the archive holds none that could be found.
  package var bytes: [UInt8]

  /// - Throws: `ArchiveError` where the bytes are no archive, or one of another class.
  package init(archive: [UInt8]) throws(ArchiveError) {
    let keyed = try MirrorArchive.open(archive)
    guard let token = MirrorArchive.objects(in: keyed).first(where: { $0.isKind(of: "CKServerChangeToken") })
    else {
      let name = keyed.root?.className.map { "a \($0)" } ?? "no object with a class"
      throw ArchiveError("the archive holds \(name)")
    }
    archiveBytes = archive.count
    // The key's name isn't public, so whatever data the token has are taken.
    bytes = token["ChangeTokenData"]?.data ?? token.fields.lazy.compactMap(\.value.data).first ?? []
  }
}
