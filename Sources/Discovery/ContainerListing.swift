import Base
import Evidence

/// What may follow in an address that is being typed: by names and sizes alone, as a person waits for it.
package enum ContainerListing {
  /// More would fill the screen: folders stand for what is in them.
  private static let mostPaths = 40
  private static let largestInside: Int64 = 256 << 20

  /// Whether an address may go on behind the path: that of an archive or of a backup.
  package static func isContainer(_ path: String) -> Bool {
    guard FileReader.kind(of: path) == .file else { return DeviceBackup.isBackup(path) }
    return Candidate.isArchive(path) || Archive.format(ofFile: path) != nil
  }

  /// - Parameters:
  ///   - folder: the address up to its last slash, such as `case.zip!/` or `case.zip!/Data/`.
  ///   - goesOn: asked again and again; false ends the search.
  /// - Returns: paths from there to what may be a store, or to a folder, archive or backup with some, which end with a
  ///   slash. None if it isn't an address, or nothing can be read without a password.
  package static func paths(in folder: String, goesOn: @escaping () -> Bool) -> [String] {
    guard folder.hasSuffix("/"), let address = StoreAddress(folder + "x") else { return [] }
    var offers = Offers(below: address.path)
    // What was found counts, whatever ends the search.
    try? search(address, goesOn, &offers)
    return grouped(offers.paths)
  }

  /// What may follow in the address.
  private struct Offers {
    private(set) var paths: Set<String> = []
    /// The folder that they are in.
    private var start = ""

    init(below path: String) { enter(path) }

    /// From now on, paths are those in a container inside the container.
    mutating func enter(_ path: String) { start = PathText.split(path).folder.map { $0 + "/" } ?? "" }

    mutating func take(_ path: String, _ size: Int64?) {
      if Candidate.isArchive(path) {
        takeContainer(path)
      } else if Candidate.isLikely(PathText.split(path).name, size: size), !MemberPath.isCompanion(path) {
        take(path, "")
      }
    }

    mutating func takeContainer(_ path: String) { take(path, "!/") }

    private mutating func take(_ path: String, _ end: String) {
      guard let rest = PathText.rest(of: path, behind: start), !PathText.names(rest).isEmpty else { return }
      paths.insert(rest + end)
    }
  }

  private static func search(
    _ address: StoreAddress, _ goesOn: @escaping () -> Bool, _ offers: inout Offers
  ) throws {
    if DeviceBackup.isBackup(address.container) {
      return try list(DeviceBackup(address.container), goesOn, &offers)
    }
    guard let (inner, path) = address.insides.last else {
      return try list(Archive(address.container), packedIn: address.container, goesOn, &offers)
    }
    offers.enter(path)
    let folder = try PrivateFolder()
    try Archive(address.container).forEachMember { member in
      guard goesOn() else { throw SearchEnd() }
      let isInside = MemberPath.normalized(member.path) == inner && member.size ?? 0 <= largestInside
      return isInside ? .first : .never
    } _: { _, content in
      try folder.receive("archive") { buffer in
        guard goesOn() else { throw SearchEnd() }
        return try content.read(into: buffer)
      }
    }
    let archive = folder.path(of: "archive")
    if FileReader.kind(of: archive) == .file { return try list(Archive(archive), goesOn, &offers) }
    try list(packedIn: address.container, inner, goesOn, &offers)
  }

  private static func list(_ backup: DeviceBackup, _ goesOn: () -> Bool, _ offers: inout Offers) throws {
    try backup.forEachItem { item in
      offers.take("\(item.domain)/\(item.path)", item.size)
      return goesOn()
    }
  }

  /// - Parameter folder: where in the archive a backup may be.
  private static func list(
    packedIn archive: String, _ folder: String, _ goesOn: () -> Bool, _ offers: inout Offers
  ) throws {
    let packed = try PackedBackup(archive, folder: folder, password: nil, goesOn: goesOn)
    if let packed { try list(packed.backup, goesOn, &offers) }
  }

  /// - Parameter container: the archive's path if backups in it have addresses of their own.
  private static func list(
    _ archive: Archive, packedIn container: String? = nil, _ goesOn: () -> Bool, _ offers: inout Offers
  ) throws {
    var members: [(path: String, size: Int64?)] = []
    var backups = PackedBackupFolders()
    func takeAll() throws {
      // What names a backup's files may come behind them.
      for member in members where !backups.hasFile(member.path) && !backups.hasList(member.path) {
        offers.take(member.path, member.size)
      }
      guard let container else { return }
      for folder in backups.all {
        if folder.isEmpty {
          try list(packedIn: container, folder, goesOn, &offers)
        } else {
          offers.takeContainer(folder)
        }
      }
    }
    do {
      try archive.forEachMember { member in
        guard goesOn() else { throw SearchEnd() }
        if member.kind == .file, let path = MemberPath.normalized(member.path) {
          backups.note(path)
          members.append((path, member.size))
        }
        return .never
      } _: { _, _ in
      }
    } catch {
      try takeAll()
      throw error
    }
    try takeAll()
  }

  /// A folder that everything in a part of them has in common stands for it.
  private static func grouped(_ paths: Set<String>) -> [String] {
    guard paths.count > mostPaths else { return paths.sorted() }
    // An archive may have a file `a` next to `a/b`.
    let groups = Dictionary(grouping: paths.map(PathText.names)) { $0.count > 1 ? $0[0] + "/" : $0[0] }
    return groups.values.map { group in
      var common = group[0].dropLast()
      for names in group.dropFirst() {
        common = common.prefix(zip(common, names.dropLast()).prefix { $0 == $1 }.count)
      }
      guard group.count > 1, !common.isEmpty else {
        return group[0].joined(separator: "/") + (group[0].last?.hasSuffix("!") == true ? "/" : "")
      }
      return common.joined(separator: "/") + "/"
    }.sorted()
  }
}
