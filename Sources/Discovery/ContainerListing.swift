import Containers
import SystemCalls
import Values

/// What may follow in an address that is being typed: by names and sizes alone, as a person waits for it.
package enum ContainerListing {
  /// More would fill the screen: folders stand for what is in them.
  private static let mostPaths = 40
  private static let largestInside: Int64 = 256 << 20

  /// - Parameters:
  ///   - folder: the address up to its last slash, such as `case.zip!/` or `case.zip!/Data/`.
  ///   - goesOn: asked again and again; false ends the search.
  /// - Returns: paths from there to what may be a store, or to a folder or archive with some, which end with a slash.
  ///   None if it isn't an address, or nothing can be read without a password.
  package static func paths(in folder: String, goesOn: @escaping () -> Bool) -> [String] {
    guard folder.hasSuffix("/"), let address = StoreAddress(folder + "x") else { return [] }
    var found: Set<String> = []
    func take(_ path: String, _ size: Int64?, below start: String) {
      guard let rest = PathText.rest(of: path, behind: start), !PathText.names(rest).isEmpty else { return }
      let name = PathText.split(path).name
      if Candidate.isArchive(name) {
        found.insert(rest + "!/")
      } else if Candidate.isLikely(name, size: size), !MemberPath.isCompanion(path) {
        found.insert(rest)
      }
    }
    // What was found counts, whatever ends the search.
    try? search(address, goesOn, take)
    return grouped(found)
  }

  private static func search(
    _ address: StoreAddress, _ goesOn: @escaping () -> Bool, _ take: (String, Int64?, String) -> Void
  ) throws {
    func start(_ path: String) -> String { PathText.split(path).folder.map { $0 + "/" } ?? "" }
    if DeviceBackup.isBackup(address.container) {
      try DeviceBackup(address.container).forEachItem { item in
        take("\(item.domain)/\(item.path)", item.size, start(address.path))
        return goesOn()
      }
    } else if let (inner, path) = address.insides.last {
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
      try list(Archive(folder.path(of: "archive")), goesOn) { take($0, $1, start(path)) }
    } else {
      try list(Archive(address.container), goesOn) { take($0, $1, start(address.path)) }
    }
  }

  private static func list(
    _ archive: Archive, _ goesOn: () -> Bool, _ take: (String, Int64?) -> Void
  ) throws {
    try archive.forEachMember { member in
      guard goesOn() else { throw SearchEnd() }
      if member.kind == .file, let path = MemberPath.normalized(member.path) { take(path, member.size) }
      return .never
    } _: { _, _ in
    }
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
