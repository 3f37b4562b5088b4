import Containers
import Discovery
import Rendering
import SystemCalls
import Values

extension Command {
  package static let find = Command(
    "find", summary: "find stores in folders, simulators, containers, backups and archives", store: .none,
    arguments: [
      .init(
        "PATH", kind: .file, isOptional: true, isRepeatable: true,
        help:
          "what to search (default: \(Platform.isMac ? "running simulators and your apps" : "this folder"))")
    ],
    options: [
      OptionDefinition(
        .app, value: "NAME", kind: .word, help: "only stores whose app or group has this in its identifier"),
      OptionDefinition(.mirrored, help: "only stores that are mirrored to CloudKit"),
      OptionDefinition(
        .newest, help: "only the store that changed last, per app, or per folder if no app is known"),
      OptionDefinition(
        .copyTo, value: "FOLDER", kind: .folder, help: "copy the stores to this folder, with all their files"),
    ] + CommonOptions.password,
    discussion: """
      Looks through folders, simulators, downloaded .xcappdata containers, backups made by Finder or iTunes, and zip and
      tar archives (gzip, bzip2, xz, zstd), including archives inside an archive, but none deeper. Stores are
      recognized by their bytes, whatever their names are. Every command that reads a store takes the paths and addresses
      that are printed. Nothing is changed, and nothing is left behind.

      A store's last change is the last transaction in its history, or if it has none, the date of its files.

      What looks like a store and can't be read is listed with the reason; if there is nothing else, the exit code is 2.
      Operations don't change stores in containers: --copy-to copies them out, each with its -wal and its external files,
      several of them to a folder each. --verbose prints the copies' SHA-256.

      In the shell, stores are numbered, and 'open NUMBER' opens one.

      Examples:
        storescope find ~/Library/Developer/CoreSimulator
        storescope find case.zip --mirrored
        storescope find ~/Downloads --app com.example.Journeys --newest
        storescope find case.zip --app com.example.Journeys --copy-to Case
      """,
    changes: { $0.has(.copyTo) }
  ) { invocation in
    let filter = FoundFilter(invocation.arguments)
    let password = BackupPassword(invocation.arguments)
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
    let places = try invocation.arguments.positionals.map(StoreSource.withoutScheme)
    for place in places.isEmpty ? defaultPlaces : places { try finder.look(at: place) }
    stores = filter.narrowed(stores)
    guard let folder = invocation.arguments[.copyTo], !stores.isEmpty else {
      let document = FindDocument(stores, others, skipped, isVerbose: invocation.isVerbose).document
      // A script must not take a place that can't be read for one without stores.
      guard stores.isEmpty, others.count == 0, !skipped.isEmpty else { return Outcome(document) }
      return .partial(document, nothingReadable(places, skipped))
    }
    let copies = try StoreCopies(stores, to: folder, password: password) { progress.phase($0) }
    let document = FindDocument(
      stores, others, skipped, copies: copies, isVerbose: invocation.isVerbose
    ).document
    var failure: StoreScopeError?
    if !copies.failures.isEmpty {
      failure = StoreScopeError(
        .failed, folder,
        "lacks \(copies.failures.count) of \(stores.count) stores, which could not be copied:")
      failure?.list = copies.failures.map { "\($0.address): \($0.because)" }
    }
    return .done(document, receipt: copies.receipt, failure: failure)
  }

  private static func nothingReadable(_ places: [String], _ skipped: [SkippedPlace]) -> StoreScopeError {
    let unsearched = places.first { place in
      let place = Platform.withoutLastSlashes(place)
      return skipped.contains { $0.address == place }
    }
    if let unsearched { return StoreScopeError(.unreadable, unsearched, "could not be searched") }
    return places.count > 1
      ? StoreScopeError(.unreadable, "None of these places has a store that can be read")
      : StoreScopeError(.unreadable, places.first ?? ".", "has no store that can be read")
  }

  private static var defaultPlaces: [String] {
    Platform.isMac ? UsualPlaces.folders(inHome: Platform.homeFolder) : ["."]
  }
}

/// Which of the stores that were found are asked for.
private struct FoundFilter {
  let app: String?
  let isMirrored: Bool
  let isNewest: Bool

  init(_ arguments: ParsedArguments) {
    app = arguments[.app]?.lowercased()
    isMirrored = arguments.has(.mirrored)
    isNewest = arguments.has(.newest)
  }

  func includes(_ store: FoundStore) -> Bool {
    if isMirrored, store.facts.mirror == nil { return false }
    return app.map { store.owner.name?.lowercased().contains($0) ?? false } ?? true
  }

  /// If nothing shows whose a store is, its folder stands for the app.
  func narrowed(_ stores: [FoundStore]) -> [FoundStore] {
    guard isNewest else { return stores }
    func key(_ store: FoundStore) -> String {
      store.owner.name
        ?? String(Substring(store.address.utf8.dropLast(Platform.fileName(store.address).utf8.count)))
    }
    func time(_ store: FoundStore) -> Double { store.facts.lastChange?.seconds ?? -.infinity }
    let newest = Set(
      Dictionary(grouping: stores, by: key).values.compactMap {
        $0.max { time($0) < time($1) }?.address
      })
    return stores.filter { newest.contains($0.address) }
  }
}

/// Stores that weren't asked for.
private struct OtherStores {
  private(set) var count = 0
  private var withoutApp = 0

