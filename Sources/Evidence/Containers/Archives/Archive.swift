import Base

/// A zip or tar file, the latter also compressed (gzip, bzip2, xz, zstd).
package final class Archive {
  /// What can be opened, by the first bytes of a file.
  package enum Format: String, Sendable {
    case zip, tar

    /// The command that unpacks such a file.
    package func unpacking(_ archive: String) -> String {
      "\(self == .zip ? "unzip" : "tar -xf") \(ShellQuotes.word(archive))"
    }

    /// The command that takes what a path in it leads to out of such a file, of a folder all that is in it; nil if it would
    /// take the path for an option or a pattern: https://infozip.sourceforge.net/UnZip.html
    package func unpacking(_ path: String, from archive: String) -> String? {
      guard self == .zip else { return "\(unpacking(archive)) -- \(ShellQuotes.word(path))" }
      guard !path.hasPrefix("-"), !path.contains(where: "[?*".contains) else { return nil }
      return "\(unpacking(archive)) \(ShellQuotes.word(path + "*"))"
    }
  }

  private enum Way {
    case listed(ZipArchive)
    case streamed(StreamedArchive)
  }

  private let way: Way
  private let name: String

  /// - Parameters:
  ///   - name: for sentences; the path by default.
  ///   - limit: how much its data may become.
  ///   - modulus: what the numbers of a zip file overflow at.
  /// - Throws: `StoreScopeError` if it can't be read, or is no archive.
  package init(
    _ path: String, name: String? = nil, limit: ExpansionLimit? = nil, modulus: Int64 = 1 << 32
  ) throws {
    let name = name ?? path
    let limit = limit ?? .ofThisMachine
    guard let file = OpenFile(UnpackedArchive.location(of: path), for: .reading) else {
      throw StoreScopeError.failed("can't open", name, Platform.lastOpeningError())
    }
    guard let kind = file.status?.kind, kind == .file else {
      throw StoreScopeError(.foreign, name, "is not a regular file")
    }
    self.name = name
    // One without its list, such as half of a download, is read as far as it goes.
    if Self.format(file.bytes(Self.beginning)) == .zip,
      let zip = try ZipArchive(file, name: name, limit, modulus: modulus)
    {
      way = .listed(zip)
    } else {
      way = .streamed(try StreamedArchive(file, name: name, limit))
    }
  }

  /// Nil where nothing in the first bytes of a file speaks for an archive.
  package static func format(_ beginning: [UInt8]) -> Format? {
    let compressed: [[UInt8]] = [
      [0x1f, 0x8b], Array("BZh".utf8), [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0], [0x28, 0xb5, 0x2f, 0xfd],
    ]
    // An empty zip file has nothing but its end; one that was cut into pieces begins with a mark of its own.
    let zip: [[UInt8]] = [
      [0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6], [0x50, 0x4b, 0x30, 0x30, 0x50, 0x4b, 3, 4],
    ]
    if zip.contains(where: beginning.starts) { return .zip }
    return compressed.contains(where: beginning.starts) || isTar(beginning) ? .tar : nil
  }

  /// The same of a file; nil also if it can't be read.
  package static func format(ofFile path: String) -> Format? {
    (try? FileReader.beginning(of: path, count: beginning).bytes).flatMap(format)
  }

  /// https://www.gnu.org/software/tar/manual/html_node/Standard.html
  static func isTar(_ beginning: [UInt8]) -> Bool {
    beginning.dropFirst(257).starts(with: Array("ustar".utf8))
  }

  /// How many first bytes show the format.
  package static let beginning = 262

  /// Whether the file begins as an archive does, also when it is decompressed.
  package static func hasMember(_ path: String) -> Bool {
    do {
      try Archive(path).forEachMember { _ in
        throw FirstMember()
      } _: { _, _ in
      }
      return false
    } catch { return error is FirstMember }
  }

  private struct FirstMember: Error {}

  /// When a member is read.
  package enum Turn {
    case never, first
    /// If the archive has a list, behind all others.
    case last
  }

  /// Whether it has a list, so that all turns are asked for before anything is read.
  package var isListed: Bool { if case .listed = way { true } else { false } }

  /// More than any device has.
  private static let mostMembers = 5_000_000
  /// Of those in a list, which are kept until it ends. A device has some thousands.
  private static let mostCandidates = 200_000
  /// Of paths that are kept. Names may be longer than whole archives.
  private static let mostNameBytes = 64 << 20

  /// Calls `body` with the members that have a turn.
  /// - Throws: `StoreScopeError` if the archive is damaged or cut off, once what comes before that was read; what the two
  ///   closures throw.
  package func forEachMember(
    turn: (ArchiveMember) throws -> Turn, _ body: (ArchiveMember, any MemberContent) throws -> Void
  ) throws {
    var (members, nameBytes) = (0, 0)
    func counted(_ member: ArchiveMember) throws -> Turn {
      members += 1
      try Interruption.check()
      let turn = try turn(member)
      if turn != .never { nameBytes += member.path.utf8.count }
      guard members <= Self.mostMembers, nameBytes <= Self.mostNameBytes else {
        throw StoreScopeError(
          .limit, name,
          members > Self.mostMembers
            ? "has more than \(Sentence.number(Self.mostMembers)) entries"
            : "has more than \(Sentence.size(Int64(Self.mostNameBytes))) of names",
          advice: "unpack it with another tool")
      }
      return turn
    }
    switch way {
    case .streamed(let archive):
      while let member = try archive.next() {
        if try counted(member) != .never { try body(member, archive) }
      }
    case .listed(let archive):
      var turns: [Turn: [ZipArchive.Listing]] = [:]
      var candidates = 0
      var problem: (any Error)?
      do {
        try archive.forEachEntry { entry, listing in
          let turn = try counted(entry.member)
          guard turn != .never else { return }
          candidates += 1
          guard candidates <= Self.mostCandidates else {
            throw StoreScopeError(
              .limit, name,
              "has more than \(Sentence.number(Self.mostCandidates)) entries that may be parts of stores",
              advice: "unpack it with another tool")
          }
          turns[turn, default: []].append(listing)
        }
      } catch let error as StoreScopeError where error.kind == .damaged { problem = error }
      // In the order of the disk.
      for turn in [Turn.first, .last] {
        for listing in (turns[turn] ?? []).sorted(by: { $0.place < $1.place }) {
          try Interruption.check()
          let (member, content) = try archive.member(listing)
          try body(member, content)
        }
      }
      if let problem { throw problem }
    }
  }
}
