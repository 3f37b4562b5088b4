import Base
package import Diagnostics
import Lens
package import Rendering
import StoreModel

/// What the pictures are made of, to sort and to search.
extension PageTable.Cell {
  fileprivate static func moment(_ date: CoreDataDate?) -> Self { date.map(Self.moment) ?? .empty }
}

extension Report {
  var entityTable: PageTable {
    PageTable(
      "Entities (\(Sentence.number(entities.count)))",
      ["entity", "parent", "table", "rows", "attributes", "relationships"], of: entities,
      command: "entities STORE", emptyText: "The model has no entity."
    ) { entity in
      [
        .name(entity.name), .optional(entity.parent), .name(entity.table),
        entity.rows.map(PageTable.Cell.count) ?? .text("unknown"), .count(entity.attributes),
        .count(entity.relationships),
      ]
    }
  }

  var relationshipTable: PageTable {
    PageTable(
      "Relationships and inheritance", ["from", "to", "what"], of: graph.edges, most: .max,
      emptyText: "No entity has a relationship."
    ) { edge in
      [.name(graph.nodes[edge.from].label), .name(graph.nodes[edge.to].label), .text(edge.label)]
    }
  }

  func authorTable(_ authors: [HistoryGroup]) -> PageTable {
    PageTable(
      "History by author",
      ["author", "transactions", "inserts", "updates", "deletes", "first", "last", "processes"],
      of: authors, command: "history STORE --by author", emptyText: "History is empty."
    ) { group in
      [
        group.key.map(PageTable.Cell.name) ?? .text("(no author)"), .count(group.transactions),
        .count(group.changes.inserts), .count(group.changes.updates), .count(group.changes.deletes),
        .optional(group.first), .optional(group.last),
        .text(group.processes.sorted().joined(separator: ", ")),
      ]
    }
  }

  func failureTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable(
      "Failures by error", ["error", "run", "weight", "times", "first", "last", "meaning"],
      of: mirror.failures
    ) { failure in
      [
        .text(failure.error), .text(failure.type), .failed(harmlessly: failure.isNoise),
        .count(failure.count), .moment(failure.first), .moment(failure.last), .text(failure.meaning),
      ]
    }
  }

  func eventTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable(
      "Runs, newest first (\(Sentence.number(mirror.events)))",
      ["started", "run", "result", "error", "took"], of: mirror.newestEvents, total: mirror.events,
      command: "events STORE --reverse"
    ) { event in
      let seconds = event.started.flatMap { start in event.ended.map { $0.seconds - start.seconds } }
      let tone: Tone =
        switch event.mark {
        case .succeeded: .good
        case .noise, .open: .plain
        case .failed: .bad
        }
      return [
        .moment(event.started), .text(event.typeName), .badge(event.mark.word, tone),
        event.hasFailed ? .text(event.errorText ?? "none recorded") : .empty,
        seconds.map(PageTable.Cell.seconds) ?? .empty,
      ]
    }
  }

  func reasonTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable("Pending by reason", ["reason", "changes", "oldest"], of: mirror.reasons) {
      [.text($0.text), .count($0.count), .optional($0.oldest)]
    }
  }

  func pendingTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable(
      "Pending changes (\(Sentence.number(mirror.counts.total)))",
      ["object", "kind", "since", "author", "record", "reason"], of: mirror.pending,
      total: mirror.counts.total, command: "pending STORE"
    ) { item in
      let object = item.entity.flatMap { entity in item.primaryKey.map { "\(entity)/p\($0)" } }
      return [
        .optional(object ?? item.zone), .text(item.kind.words.one), .optional(item.since),
        .optional(item.author), .optional(item.recordName), .text(item.reason),
      ]
    }
  }

  func recordTable(_ mirror: MirrorFacts) -> PageTable {
    let states = RecordState.allCases
    return PageTable("Records by entity and state", ["entity"] + states.map(\.label), of: mirror.states) {
      row in [.name(row.entity)] + states.map { .count(row.counts[$0] ?? 0) }
    }
  }

  func zoneTable(_ mirror: MirrorFacts) -> PageTable {
    PageTable(
      "Zones", ["zone", "owner", "database", "records", "share", "token", "last fetch", "flags"],
      of: mirror.zones
    ) { zone in
      [
        .optional(zone.name), .optional(zone.owner), .optional(zone.scope?.name), .count(zone.records),
        .text(zone.shareBytes == nil ? "no" : "yes"), .text(zone.changeToken.isPresent ? "yes" : "no"),
        .optional(zone.lastFetch), .text(zone.flagNames.joined(separator: ", ")),
      ]
    }
  }

  var sizeTable: PageTable {
    PageTable(
      "Tables by size", ["table", "of", "entities", "rows’ pages", "indexes", "all"], of: sizes.tables,
      command: "size STORE"
    ) { table in
      let names = table.entities
      let rest = names.count > 4 ? " and \(names.count - 4) more" : ""
      return [
        .name(table.name), .text(table.group.rawValue), .text(names.prefix(4).joined(separator: ", ") + rest),
        .bytes(table.bytes), .bytes(table.indexBytes), .bytes(table.all),
      ]
    }
  }

  var fileTable: PageTable {
    PageTable(
      "Hashes of the store’s files (SHA-256)", ["file", "size", "before", "after"], of: store.files
    ) { file in
      [
        .name(file.role), .bytes(file.bytes), .digits(file.sha256),
        file.sha256After == file.sha256
          ? .text("the same") : file.sha256After.map(PageTable.Cell.digits) ?? .text("gone"),
      ]
    }
  }

  var ruleTable: PageTable {
    let found = Set(diagnosis.findings.map(\.rule.id))
    let incomplete = Set(diagnosis.skipped.filter(\.isPartial).map(\.rule))
    let fine = diagnosis.checked.filter { !found.contains($0) }.map { rule in
      (
        rule,
        PageTable.Cell.text(
          incomplete.contains(rule) ? "nothing found, checked only in part" : "nothing found")
      )
    }
    let skipped = diagnosis.skipped.filter { !$0.isPartial }.map { ($0.rule, PageTable.Cell.text("skipped")) }
    let badges = diagnosis.findings.map { finding in
      (finding.rule.id, PageTable.Cell.badge(finding.rule.severity))
    }
    return PageTable("All rules", ["rule", "result"], of: badges + fine + skipped) { [.name($0), $1] }
  }
}

extension PageTable.Cell {
  package static func badge(_ severity: Severity) -> Self {
    .badge(Sentence.begun(severity.noun), severity.grade.tone)
  }

  package static func failed(harmlessly isNoise: Bool) -> Self {
    isNoise ? .badge("harmless", .plain) : .badge("failed", .bad)
  }
}
