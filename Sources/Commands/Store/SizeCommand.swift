import Base
import Evidence
import Lens
import Rendering

extension Command {
  static let size = Command(
    "size", summary: "what uses the disk space, and what can be freed",
    options: [OptionDefinition(.chart, help: "draw a chart (table and Markdown output only)")],
    discussion: """
      Percentages refer to all of the store's files: the main file, its WAL, and the files of external values. An entity's part
      includes its indexes, and the objects of its sub-entities, which share its table. Only the ten largest entities
      and properties are listed, and the five largest tables of history, mirror and the rest; --limit N lists N of
      each, --verbose lists all.

      In JSON, NDJSON and CSV the parts are those of the main file and add up to it exactly; an entity's indexes are
      parts of their own.

      Examples:
        storescope size App.store --chart
        storescope size App.store --format csv > sizes.csv
      """,
    documents: [DocumentForm(payload: "parts", SizeDocument.fields.keys())]
  ) { invocation in
    let session = try invocation.store()
    let progress = invocation.progress
    let size = try StoreSize(session.open()) { progress.phase("measuring \($0)") }
    let limit = try invocation.limit() ?? (invocation.isVerbose ? .max : SizeDocument.usualLimit)
    let document = try SizeDocument(session, size, limit: limit, progress)
    return Outcome(document.document(hasChart: invocation.arguments.has(.chart)))
  }
}

/// What `size` prints.
struct SizeDocument {
  static let usualLimit = 10

  private let identity: StoreIdentity
  let size: StoreSize
  private let limit: Int
  let wal: Int64
  private let walCommits: Int
  private let path: String
  /// Nil where the folders can't be read.
  private var external: Int64?
  private var assets: Int64?
  let blobs: [BlobSize]
  private var problems: [String]

  init(_ session: Session, _ size: StoreSize, limit: Int, _ progress: Progress) throws {
    identity = try session.identity()
    self.size = size
    self.limit = limit
    problems = size.problems
    let open = try session.open()
    let opened = try open.bytes()
    path = opened.files.resolvedPath
    wal = opened.way == .withoutWAL ? 0 : opened.files.wal?.size ?? 0
    walCommits = wal > 0 ? try opened.walIndex()?.commits.count ?? 0 : 0
    do {
      (external, assets) = try StoreParts(path: path).folderSizes()
    } catch {
      problems.append("The files next to the store can't be measured: \(Sentence.ended("\(error)"))")
    }
    blobs = try BlobSize.all(
      of: open.store, step: { progress.step("measuring blobs") }, problems: &problems)
  }

  func document(hasChart: Bool) -> Document {
    var blocks: [Document.Block] = [
      .text(([headline, cause].compactMap(\.self) + problems).joined(separator: "\n")), .text(""),
      .table(table),
    ]
    if !blobs.isEmpty { blocks += [.heading("Binary and transformable values"), .table(blobTable)] }
    if hasChart { blocks += [.text(""), .chart { .bars(chart) }] }
    return Document(
      command: "size", store: identity, payload: "parts", Self.fields, of: self, blocks: blocks)
  }

  fileprivate static let fields: [Field<Self>] = [
    Field("bytes", "the size of the main file") { $0.size.bytes },
    Field("parts", "what uses the main file; the parts add up to 'bytes'") { $0.size.parts },
    Field("wal", "the size of the -wal file") { $0.wal },
    Field("onlyInWAL", "pages that the main file doesn't have yet, in bytes") { $0.size.beyondFile },
    Field("external", "the size of files of external values; null if unreadable") { $0.external },
    Field("assets", "the size of assets to be uploaded; null if unreadable") { $0.assets },
    Field("properties", "binary and transformable attributes, the largest first") { $0.blobs },
    Field("problems", "what couldn't be read, one sentence each") { $0.problems },
  ]

  // MARK: - For people

  /// Of all files.
  var total: Int64 {
    [wal, external ?? 0, assets ?? 0].reduce(size.bytes) { $0.addingClamped($1) }
  }

