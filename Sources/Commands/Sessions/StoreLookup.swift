import Base
import Discovery
import Evidence

/// Which store is meant by what somebody named.
enum StoreLookup {
  private static let modelExtensions = [".mom", ".momd", ".xcdatamodel", ".xcdatamodeld"]

  /// Whether there is a model, by its name; the file `contents` in an .xcdatamodel has its folder's.
  static func isModel(_ path: String) -> Bool {
    let parts = StoreParts(path: Platform.absolutePath(Platform.withoutLastSlashes(path)))
    let named = parts.name == "contents" ? parts.folder : parts.name
    return modelExtensions.contains(where: named.hasSuffix) && FileReader.kind(of: path) != nil
  }

  /// Whether there is an app or a framework, which may hold models, by its name.
  static func isBundle(_ path: String) -> Bool {
    let path = Platform.withoutLastSlashes(path)
    return [".app", ".appex", ".framework", ".bundle"].contains(where: path.hasSuffix)
      && FileReader.kind(of: path) == .folder
  }

  /// The store meant by a folder or a container; the path itself if it is neither.
  static func place(
    _ path: String, _ password: BackupPassword?, _ progress: @escaping (String) -> Void
  ) throws -> String {
    guard let kind = FileReader.kind(of: path) else {
      if StoreAddress(path) == nil, let archive = archiveMeant(by: path) {
        let error = StoreScopeError(
          .notFound, path, "isn't the address of a store in '\(archive)'", advice: "list those in it:"
        ).listing(command: "storescope find \(ShellQuotes.word(archive))")
        let inside = PathText.rest(of: path, behind: archive) ?? ""
        throw naming(Platform.fileName(String(inside.dropFirst())), in: archive, error, password, progress)
      }
      return path
    }
    if isModel(path) {
      let model = ShellQuotes.readable(Platform.withoutLastSlashes(path))
      throw StoreScopeError.unreadable(
        path, "it is a model, not a store", kind: .foreign,
        advice:
          "pass the store, and the model with --model; 'storescope entities STORE --diff \(model)' compares the two, and also two models"
      )
    }
    if let error = StoreFinder.emptyArchive(path) { throw error }
    guard kind == .folder || isArchive(path) else { return path }
    let (found, problems) = try search(path, password, progress)
    // Next to a store that can't be read, the other one may not be meant. A folder may have anything in it.
    let isAlone =
      kind == .folder && !DeviceBackup.isBackup(path) || unreadable(problems, found, in: path).isEmpty
    guard found.count == 1, isAlone else { throw several(found, problems, in: path) }
    return found[0].address
  }

  /// The only store in a folder of a container.
  /// - Throws: `error` if there is none; names the stores that may be meant.
  static func only(
    in address: StoreAddress, instead error: StoreScopeError, _ password: BackupPassword?,
    _ progress: @escaping (String) -> Void
  ) throws -> StoreAddress {
    let path = Platform.withoutLastSlashes(address.description)
    let (found, problems) = try search(path, password, progress)
    if found.count == 1, unreadable(problems, found, in: path).isEmpty,
      let inside = StoreAddress(found[0].address)
    {
      return inside
    }
    if !found.isEmpty { throw several(found, problems, in: path) }
    throw naming(Platform.fileName(path), in: address.container, error, password, progress)
  }

  /// The error with the stores of that name listed, for one who knows only the name; as it is if there are none.
  private static func naming(
    _ name: String, in container: String, _ error: StoreScopeError, _ password: BackupPassword?,
    _ progress: @escaping (String) -> Void
  ) -> StoreScopeError {
    let found = (try? search(container, password, most: .max, progress))?.found ?? []
    // Macs and simulators ignore case in names, archives don't.
    let named = found.filter { Platform.fileName($0.address).lowercased() == name.lowercased() }
      .prefix(mostNamed)
    guard !named.isEmpty else { return error }
    var error = error
    error.advice = "stores of that name:"
    error.list = named.map(\.line)
    return error
  }

  /// The stores in a folder or a container, not many more than can be named; and what can't be read.
  private static func search(
    _ path: String, _ password: BackupPassword?, most: Int = mostNamed,
    _ progress: @escaping (String) -> Void
  ) throws -> (found: [FoundStore], problems: [SkippedPlace]) {
    StoreSource.watch()
    var found: [FoundStore] = []
    // Next to the store that it was made of, a copy of ours isn't meant.
    var copies: [FoundStore] = []
    var problems: [SkippedPlace] = []
    let finder = StoreFinder(
      .init(
        found: {
          if $0.isOwnCopy {
            copies.append($0)
            return
          }
          found.append($0)
          // A whole disk isn't searched for an error.
          if found.count > most { throw SearchEnd() }
        }, skipped: { problems.append($0) }, progress: progress),
      password: password)
    do { try finder.look(at: path) } catch is SearchEnd {}
    return (found.isEmpty ? copies : found, problems)
  }

  /// The archive that a path goes into as if it were a folder, without the slash that an address has, or as other tools
  /// write it: `case.zip:Library/App.store`.
  static func archiveMeant(by path: String) -> String? {
    var part = path
    while let mark = part.utf8.lastIndex(where: { "/!:".utf8.contains($0) }), mark > part.utf8.startIndex {
      part = String(part[..<mark])
      if let kind = FileReader.kind(of: part) { return kind == .file && isArchive(part) ? part : nil }
    }
    return nil
  }

  static func isArchive(_ path: String) -> Bool { Archive.format(ofFile: path) != nil }

  private static let mostNamed = 5

  /// Stores and containers at other places than the container itself that can't be read.
  private static func unreadable(
    _ problems: [SkippedPlace], _ found: [FoundStore], in path: String
  ) -> [SkippedPlace] {
    let known = Set([Address(path)] + found.map { Address($0.address) })
    return problems.filter { $0.mayBeStore && !known.contains(Address($0.address)) }
  }

  private static func several(_ found: [FoundStore], _ problems: [SkippedPlace], in path: String)
    -> StoreScopeError
  {
    let search = "storescope find \(ShellQuotes.word(path))"
    guard !found.isEmpty else {
      guard let problem = problems.first else {
        return StoreScopeError(
          .foreign, path, "holds no store of Core Data or SwiftData", advice: "pass a store's file")
      }
      // The container itself, such as an encrypted backup, or the only one in a folder.
      guard problems.count > 1, problem.address != path else {
        return .unreadable(problem.address, problem.because)
      }
      return StoreScopeError(.unreadable, path, "holds no store that can be read", advice: "see why:")
        .listing(command: search)
    }
    let hasMore = found.count > mostNamed
    var error = StoreScopeError(
      .foreign, path,
      found.count == 1
        ? "holds more than one store, and not all can be read; pass the one that you mean by name:"
        : "holds \(hasMore ? "more than \(mostNamed)" : "\(found.count)") stores; pass those that you mean by name:"
    )
    error.list = found.prefix(mostNamed).map(\.line) + (hasMore ? ["…"] : [])
    let unread = unreadable(problems, found, in: path)
    switch unread.count {
    case 0: break
    case 1: error.list.append("and 1 that can't be read: \(unread[0].address): \(unread[0].because)")
    default: error.list.append("and \(unread.count) that can't be read; to see why:")
    }
    if hasMore || unread.count > 1 { error.list.append(search) }
    return error
  }
}
