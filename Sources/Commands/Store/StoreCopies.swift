import Base
import Discovery
import Evidence

/// Copies of stores with all that belongs to them, in a folder of the user's, where operations can change them.
struct StoreCopies {
  struct Copy {
    /// Of the store's file.
    let path: String
    /// The store's file first.
    fileprivate(set) var files: [(path: String, measure: FileCopy.Measure)] = []
    fileprivate var note: String?
  }

  /// Nil for a store that could not be copied.
  private(set) var copies: [Copy?] = []
  /// Why not.
  private(set) var failures: [SkippedPlace] = []
  /// What isn't in a copy although it lies in the store's folders, a sentence each.
  var notes: [String] { copies.compactMap { $0?.note } }
  private let folder: String
  private let wanted: Int

  /// - Throws: `StoreScopeError` if the only store can't be copied; `InterruptedError` that says what was.
  init(
    _ stores: [FoundStore], to folder: String, password: BackupPassword?, progress: @escaping (String) -> Void
  )
    throws
  {
    self.folder = Platform.withoutLastSlashes(folder)
    if let kind = FileReader.kind(of: self.folder), kind != .folder {
      throw StoreScopeError(
        .occupied, self.folder, "is \(OpenFolder.description(of: kind)), not a folder",
        advice: "choose another folder")
    }
    wanted = stores.count
    for (store, place) in zip(stores, Self.places(stores)) {
      progress("copying \(store.address)")
      do {
        let source = try StoreSource(store.address, password: password, progress: progress)
        copies.append(
          try Self.copy(source, to: self.folder, place, lacksWAL: store.facts.isWALMissing))
      } catch {
        if error is InterruptedError || Interruption.isRequested {
          throw copies.contains { $0 != nil }
            ? InterruptedError(receipt.sentence, list: receipt.lines) : InterruptedError()
        }
        guard stores.count > 1 else { throw error }
        copies.append(nil)
        failures.append(SkippedPlace(address: store.address, because: error.clause))
      }
    }
  }

  /// What was copied, for one who can't see the result.
  var receipt: Receipt {
    let done = copies.compactMap(\.self)
    let count =
      done.count == wanted
      ? Sentence.count(wanted, "store") : "\(done.count) of \(Sentence.count(wanted, "store"))"
    return Receipt("copied \(count) to \(folder)", done.flatMap(\.lines))
  }

  // MARK: - Places

  /// The folder of each copy in the folder for all; an empty text for that one itself.
  private static func places(_ stores: [FoundStore]) -> [String] {
    guard stores.count > 1 else { return stores.map { _ in "" } }
    let owners = Dictionary(grouping: stores.compactMap(\.owner.name)) { $0 }.mapValues(\.count)
    var taken: Set<String> = []
    return stores.map { store in
      let file = StoreSource.folderName(for: Platform.fileName(store.address))
      var name = StoreSource.folderName(for: file, owner: store.owner.name)
      // Of several stores of one app, each is known by its own name.
      if let owner = store.owner.name, owners[owner, default: 0] > 1 { name += "-\(file)" }
      var (place, number) = (name, 1)
      while !taken.insert(place).inserted {
        number += 1
        place = "\(name)-\(number)"
      }
      return place
    }
  }

  // MARK: - Copying

  /// - Parameters:
  ///   - place: the copy's folder in that folder; none if it is empty.
  ///   - lacksWAL: whether the store may have had a -wal that isn't there.
  private static func copy(
    _ source: StoreSource, to named: String, _ place: String, lacksWAL: Bool
  ) throws -> Copy {
    let before = try StoreFiles(path: source.path, at: source.location)
    // What is named may be a link, and the store's other files go by its own name.
    let parts = StoreParts(path: before.resolvedPath)
    let folder = place.isEmpty ? named : "\(named)/\(place)"
    do { try StoreFileGuard.checkNewStore("\(folder)/\(parts.name)") } catch {
      // Its name is the store's own: only the folder can be chosen.
      var error = error
      error.advice = "choose another folder"
      throw error
    }
    let made = missingFolders(named)
    try Files.makeFolder(named, mode: 0o755)
    // A link may be what was named, and nothing in it: whoever can write there could lead the copy elsewhere.
    let root = try OpenFolder(named, following: true)
    var copy = Copy(path: "\(folder)/\(parts.name)")
    var isPlaceNew = false
    var target: OpenFolder?
    var begun: [String] = []
    do {
      if !place.isEmpty {
        isPlaceNew = try root.makeNewFolder(place, rights: 0o755)
        guard try root.kind(of: place) != .link else {
          throw StoreScopeError(
            .refused, folder, "is a link, which isn't followed", advice: "choose another folder")
        }
      }
      let to = place.isEmpty ? root : try root.folder(place)
      target = to
      let from = try OpenFolder(parts.folder, following: true)
      let contents = try parts.contents()
      copy.note = parts.note(onLinks: contents.links, missingIn: "the copy")
      // The -shm is made again by whoever opens the copy.
      for part in contents.files where part != parts.name + "-shm" {
        begun.append(part)
        try to.makeParent(of: part)
        let measure = try FileCopy.copy(part, in: from, to: part, in: to, isWritable: true)
        copy.files.append((part, measure))
      }
      // A backup lists all files of a store. What it shows, that there was no -wal, an empty one shows as well; SQLite takes
      // it for none. https://www.sqlite.org/walformat.html
      if before.header.usesWAL, before.wal == nil, !lacksWAL {
        begun.append(parts.name + "-wal")
        let measure = try FileCopy.write(parts.name + "-wal", in: to) { _ in
          0
        } finish: { _ in
        }
        copy.files.append((parts.name + "-wal", measure))
      }
      guard try StoreFiles(path: source.path, at: source.location) == before else {
        throw StoreScopeError(
          .changed, source.path, "changed while it was copied", advice: "quit the app, and copy it again")
      }
    } catch {
      // Half of a store would pass for a whole one.
      for file in copy.files { target?.remove(file.path) }
      // That of the file that failed may have been made as well.
      for part in begun { target?.removeEmptyFolders(of: part) }
      if isPlaceNew { root.removeEmptyFolder(place) }
      made.forEach(Files.removeEmptyFolder)
      throw error
    }
    copy.files = copy.files.map { ("\(folder)/\($0.path)", $0.measure) }
    return copy
  }

  /// Of the folder and those it lies in, what isn't there, the deepest first.
  private static func missingFolders(_ folder: String) -> [String] {
    var (missing, rest): ([String], String?) = ([], folder)
    while let path = rest, !path.isEmpty, !Files.exists(path) {
      missing.append(path)
      rest = PathText.split(path).folder
    }
    return missing
  }
}

extension StoreCopies.Copy {
  /// Stores may have thousands of external files.
  private static let mostListed = 4

  /// As `shasum` prints files and takes them: https://perldoc.perl.org/shasum
  fileprivate var lines: [String] {
    let rest = files.count - Self.mostListed
    return files.prefix(Self.mostListed).map { "\($0.measure.sha256)  \($0.path)" }
      + (rest > 0 ? ["… and \(Sentence.count(rest, "more file")) of \(path): --json lists all"] : [])
  }

  static let fileFields: [Field<(path: String, measure: FileCopy.Measure)>] = Field.list(
    [Field("path", "the file") { $0.path }], FileCopy.Measure.fields.of { $0.measure })
}
