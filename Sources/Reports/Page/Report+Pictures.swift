import Base
import Diagnostics
import Lens
import Rendering
import StoreModel

/// Where people would rather look than read.
extension Report {
  func syncSection(_ mirror: MirrorFacts) -> Document.Section {
    var blocks: [Document.Block] = [.list(verdict.because)]
    if !verdict.noise.isEmpty { blocks.append(.text(verdict.noise.joined(separator: " "))) }
    if !mirror.problems.isEmpty { blocks.append(.list(mirror.problems)) }
    blocks.append(.pictures([events(mirror)]))
    if !mirror.failures.isEmpty { blocks.append(Self.folded(failureTable(mirror))) }
    blocks.append(.pictures([pending(mirror), records(mirror)]))
    if !mirror.reasons.isEmpty { blocks.append(Self.folded(reasonTable(mirror), most: 12)) }
    blocks.append(.pictures([zones(mirror)]))
    return Document.Section("sync", "Sync", blocks)
  }

  /// Longer tables in the middle of a section are folded.
  private static let mostOpen = 8

  private static func folded(_ table: PageTable, most: Int = mostOpen) -> Document.Block {
    .grid(table, mostOpen: most)
  }

  private func events(_ mirror: MirrorFacts) -> Document.Picture {
    let failures = mirror.failures.filter { !$0.isNoise }
    let failed = failures.reduce(0) { $0 + $1.count }
    let noise = mirror.failures.filter(\.isNoise).reduce(0) { $0 + $1.count }
    var summary =
      "\(Sentence.count(mirror.events, "run")) of the mirror, \(Sentence.number(failed)) failed"
    if noise > 0 { summary += " and \(Sentence.number(noise)) with harmless errors" }
    let errors = Dictionary(failures.map { ($0.error, $0.count) }, uniquingKeysWith: +)
    let most = errors.values.max() ?? 0
    let leading = errors.filter { $0.value == most }.map(\.key)
    // Of several that are as frequent none is the most frequent.
    if leading.count == 1 {
      let how = errors.count > 1 ? "most often " : failed > 1 ? "all " : ""
      summary += ", \(how)with \(leading[0])"
    }
    return Document.Picture(
      "events", "Setups, imports and exports",
      mirror.eventsProblem ?? (mirror.events == 0 ? "The mirror’s log is empty." : summary + "."),
      mirror.events == 0 ? nil : .chart(.marks(mirror.eventChart.chart)),
      data: mirror.events == 0 ? [] : [eventTable(mirror)])
  }

  private func pending(_ mirror: MirrorFacts) -> Document.Picture {
    let rows = mirror.ages.byEntity
    let chart = BarChart(
      title: "Pending changes by entity and age",
      kinds: PendingAges.kinds,
      bars: rows.map { .init($0.entity, $0.counts) }.sorted { $1.sum < $0.sum })
    let summary: String
    if let problem = mirror.uncounted {
      summary = problem
    } else if rows.isEmpty {
      summary = "Nothing is pending."
    } else {
      let oldest = mirror.ages.oldest.map { ", the oldest since \($0.iso8601 ?? "an impossible time")" } ?? ""
      summary =
        "\(Sentence.number(mirror.counts.total)) pending\(oldest). Ages are counted back from the newest timestamp in the store."
    }
    return Document.Picture(
      "pending", "Pending changes", summary, rows.isEmpty ? nil : .chart(.bars(chart)),
      data: rows.isEmpty ? [] : [pendingTable(mirror)])
  }

  private func records(_ mirror: MirrorFacts) -> Document.Picture {
    func ink(_ state: RecordState) -> Ink {
      switch state {
      case .uploaded: .series(0)
      case .pendingUpload: .series(1)
      case .pendingCloudDelete: .series(3)
      case .deleteLeftover: .others
      case .orphan: .bad
      case .neverAcknowledged: .series(4)
      }
    }
    let states: [RecordState] = [
      .uploaded, .pendingUpload, .pendingCloudDelete, .deleteLeftover, .neverAcknowledged, .orphan,
    ]
    let chart = BarChart(
      title: "Records by entity and state",
      kinds: states.map { .init($0.label, ink($0)) },
      bars: mirror.states.map { row in .init(row.entity, states.map { row.counts[$0] ?? 0 }) }
        .sorted { $1.sum < $0.sum })
    return Document.Picture(
      "records", "Records by state",
      mirror.recordsProblem ?? (mirror.records == 0 ? "There are no records." : mirror.recordsSentence),
      mirror.records == 0 ? nil : .chart(.bars(chart)),
      data: mirror.records == 0 ? [] : [recordTable(mirror)])
  }

  private func zones(_ mirror: MirrorFacts) -> Document.Picture {
    let shared = mirror.zones.filter { $0.shareBytes != nil || $0.scope == .shared }.count
    let bars = mirror.zones.map { zone in
      BarChart.Bar(Self.words(zone), zone.records)
    }
    let sharing = shared == 0 ? "none of them shared" : "\(shared) of them shared"
    // One bar wouldn't show anything.
    let isDrawn = mirror.zones.count > 1 && mirror.zones.contains { $0.records > 0 }
    return Document.Picture(
      "zones", "Zones and shares",
      mirror.zones.isEmpty
        ? "There are no zones."
        : "\(Sentence.count(mirror.zones.count, "zone")), \(sharing).\(isDrawn ? " The bars are records." : "")",
      isDrawn
        ? .chart(.bars(BarChart(title: "Records by zone", bars: bars.sorted { $1.sum < $0.sum }))) : nil,
      data: mirror.zones.isEmpty ? [] : [zoneTable(mirror)])
  }