  private var headline: String {
    let others: [(Int64, String)] = [
      (wal, "in the WAL"), (external ?? 0, "in external files"), (assets ?? 0, "in assets to be uploaded"),
    ].filter { $0.0 > 0 }
    guard !others.isEmpty else { return "\(Sentence.size(total)) in the file" }
    return
      "\(Sentence.size(total)): \(Sentence.size(size.bytes)) in the file, "
      + others.map { "\(Sentence.size($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  /// What people think of as one thing; the raw value is its name.
  enum Group: String {
    case objects, history, mirror, other, freePages = "free pages", wal = "WAL"
    case externalFiles = "external files", assets

    /// Those whose tables are listed.
    var tables: StoreSize.Group? { StoreSize.Group(rawValue: rawValue) }
  }

  /// One line of the table and of the chart.
  private struct Line {
    var name: String
    var bytes: Int64
    var holds: String
  }

  /// The largest first.
  var groups: [(group: Group, bytes: Int64)] {
    let groups: [(Group, Int64)] = [
      (.objects, size.bytes(of: .objects)), (.history, size.bytes(of: .history)),
      (.mirror, size.bytes(of: .mirror)), (.other, size.bytes(of: .other)), (.freePages, size.freeBytes),
      (.wal, wal), (.externalFiles, external ?? 0), (.assets, assets ?? 0),
    ]
    return groups.enumerated().filter { $0.element.1 > 0 }
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }.map(\.element)
  }

  /// What a group holds, in a few words.
  private func content(of group: Group) -> String {
    switch group {
    case .objects, .other: ""
    case .history: counts(in: .history, [("transactions", "transaction"), ("changes", "change")])
    case .mirror: counts(in: .mirror, [("NSCKRecordMetadata", "record")])
    case .freePages: "VACUUM frees them"
    case .wal:
      "\(Sentence.count(walCommits, "commit")); a checkpoint frees \(Sentence.size(freedByCheckpoint))"
    case .externalFiles: "in \(SideFiles.supportFolder(of: Platform.fileName(path)))"
    case .assets: "to be uploaded"
    }
  }

  /// The groups; below objects and the like, the largest of their tables.
  private var lines: [Line] {
    groups.flatMap { group, bytes in
      [Line(name: group.rawValue, bytes: bytes, holds: content(of: group))]
        + (group.tables.map(tableLines) ?? [])
    }
  }

  /// What a group consists of, the largest first.
  private func tableLines(_ group: StoreSize.Group) -> [Line] {
    let tables = size.tables.filter { $0.group == group }
    let limit = group == .objects || limit > Self.usualLimit ? limit : max(1, limit / 2)
    // Empty tables are of interest only if they are large.
    func isListed(_ table: StoreSize.Table) -> Bool {
      limit >= tables.count || table.rows ?? 1 > 0 || table.all > size.bytes / 100
    }
    let ordered = tables.filter(isListed) + tables.filter { !isListed($0) }
    var listed = min(limit, tables.count(where: isListed))
    // A line for what is left is no shorter than its own one.
    if ordered.count - listed == 1, listed > 0 { listed += 1 }
    var lines = ordered.prefix(listed).map {
      Line(name: "  \(Self.name(of: $0))", bytes: $0.all, holds: Self.details($0))
    }
    // What no table has isn't cut: it is what people wonder about.
    if group == .other { lines += size.rest.map { Line(name: "  \($0.name)", bytes: $0.bytes, holds: "") } }
    let rest = ordered.dropFirst(listed)
    guard !rest.isEmpty else { return lines }
    return lines + [
      Line(
        name: "  \(rest.count) more", bytes: rest.reduce(0) { $0 + $1.all },
        holds: "--limit \(max(tables.count, Self.usualLimit + 1)) lists them all")
    ]
  }

  private static func name(of table: StoreSize.Table) -> String {
    guard table.kind == .mirror else { return table.label }
    return FrameworkTable(rawValue: table.name.uppercased())?.nameForPeople ?? table.label
  }

  private func counts(in group: StoreSize.Group, _ wanted: [(String, String)]) -> String {
    wanted.compactMap { label, word in
      size.tables.first { $0.group == group && $0.label == label }?.rows.map {
        Sentence.count(Int($0), word)
      }
    }.joined(separator: ", ")
  }

  private static func details(_ table: StoreSize.Table) -> String {
    let word = table.kind == .links ? "link" : table.kind == .entity ? "object" : "row"
    let indexes = table.indexes.count
    let share =
      table.entities.count > 1 ? " in \(Sentence.count(table.entities.count, "entity", "entities"))" : ""
    return [
      table.rows.map { Sentence.count(Int($0), word) + share },
      indexes > 0
        ? "\(Sentence.count(indexes, "index", "indexes")) (\(Sentence.size(table.indexBytes)))" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  private var table: RowStream {
    var stream = RowStream(
      columns: [
        .init("part"), .init("size", isNumber: true), .init("share", isNumber: true), .init("holds"),
      ],
      rows: (lines + [Line(name: "total", bytes: total, holds: "")]).map { line in
        [
          .text(line.name), .text(Sentence.size(line.bytes)), .text(Sentence.percent(line.bytes, of: total)),
          .text(line.holds),
        ]
      }
    ).withSentences()
    stream.showsAll = true
    return stream
  }

  private var blobTable: RowStream {
    let hasExternal = blobs.contains { $0.externalBytes > 0 }
    let shown = blobs.prefix(limit)
    var stream = RowStream(
      columns: [
        .init("property"), .init("size", isNumber: true), .init("share", isNumber: true),
        .init("values", isNumber: true),
      ] + (hasExternal ? [.init("in external files", isNumber: true)] : []),
      rows: shown.map { blob in
        let bytes = blob.bytes.addingClamped(blob.externalBytes)
        return [
          .text("\(blob.entity).\(blob.property)"), .text(Sentence.size(bytes)),
          .text(Sentence.percent(bytes, of: total)), .text(Sentence.number(blob.values)),
        ] + (hasExternal ? [.text(Sentence.size(blob.externalBytes))] : [])
      })
    stream.showsAll = true
    let more = blobs.count - shown.count
    if more > 0 {
      let all = blobs.count
      stream.footer = { _, _, _ in "… and \(Sentence.number(more)) more: --limit \(all) lists them all" }
    }
    return stream
  }

  private var chart: BarChart {
    BarChart(title: "By size", bars: lines.map { .init($0.name, Int($0.bytes)) }, unit: .bytes)
  }
}
