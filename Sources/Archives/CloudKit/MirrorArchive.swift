import Values

/// Opens the mirror's archives: keyed archives, compressed with LZFSE where they hold whole records or shares.
enum MirrorArchive {
  /// A compressed archive may unpack to this many bytes. CloudKit takes records up to 1 MB
  /// (https://developer.apple.com/documentation/technotes/tn3164-debugging-the-synchronization-of-nspersistentcloudkitcontainer),
  /// but large values of a record stay in the archive until they are sent.
  private static let limit = 64 << 20

  static func open(_ bytes: [UInt8]) throws(ArchiveError) -> KeyedArchive {
    guard !bytes.isEmpty else { throw ArchiveError("there are no bytes") }
    let plain = LZFSE.recognizes(bytes) ? try LZFSE.decode(bytes, limit: limit) : bytes
    return try KeyedArchive(bytes: plain)
  }

  /// Every object that can be reached from the top, the nearest first; each once. At most `limit` of them, as an
  /// archive may be made to hold millions.
  static func objects(in archive: KeyedArchive, limit: Int = 10_000) -> [ArchivedObject] {
    var found = [archive.top]
    var seen: Set<Int> = []
    var next = 0
    while next < found.count, found.count < limit {
      for (_, value) in found[next].fields {
        for object in objects(in: value) where object.index < 0 || seen.insert(object.index).inserted {
          found.append(object)
          if found.count >= limit { return found }
        }
      }
      next += 1
    }
    return found
  }

  private static func objects(in value: ArchivedValue) -> [ArchivedObject] {
    switch value {
    case .object(let object): [object]
    case .list(let list): Array(list.prefix(10_000)).compactMap(\.object)
    default: []
    }
  }
}
