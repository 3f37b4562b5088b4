import Base
import Discovery
import Evidence
import Rendering

extension Command {
  package static let find = Command(
    "find", summary: "find stores in folders, simulators, backups and archives", store: .none,
    arguments: [
      .init(
        "PATH", kind: .file, isOptional: true, isRepeatable: true,
        help:
          "what to search (default: \(Platform.isMac ? "running simulators and your apps" : "this folder"))")
    ],
    options: [
      CommonOptions.app, CommonOptions.mirrored,
      OptionDefinition(
        .newest, help: "only the store that changed last, per app, or per folder if no app is known"),
      OptionDefinition(
        .copyTo, value: "FOLDER", kind: .folder, help: "copy the stores to this folder, with all their files"),
    ] + CommonOptions.password,
    discussion: """
      Looks through folders, simulators, downloaded .xcappdata containers, backups made by Finder or iTunes, and zip
      and tar archives (gzip, bzip2, xz, zstd). Stores and archives are recognized by their bytes, whatever their
      names are. An archive inside an archive is searched, too, if it has a common extension such as .zip or .tar.gz;
      archives inside that one are not. Every command that reads a store takes the paths and addresses that are
      printed. Nothing is changed, and nothing is left behind.

      A store's last change is the last transaction in its history, or if it has none, the date of its files.

      Files that look like stores but can't be read are listed with the reason; if there is nothing else, the exit code
      is 2. The size is that of the store's file, its -wal and its external files. If the wal
      column has 'missing', the store uses a -wal but has none next to it. Damaged stores are listed below the table. Only
      'storescope doctor STORE' checks every page of a store larger than 32 MB.

      Operations don't change stores in archives and backups: --copy-to copies them out, each with its -wal and its
      external files; each of several stores gets its own folder. --verbose prints the copies' SHA-256. A simulator and an
      .xcappdata are folders, in which a store can be changed where it is: quit the app first, and keep the backup
      elsewhere with --backup-to.

      Backups that storescope made, and files that 'restore' replaced, are counted below the table.

      In the shell, stores are numbered: 'open NUMBER' opens one, 'find NUMBER --copy-to FOLDER' copies it.
      'storescope help places' shows the usual places, and how a changed copy gets back to a device or simulator.

      Examples:
        storescope find ~/Library/Developer/CoreSimulator
        storescope find case.zip --mirrored
        storescope find ~/Downloads --app com.example.Journeys --newest
        storescope find case.zip --app com.example.Journeys --copy-to Case
      """,
    changes: { $0.has(.copyTo) },
    documents: [DocumentForm(store: .never, payload: "stores", FindDocument.fields.keys())]
  ) { invocation in
    let filter = FoundFilter(invocation.arguments, isNewest: invocation.arguments.has(.newest))
    let password = invocation.password
    var stores: [FoundStore] = []
    var others = OtherStores()
    var skipped: [SkippedPlace] = []
    let progress = invocation.progress
    if !Interruption.isWatched { Interruption.watch() }
    let finder = StoreFinder(
      .init(
        found: { if filter.includes($0) { stores.append($0) } else { others.add($0) } },
        skipped: { skipped.append($0) },
        progress: { progress.phase($0) }),
      password: password)
    let named = invocation.arguments.positionals.isEmpty ? defaultPlaces : invocation.arguments.positionals
    var places = named
    for (index, name) in named.enumerated() {
      do {
        places[index] = try place(name, behind: index > 0 ? places[0] : nil, password)
        try finder.look(at: places[index])
      } catch let error where named.count > 1 { try finder.leaveOut(name, because: error) }
    }
    stores = filter.narrowed(stores)
    let toCopy = try invocation.arguments[.copyTo].map(StoreSource.plain)
    var found = FindDocument(
      stores: stores, filter: filter, others: others, skipped: skipped, places: places,
      isVerbose: invocation.isVerbose, isInShell: invocation.isInShell)
    guard let folder = toCopy, !stores.isEmpty else {
      let document = found.document
      // A script must not take a place that can't be read for one without stores.
      guard stores.isEmpty, others.count == 0 || toCopy != nil else { return Outcome(document) }
      let address = places.lazy.compactMap(StoreAddress.init).first { address in
        !skipped.contains { concerns($0, address) }
      }
      let unread = skipped.isEmpty ? nil : nothingReadable(places, skipped)
      guard
        let error = (others.count == 0 ? address.map(nothingThere) ?? unread : nil)
          ?? toCopy.map(nothingToCopy)
      else { return Outcome(document) }
      return .partial(document, error)
    }
    let copies = try StoreCopies(stores, to: folder, password: password) { progress.phase($0) }
    copies.notes.forEach(invocation.note)
    found.copies = copies
    var failure: StoreScopeError?
    let unread = skipped.filter(\.mayBeStore)
    if copies.failures.isEmpty, !unread.isEmpty {
      failure = StoreScopeError(
        .unreadable, folder,
        "lacks \(Sentence.count(unread.count, "store or container", "stores or containers")) that can't be read"
      )
    }
    if !copies.failures.isEmpty {
      failure = StoreScopeError(
        .failed, folder,
        "lacks \(copies.failures.count) of \(stores.count) stores, which could not be copied:")
      failure?.list = copies.failures.map { "\($0.address): \($0.because)" }
    }
    return .done(found.document, receipt: copies.receipt, failure: failure)
  }

