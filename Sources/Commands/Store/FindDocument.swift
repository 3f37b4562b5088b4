import Base
import Discovery
import Evidence
import Rendering

/// What `find` prints.
struct FindDocument {
  let stores: [FoundStore]
  let filter: FoundFilter
  let others: OtherStores
  let skipped: [SkippedPlace]
  let places: [String]
  let isVerbose: Bool
  let isInShell: Bool
  /// Nil if none should be made.
  var copies: StoreCopies?

  /// Those that the table has: copies that storescope made are counted below it, if there is anything else.
  private var listed: [Int] {
    let foreign = stores.indices.filter { !stores[$0].isOwnCopy }
    return foreign.isEmpty || isVerbose || copies != nil ? Array(stores.indices) : foreign
  }

  var document: Document {
    let listed = listed
    var blocks: [Document.Block] = [.table(table)]
    let shown = listed.map { stores[$0] }
    let folded = stores.count - listed.count
    if folded > 0 {
      blocks.append(
        .text(
          "Not listed: \(Sentence.count(folded, "copy", "copies")) that storescope made (backups, or what 'restore' replaced). --verbose lists all."
        ))
    }
    let undated = shown.count { $0.facts.lastChangeSource == .files }
    if undated > 0 {
      blocks.append(
        .text(
          undated == shown.count
            ? "The dates are those of the files, as no store here has a history."
            : "\(Sentence.count(undated, "store")) without history \(Sentence.form(undated, "has", "have")) the date of \(Sentence.form(undated, "its", "their")) files."
        ))
    }
    if shown.contains(where: { $0.facts.externalBytes == nil }) {
      blocks.append(.text("Sizes of stores in archives and backups don't include external files."))
    }
    let withoutWAL = shown.count { $0.facts.isWALMissing }
    var asides: [String] = []
    if withoutWAL > 0 {
      let one = Sentence.form(withoutWAL, "it", "them")
      asides = [
        "\(Sentence.count(withoutWAL, "store")) \(Sentence.form(withoutWAL, "has", "have")) no -wal file next to \(one): if one was left behind, newer commits are missing."
      ]
      blocks.append(.text(asides[0]))
    }
    if let copies, copies.copies.contains(where: { $0 != nil }) {
      blocks.append(
        .text("'storescope help places' shows how a changed copy gets back to where it came from."))
    }
    let damaged = listed.filter { stores[$0].facts.damage != nil }
    if !damaged.isEmpty {
      let lines = damaged.map { "\(stores[$0].address): \(stores[$0].facts.damage ?? "")" }
      asides += lines
      let areMismatched = damaged.allSatisfy { stores[$0].facts.damage == StoreDamage.foreignWAL }
      blocks +=
        [.heading(areMismatched ? StoreDamage.mismatched : "Damaged")] + Self.shown(lines, isVerbose)
        + examining(damaged)
    }
    if isVerbose, let copies {
      blocks += [.heading("SHA-256 of the copies"), .lines(copies.receipt.lines)]
    }
    // The error that ends the command says why nothing could be searched.
    let isTold = stores.isEmpty && others.count == 0 && Self.unsearched(skipped, in: places) != nil
    if !skipped.isEmpty, !isTold {
      let shown = isVerbose ? skipped[...] : skipped.prefix(Self.mostNamed)
      asides += shown.map { "skipped \($0.address): \($0.because)" }
      let rest = skipped.count - shown.count
      if rest > 0 { asides.append("skipped \(Sentence.number(rest)) more: --verbose lists all") }
      blocks +=
        [.heading("Skipped")] + Self.shown(skipped.map { "\($0.address): \($0.because)" }, isVerbose)
    }
    blocks += next
    var document = Document(
      command: "find", payload: "stores", Self.fields, of: self, blocks: blocks)
    document.asides = asides
    return document
  }

  /// How to see what is wrong with damaged stores, as it is typed here.
  private func examining(_ damaged: [Int]) -> [Document.Block] {
    let (verb, which) = damaged.count == 1 ? ("it", "it") : ("one of them", "the first of them")
    guard isInShell else {
      return Self.suggestion(
        "To see all that is wrong with \(which)", "storescope doctor \(ShellQuotes.word(opened(damaged[0])))")
    }
    let number = damaged.count == 1 ? listed.firstIndex(of: damaged[0]).map { String($0 + 1) } : nil
    return [
      .text("'open \(number ?? "NUMBER")', then 'doctor', shows all that is wrong with \(verb).")
    ]
  }

  /// What people do next with a store that was found. In the shell the table says it.
  private var next: [Document.Block] {
    guard !isInShell, let first = listed.first else { return [] }
    return Self.suggestion(
      listed.count == 1 ? "To open it" : "To open one of them, such as the first",
      "storescope \(ShellQuotes.word(opened(first)))")
  }

  /// A copy is what can be changed.
  private func opened(_ index: Int) -> String { copies?.copies[index]?.path ?? stores[index].address }