  mutating func add(_ store: FoundStore) {
    count += 1
    if store.owner.name == nil { withoutApp += 1 }
  }

  /// What to say if no store was asked for.
  func sentence(_ skipped: [SkippedPlace]) -> String {
    guard count > 0 else {
      return skipped.isEmpty ? "No store was found." : "No store was found that can be read."
    }
    let unknown = withoutApp == 0 ? "" : "; for \(Sentence.number(withoutApp)) of them the app isn't known"
    return
      "No such store was found. Without these options there \(Sentence.form(count, "is", "are")) \(Sentence.number(count))\(unknown)."
  }
}

/// What `find` prints.
private struct FindDocument {
  private let stores: [FoundStore]
  private let others: OtherStores
  private let skipped: [SkippedPlace]
  /// Nil if none should be made.
  private let copies: StoreCopies?
  private let isVerbose: Bool

  init(
    _ stores: [FoundStore], _ others: OtherStores, _ skipped: [SkippedPlace], copies: StoreCopies? = nil,
    isVerbose: Bool
  ) {
    self.stores = stores
    self.others = others
    self.skipped = skipped
    self.copies = copies
    self.isVerbose = isVerbose
  }

  var document: Document {
    var blocks: [Document.Block] = [.table(table)]
    let undated = stores.count { $0.facts.lastChangeSource == .files }
    if undated > 0 {
      blocks.append(
        .text(
          undated == stores.count
            ? "The dates are those of the files, as no store here has a history."
            : "\(Sentence.count(undated, "store")) without history \(Sentence.form(undated, "has", "have")) the date of \(Sentence.form(undated, "its", "their")) files."
        ))
    }
    if isVerbose, let copies {
      blocks += [.heading("SHA-256 of the copies"), .lines(copies.receipt.lines)]
    }
    if !skipped.isEmpty {
      let shown = isVerbose ? skipped[...] : skipped.prefix(Self.mostNamed)
      let rest = skipped.count - shown.count
      blocks += [.heading("Skipped")] + shown.map { .text("\($0.address): \($0.because)") }
      if rest > 0 { blocks.append(.text("… and \(Sentence.number(rest)) more: --verbose lists all")) }
    }
    let skippedValues = ((copies?.failures ?? []) + skipped).map { place -> DataValue in
      ["address": .text(place.address), "because": .text(place.because)]
    }
    return Document(
      command: "find",
      fields: [.init("stores", .array(stores.indices.map(value))), .init("skipped", .array(skippedValues))],
      payload: "stores", blocks: blocks)
  }

  private static let mostNamed = 5

  private var table: RowStream {
    // As a command takes them: archives have an exclamation mark in them, which shells expand.
    var columns =
      [
        RowStream.Column("app", rank: 3), .init("size", isNumber: true, rank: 4),
        .init("wal", isNumber: true, rank: 6), .init("entities", isNumber: true, rank: 7),
        .init("changed", rank: 1), .init("sync", rank: 2), .init("store", rank: copies == nil ? 0 : 10),
      ] + (copies == nil ? [] : [.init("copy")])
    columns[6].isCopied = true
    var stream = RowStream(columns: columns, emptyText: others.sentence(skipped), count: { stores.count }) {
      sink in
      for (index, store) in stores.enumerated() {
        sink.beginRow()
        sink.value(.optional(store.owner.name))
        sink.value(.text(Sentence.size(store.facts.bytes)))
        sink.value(.text(store.facts.walBytes == 0 ? "" : Sentence.size(store.facts.walBytes)))
        sink.value(.count(store.facts.entities))
        sink.value(.optional(store.facts.lastChange))
        sink.value(.text(Self.sync(store.facts)))
        sink.value(.text(ShellQuotes.word(store.address)))
        if let copies {
          let address = ShellQuotes.word(store.address)
          let copy = copies.copies[index].map { ShellQuotes.word($0.path) }
          sink.value(.text(copy ?? "not copied: \(address)"))
        }
        guard try sink.endRow() else { return }
      }
    }.toTheMinute().withCopiedTexts().neverCutting("store").counting("store")
    stream.numberedStores = (stores.map(\.address), "'open NUMBER' opens one of them.")
    return stream
  }

  private static func sync(_ facts: StoreDigest) -> String {
    guard facts.mirror != nil else { return "not mirrored" }
    return facts.pending.map { $0 == 0 ? "nothing pending" : "\(Sentence.number($0)) pending" } ?? "mirrored"
  }

  private func value(_ index: Int) -> DataValue {
    let store = stores[index]
    let value: DataValue = [
      "address": .text(store.address), "container": .text(store.container.rawValue),
      "app": .optional(store.owner.app),
      "group": .optional(store.owner.group), "domain": .optional(store.domain),
      "devicePath": .optional(store.devicePath), "bytes": .integer(store.facts.bytes),
      "walBytes": .integer(store.facts.walBytes), "uuid": .optional(store.facts.uuid),
      "frameworkVersion": .optional(store.facts.frameworkVersion), "entities": .count(store.facts.entities),
      "mirror": .optional(store.facts.mirror), "pending": .optional(store.facts.pending),
      "lastChange": .optional(store.facts.lastChange),
      "lastChangeSource": .text(store.facts.lastChangeSource.rawValue),
    ]
    guard let copies, case .object(let members) = value else { return value }
    let copy = copies.copies[index]
    return .object(
      members + [.init("copy", .optional(copy?.path)), .init("copiedFiles", copy?.value ?? .null)])
  }
}