  /// A script must not take it for a copy.
  private static func nothingToCopy(_ folder: String) -> StoreScopeError {
    StoreScopeError(.notFound, "Nothing was copied to '\(folder)'", about: folder)
  }

  private static func nothingReadable(_ places: [String], _ skipped: [SkippedPlace]) -> StoreScopeError {
    guard places.count == 1 else {
      return StoreScopeError(.unreadable, "None of these places has a store that can be read")
    }
    return FindDocument.unsearched(skipped, in: places).map {
      StoreScopeError.failed("can't search", places[0], $0.because)
    } ?? StoreScopeError(.unreadable, places[0], "has no store that can be read")
  }

  /// Whether it may be for this that nothing was found there: it lies there, or on the way.
  private static func concerns(_ skipped: SkippedPlace, _ address: StoreAddress) -> Bool {
    let asked = Platform.withoutLastSlashes(address.description)
    return asked == skipped.address || ["/", "!/"].contains { skipped.address.hasPrefix(asked + $0) }
      || asked.hasPrefix(skipped.address + "!/")
  }

  /// An address leads to something; it is wrong if nothing is there.
  private static func nothingThere(_ address: StoreAddress) -> StoreScopeError {
    StoreScopeError(
      .notFound, address.container, "has no store at '\(address.path)'", advice: "list the stores in it:"
    ).listing(command: "storescope find \(ShellQuotes.word(address.container))")
  }

  /// What is meant by a path that goes into an archive as if it were a folder.
  private static func misspelled(_ place: String) -> StoreScopeError? {
    guard FileReader.kind(of: place) == nil, StoreAddress(place) == nil,
      let archive = StoreLookup.archiveMeant(by: place), let rest = PathText.rest(of: place, behind: archive)
    else { return nil }
    let address = StoreAddress(container: archive, path: String(rest.dropFirst()))
    return StoreScopeError(
      .notFound, place, "isn't an address: '!/' stands between an archive and what is in it", advice: "type:"
    ).listing(command: "storescope find \(ShellQuotes.word(address.description))")
  }

  /// - Parameter isForOne: whether a value in a store may be meant, which nobody looks for in many stores.
  /// - Throws: `StoreScopeError` if nothing can be meant by the word.
  static func place(
    _ name: String, behind first: String?, isForOne: Bool = true, _ password: BackupPassword
  ) throws -> String {
    let place = try StoreSource.plain(name)
    if let error = misspelled(place) ?? (isForOne ? missing(place, behind: first) : nil) { throw error }
    return try DeviceBackup.address(ofFile: place, password: password)?.description ?? place
  }

  /// What is probably meant by a word that names nothing.
  private static func missing(_ word: String, behind first: String?) -> StoreScopeError? {
    guard !word.contains(where: { "./".contains($0) }), FileReader.kind(of: word) == nil else { return nil }
    func error(_ advice: String, _ command: String) -> StoreScopeError {
      .unreadable(word, "there is no such file or folder", kind: .notFound, advice: advice)
        .listing(command: "storescope \(command)")
    }
    let (first, quoted) = (first ?? "STORE", ShellQuotes.word(word))
    if FileReader.kind(of: first) == .folder || StoreLookup.isArchive(first) {
      return error(
        "to list only the stores of an app, type:", "find \(ShellQuotes.word(first)) --app \(quoted)")
    }
    return error("to find a value in a store, type:", "search \(ShellQuotes.word(first)) \(quoted)")
  }

  private static var defaultPlaces: [String] {
    Platform.isMac ? UsualPlaces.folders(inHome: Platform.homeFolder) : ["."]
  }
}