  private static let widestSuggestion = 78

  /// In one line if it fits. A name with a time in it would be shortened there.
  static func suggestion(_ words: String, _ command: String) -> [Document.Block] {
    let line = "\(words): \(command)"
    return line.count <= widestSuggestion && !command.contains(":")
      ? [.text(line)] : [.text("\(words):"), .lines([command])]
  }

  private static let mostNamed = 5

  private static func shown(_ lines: [String], _ isVerbose: Bool) -> [Document.Block] {
    let shown = isVerbose ? lines[...] : lines.prefix(mostNamed)
    let rest = lines.count - shown.count
    return shown.map { .text($0) }
      + (rest > 0 ? [.text("… and \(Sentence.number(rest)) more: --verbose lists all")] : [])
  }

  /// The only place that was named, if it is all that can't be read.
  static func unsearched(_ skipped: [SkippedPlace], in places: [String]) -> SkippedPlace? {
    guard places.count == 1, skipped.count == 1 else { return nil }
    return skipped[0].address == Platform.withoutLastSlashes(places[0]) ? skipped[0] : nil
  }

  private var table: RowStream {
    let listed = listed
    // As a command takes them: archives have an exclamation mark in them, which shells expand.
    var columns =
      [
        RowStream.Column("app", rank: 3), .init("device", rank: 5), .init("size", isNumber: true, rank: 4),
        .init("wal", isNumber: true, rank: 6), .init("objects", isNumber: true, rank: 7),
        .init("entities", isNumber: true, rank: 8),
        .init("changed", rank: 1), .init("sync", rank: 2),
        copies == nil ? .init("store") : .init("original", rank: 10),
      ] + (copies == nil ? [] : [.init("copy")])
    columns[8].isCopied = true
    var stream = RowStream(
      columns: columns, emptyText: others.sentence(filter, skipped, in: places), count: { listed.count }
    ) {
      sink in
      for index in listed {
        let store = stores[index]
        sink.beginRow()
        sink.value(.optional(store.owner.name))
        sink.value(.optional(store.device))
        sink.value(.text(store.size))
        sink.value(.text(store.wal))
        sink.value(.optional(store.facts.objects))
        sink.value(.count(store.facts.entities))
        sink.value(.optional(store.facts.lastChange))
        sink.value(.text(store.sync))
        sink.value(.text(ShellQuotes.word(store.address)))
        if let copies {
          let address = ShellQuotes.word(store.address)
          let copy = copies.copies[index].map { ShellQuotes.word($0.path) }
          sink.value(.text(copy ?? "not copied: \(address)"))
        }
        guard try sink.endRow() else { return }
      }
    }.toTheMinute().withCopiedTexts().neverCutting("store").neverCutting("original")
      .counting("store").leavingOutEmptyColumns()
    stream.numberedStores = (listed.map(opened), "'open NUMBER' opens one of them.")
    return stream
  }

  static let fields: [Field<Self>] = [
    Field("stores", .list(.object(storeFields.keys())), "the stores that were found") { found in
      found.stores.indices.map { storeFields.object(of: (found.stores[$0], found.copies, $0)) }
    },
    Field("skipped", "what looked like a store and can't be read") {
      ($0.copies?.failures ?? []) + $0.skipped
    },
  ]

  private typealias Row = (store: FoundStore, copies: StoreCopies?, index: Int)
  private static let storeFields: [Field<Row>] = Field.list(
    [
      Field("address", "what other commands take: a path, or CONTAINER!/PATH") { $0.store.address },
      Field("container", "what it is in") { $0.store.container },
    ], Owner.fields.of { $0.store.owner },
    [
      Field("domain", "the domain in a device backup") { $0.store.domain },
      Field("device", "the simulator's name and system") { $0.store.device },
      Field("devicePath", "its path on the device, as far as that is known") { $0.store.devicePath },
      Field("isCopy", "storescope made it: a backup, or what 'restore' replaced") { $0.store.isOwnCopy },
    ], StoreDigest.sizeFields.of { $0.store.facts },
    [
      Field("damage", "what is damaged, a clause; null if nothing shows at a glance") {
        $0.store.facts.damage
      },
      Field("fileID", "the name of its file in a device backup") { $0.store.fileID },
    ], StoreDigest.fields.of { $0.store.facts },
    [
      Field("copy", .text.orNull, "the path of the copy; null if it couldn't be made", if: isCopied) { row in
        row.copies.map { DataValue.optional($0.copies[row.index]?.path) }
      },
      Field(
        "copiedFiles", .list(.object(StoreCopies.Copy.fileFields.keys())).orNull, "the copy's files",
        if: isCopied
      ) { row in
        row.copies.map { copies -> DataValue in
          copies.copies[row.index].map { .array($0.files.map(StoreCopies.Copy.fileFields.object)) } ?? .null
        }
      },
    ])
  private static let isCopied = "--copy-to is given"
}
