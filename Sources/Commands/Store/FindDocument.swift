import Discovery
import Rendering
import SystemCalls
import Values

/// Stores that weren't asked for.
struct OtherStores {
  private(set) var count = 0
  private var withoutApp = 0

  mutating func add(_ store: FoundStore) {
    count += 1
    if store.owner.name == nil { withoutApp += 1 }
  }

  /// What to say if no store was asked for.
  func sentence(_ skipped: [SkippedPlace], in places: [String]) -> String {
    guard count > 0 else {
      guard skipped.isEmpty else { return "No store was found that can be read." }
      let place =
        switch places.count {
        case 1: places[0] == "." ? "this folder" : "'\(places[0])'"
        default: "these places"
        }
      return "No store of Core Data or SwiftData was found in \(place)."
    }
    let unknown = withoutApp == 0 ? "" : "; for \(Sentence.number(withoutApp)) of them the app isn't known"
    return
      "No such store was found. Without these options there \(Sentence.form(count, "is", "are")) \(Sentence.number(count))\(unknown)."
  }
}

/// What `find` prints.
struct FindDocument {
  private let stores: [FoundStore]
  private let others: OtherStores
  private let skipped: [SkippedPlace]
  private let places: [String]
  /// Nil if none should be made.
  private let copies: StoreCopies?
  private let isVerbose: Bool

  init(
    _ stores: [FoundStore], _ others: OtherStores, _ skipped: [SkippedPlace], in places: [String],
    copies: StoreCopies? = nil, isVerbose: Bool
  ) {
    self.stores = stores
    self.others = others
    self.skipped = skipped
    self.places = places
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
    let withoutWAL = stores.count { $0.facts.isWALMissing }
    var asides: [String] = []
    if withoutWAL > 0 {
      let one = Sentence.form(withoutWAL, "it", "them")
      asides = [
        "\(Sentence.count(withoutWAL, "store")) \(Sentence.form(withoutWAL, "has", "have")) no -wal file next to \(one): if copied without it, newer commits are missing."
      ]
      blocks.append(.text(asides[0]))
    }
    if let copies, copies.copies.contains(where: { $0 != nil }) {
      blocks.append(
        .text("'storescope help places' shows how a changed copy gets back to where it came from."))
    }
    let damaged = stores.compactMap { store in store.facts.damage.map { "\(store.address): \($0)" } }
    if !damaged.isEmpty {
      asides += damaged
      blocks += [.heading("Damaged")] + Self.shown(damaged, isVerbose)
      blocks.append(.text("'storescope doctor STORE' shows all that is wrong with one of them."))
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
    let skippedValues = ((copies?.failures ?? []) + skipped).map { place -> DataValue in
      ["address": .text(place.address), "because": .text(place.because)]
    }
    var document = Document(
      command: "find",
      fields: [.init("stores", .array(stores.indices.map(value))), .init("skipped", .array(skippedValues))],
      payload: "stores", blocks: blocks)
    document.asides = asides
    return document
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
    // As a command takes them: archives have an exclamation mark in them, which shells expand.
    var columns =
      [
        RowStream.Column("app", rank: 3), .init("size", isNumber: true, rank: 4),
        .init("wal", isNumber: true, rank: 6), .init("entities", isNumber: true, rank: 7),
        .init("changed", rank: 1), .init("sync", rank: 2), .init("store", rank: copies == nil ? 0 : 10),
      ] + (copies == nil ? [] : [.init("copy")])
    columns[6].isCopied = true
    var stream = RowStream(
      columns: columns, emptyText: others.sentence(skipped, in: places), count: { stores.count }
    ) {
      sink in
      for (index, store) in stores.enumerated() {
        sink.beginRow()
        sink.value(.optional(store.owner.name))
        sink.value(.text(Sentence.size(store.facts.bytes)))
        sink.value(.text(Self.wal(store.facts)))
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
    // A copy is what can be changed.
    let numbered = stores.indices.map { copies?.copies[$0]?.path ?? stores[$0].address }
    stream.numberedStores = (numbered, "'open NUMBER' opens one of them.")
    return stream
  }

  private static func wal(_ facts: StoreDigest) -> String {
    if facts.isWALMissing { return "missing" }
    return facts.walBytes == 0 ? "" : Sentence.size(facts.walBytes)
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
      "walBytes": .integer(store.facts.walBytes), "walMissing": .bool(store.facts.isWALMissing),
      "damage": .optional(store.facts.damage), "fileID": .optional(store.fileID),
      "uuid": .optional(store.facts.uuid),
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