  private static func words(_ zone: MirrorZone) -> String {
    let name = zone.name ?? "(no name)"
    let short = name == MirrorZone.defaultName ? "Core Data’s zone" : name
    if zone.scope == .shared { return "\(short), shared with me" }
    return zone.shareBytes == nil ? short : "\(short), shared by me"
  }

  // MARK: - History

  var historySection: Document.Section {
    guard let history else {
      return Document.Section(
        "history", "Who changed what",
        [.text(historyProblem ?? "The store keeps no persistent history.")])
    }
    let authors = history.authors
    let busiest = authors.max { $0.changes.total < $1.changes.total }
    let transactions = history.summary.transactions
    var summary =
      "\(Sentence.count(history.summary.changes, "change")) in \(Sentence.count(transactions, "transaction")) by \(Sentence.count(authors.count, "author"))"
    if authors.count > 1, let busiest, busiest.changes.total > history.summary.changes / 2 {
      summary += ", most of them \(busiest.key.map { "by \($0)" } ?? "without an author")"
    }
    if transactions == 1, let moment = history.summary.first?.iso8601 { summary += ", at \(moment)" }
    let picture = Document.Picture(
      "changes", "Changes by author", history.summary.changes == 0 ? "History is empty." : summary + ".",
      // One column wouldn't show anything that the sentence doesn't.
      history.summary.changes == 0 || transactions < 2 ? nil : .chart(.counts(history.picture)))
    return Document.Section(
      "history", "Who changed what",
      [.pictures([picture])]
        + (authors.isEmpty ? [] : [.grid(authorTable(authors), mostOpen: Self.mostOpen, isDetail: true)]))
  }

  // MARK: - Storage and model

  var storageSection: Document.Section {
    Document.Section("storage", "Storage", [.pictures([sizePicture])], isDetail: true)
  }

  var modelSection: Document.Section {
    let picture = EntityGraph.folded(graph, entities)
    let drawn = Set(picture.nodes.map(\.label))
    let folded = entities.filter { !drawn.contains($0.name) }
    let inheriting = picture.edges.count { $0.kind == .inheritance }
    let hidden =
      folded.isEmpty
      ? ""
      : folded.allSatisfy { $0.rows == 0 }
        ? " Not drawn: \(Sentence.count(folded.count, "entity", "entities")) without objects."
        : " \(Sentence.count(folded.count, "more entity is", "more entities are")) not drawn."
    return Document.Section(
      "model", "Model",
      [
        .pictures([
          Document.Picture(
            "graph", "Entities and their relationships",
            "\(Sentence.count(drawn.count, "entity", "entities")), \(Sentence.count(picture.edges.count - inheriting, "relationship")), \(Sentence.count(inheriting, "entity that inherits", "entities that inherit")). A fork at a line’s end means many, a bar one, a triangle the parent.\(hidden)",
            picture.nodes.isEmpty ? nil : .graph(picture), data: [entityTable, relationshipTable])
        ])
      ], isDetail: true)
  }

  private var sizePicture: Document.Picture {
    guard sizes.isMeasured else {
      return Document.Picture("sizes", "Disk space", "This build of SQLite can’t measure tables.", nil)
    }
    let groups: [(StoreSize.Group, String, Ink)] = [
      (.objects, "objects", .series(0)), (.history, "history", .series(1)), (.mirror, "mirror", .series(2)),
      (.other, "other", .others),
    ]
    let chart = BarChart(
      title: "Bytes by table, with its indexes",
      kinds: groups.map { .init($0.1, $0.2) },
      bars: sizes.tables.filter { $0.all > 0 }.map { table in
        .init(
          table.entities.first.map { "\($0)\(table.entities.count > 1 ? " …" : "")" } ?? table.name,
          groups.map { $0.0 == table.group ? Int(table.all) : 0 })
      }, unit: .bytes)
    let wal = store.walBytes > 0 ? " and \(Sentence.size(store.walBytes)) in its WAL" : ""
    let unused =
      sizes.freeBytes > 0 ? " \(Sentence.size(sizes.freeBytes)) of it is unused: VACUUM reclaims it." : ""
    return Document.Picture(
      "sizes", "Disk space", "\(Sentence.size(store.bytes)) in the file\(wal).\(unused)",
      .chart(.bars(chart)), data: [sizeTable])
  }
}

extension MirrorFacts {
  /// No more than `records` and `pending` say.
  fileprivate var recordsSentence: String {
    let records = "\(Sentence.number(onServer)) of \(Sentence.count(self.records, "record"))"
    let flagged = [PendingItem.Kind.upload, .cloudDelete].reduce(0) { $0 + counts[$1, default: 0] }
    let later = counts[.unanalyzed, default: 0]
    let saved =
      "\(Sentence.count(later, "object was", "objects were")) saved later, and the exporter hasn't processed that yet"
    let known =
      "The server is known to have \(records); \(Sentence.number(flagged)) \(Sentence.form(flagged, "is", "are")) flagged for upload or deletion."
    return uncounted == nil && later > 0 ? "\(known) \(saved)." : known
  }
}
