import Lens
import Rendering
import StoreModel
import Values

/// What the pictures are made of, to sort and to search.
extension PageTable.Cell {
  fileprivate static func moment(_ date: CoreDataDate?) -> Self { date.map(Self.moment) ?? .empty }
}

extension Report {
  private static let mostRows = 1000

  private static func more(_ shown: Int, of count: Int, _ command: String) -> String? {
    count > shown
      ? "and \(Sentence.number(count - shown)) more of \(Sentence.number(count)): run 'storescope \(command)'"
      : nil
  }

  var entityTable: PageTable {
    PageTable(
      caption: "Entities (\(Sentence.number(entities.count)))",
      columns: [
        .init("entity"), .init("parent"), .init("table"), .init("rows", isNumber: true),
        .init("attributes", isNumber: true), .init("relationships", isNumber: true),
      ],
      rows: entities.prefix(Self.mostRows).map { entity in
        [
          .name(entity.name), .optional(entity.parent), .name(entity.table),
          entity.rows.map(PageTable.Cell.count) ?? .text("unknown"),
          .count(entity.attributes), .count(entity.relationships),
        ]
      }, more: Self.more(min(entities.count, Self.mostRows), of: entities.count, "entities STORE"),
      emptyText: "The model has no entity.")
  }

  func authorTable(_ authors: [HistoryGroup]) -> PageTable {
    PageTable(
      caption: "History by author",
      columns: [
        .init("author"), .init("transactions", isNumber: true), .init("inserts", isNumber: true),
        .init("updates", isNumber: true), .init("deletes", isNumber: true), .init("first"), .init("last"),
        .init("processes"),
      ],
      rows: authors.prefix(Self.mostRows).map { group in
        [
          group.key.map(PageTable.Cell.name) ?? .text("(no author)"), .count(group.transactions),
          .count(group.changes.inserts), .count(group.changes.updates), .count(group.changes.deletes),
          .optional(group.first),
          .optional(group.last), .text(group.processes.sorted().joined(separator: ", ")),
        ]
      },
      more: Self.more(
        min(authors.count, Self.mostRows), of: authors.count, "history STORE --by author"),
      emptyText: "History is empty.")
  }

  func failureTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable(
      caption: "Failures by error",
      columns: [
        .init("error"), .init("run"), .init("weight"), .init("times", isNumber: true), .init("first"),
        .init("last"), .init("meaning"),
      ],
      rows: mirror.failures.map { failure in
        [
          .text(failure.error), .text(failure.type),
          failure.isNoise ? .badge("harmless", .plain) : .badge("failed", .bad), .count(failure.count),
          .moment(failure.first), .moment(failure.last), .text(failure.meaning),
        ]
      }, emptyText: "Failures by error: no run failed.")
  }

  func eventTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable(
      caption: "Runs, newest first (\(Sentence.number(mirror.events)))",
      columns: [
        .init("started"), .init("run"), .init("result"), .init("error"), .init("took", isNumber: true),
      ],
      rows: mirror.newestEvents.map { event in
        let seconds = event.started.flatMap { start in event.ended.map { $0.seconds - start.seconds } }
        return [
          .moment(event.started), .text(event.typeName), Self.result(event),
          event.hasFailed ? .text(event.errorText ?? "none recorded") : .empty,
          seconds.map(PageTable.Cell.seconds) ?? .empty,
        ]
      }, more: Self.more(mirror.newestEvents.count, of: mirror.events, "events STORE --reverse"),
      emptyText: "Runs of the mirror: the log is empty.")
  }

  private static func result(_ event: MirrorEvent) -> PageTable.Cell {
    let tone: Tone =
      switch event.mark {
      case .succeeded: .good
      case .noise, .open: .plain
      case .failed: .bad
      }
    return .badge(event.mark.word, tone)
  }

  func reasonTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable(
      caption: "Pending by reason",
      columns: [.init("reason"), .init("changes", isNumber: true), .init("oldest")],
      rows: mirror.reasons.map { [.text($0.text), .count($0.count), .optional($0.oldest)] })
  }

  func pendingTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable(
      caption: "Pending changes (\(Sentence.number(mirror.counts.total)))",
      columns: [
        .init("object"), .init("kind"), .init("since"), .init("author"), .init("record"), .init("reason"),
      ],
      rows: mirror.pending.map { item in
        let object = item.entity.flatMap { entity in item.primaryKey.map { "\(entity)/p\($0)" } }
        return [
          .optional(object ?? item.zone), .text(item.kind.words.one), .optional(item.since),
          .optional(item.author), .optional(item.recordName), .text(item.reason),
        ]
      }, more: Self.more(mirror.pending.count, of: mirror.counts.total, "pending STORE"),
      emptyText: "Pending changes: none.")
  }

  func recordTable(_ mirror: MirrorFacts) -> PageTable {
    let states = RecordState.allCases
    return PageTable(
      caption: "Records by entity and state",
      columns: [.init("entity")] + states.map { .init($0.label, isNumber: true) },
      rows: mirror.states.prefix(Self.mostRows).map { row in
        [.name(row.entity)] + states.map { .count(row.counts[$0] ?? 0) }
      }, emptyText: "Records by entity and state: none.")
  }

  func zoneTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable(
      caption: "Zones",
      columns: [
        .init("zone"), .init("owner"), .init("database"), .init("records", isNumber: true), .init("share"),
        .init("token"), .init("last fetch"), .init("flags"),
      ],
      rows: mirror.zones.prefix(Self.mostRows).map { zone in
        [
          .optional(zone.name), .optional(zone.owner), .optional(zone.scope?.name), .count(zone.records),
          .text(zone.shareBytes == nil ? "no" : "yes"), .text(zone.changeToken.isPresent ? "yes" : "no"),
          .optional(zone.lastFetch), .text(zone.flagNames.joined(separator: ", ")),
        ]
      }, emptyText: "Zones: none.")
  }

  var sizeTable: PageTable {
    PageTable(
      caption: "Tables by size",
      columns: [
        .init("table"), .init("of"), .init("entities"), .init("rows’ pages", isNumber: true),
        .init("indexes", isNumber: true), .init("all", isNumber: true),
      ],
      rows: sizes.tables.prefix(Self.mostRows).map { table in
        [
          .name(table.name), .text(table.group.rawValue), .text(Self.short(table.entities)),
          .bytes(table.bytes), .bytes(table.indexBytes), .bytes(table.all),
        ]
      },
      more: Self.more(
        min(sizes.tables.count, Self.mostRows), of: sizes.tables.count, "size STORE"))
  }

  private static func short(_ names: [String]) -> String {
    names.prefix(4).joined(separator: ", ") + (names.count > 4 ? " and \(names.count - 4) more" : "")
  }
}
