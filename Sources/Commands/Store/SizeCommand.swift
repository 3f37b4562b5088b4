import Evidence
import Lens
import Rendering
import Values

extension Command {
  static let size = Command(
    "size", summary: "what uses the disk space: entities, links, history, mirror, free pages, blobs",
    options: [OptionDefinition(.chart, help: "draw a chart (table and Markdown output only)")],
    discussion: """
      The parts are pages of the main file and add up to it exactly. Pages that exist only in the WAL aren't included.
      An entity's part includes the objects of its sub-entities, which share its table; in JSON its indexes are
      separate parts, while those of history and the mirror count with their tables. Tables list the ten largest parts;
      --verbose lists all.

      Examples:
        storescope size App.store --chart
        storescope size App.store --format csv > sizes.csv
      """
  ) { invocation in
    let session = try invocation.store()
    let progress = invocation.progress
    let size = try StoreSize(session.open()) { progress.phase("measuring \($0)") }
    let document = try SizeDocument(
      session, size, limit: invocation.arguments.has(.verbose) ? .max : 10, progress)
    return Outcome(document.document(hasChart: invocation.arguments.has(.chart)))
  }
}

/// What `size` prints.
private struct SizeDocument {
  private let identity: StoreIdentity
  private let size: StoreSize
  private let limit: Int
  private let wal: Int64
  /// Nil where the folders can't be read.
  private var external: Int64?
  private var assets: Int64?
  private let blobs: [BlobSize]
  private var problems: [String]

  init(_ session: Session, _ size: StoreSize, limit: Int, _ progress: Progress) throws {
    identity = try session.identity()
    self.size = size
    self.limit = limit
    problems = size.problems
    let open = try session.open()
    let files = try open.bytes().files
    wal = files.wal?.size ?? 0
    do {
      (external, assets) = try StoreParts(path: files.resolvedPath).folderSizes()
    } catch {
      problems.append("The files next to the store can't be measured: \(Sentence.ended("\(error)"))")
    }
    blobs = try BlobSize.all(
      of: open.store, step: { progress.step("measuring blobs") }, problems: &problems)
  }

  func document(hasChart: Bool) -> Document {
    var blocks: [Document.Block] = [
      .text(([headline] + remarks + problems).joined(separator: "\n")), .text(""), .table(table),
    ]
    if !blobs.isEmpty { blocks += [.heading("Binary and transformable values"), .table(blobTable)] }
    if hasChart { blocks += [.text(""), .chart { .bars(chart) }] }
    return Document(
      command: "size", store: identity,
      fields: [
        .init("bytes", .integer(size.bytes)), .init("parts", .array(size.parts.map(\.value))),
        .init("wal", .integer(wal)), .init("onlyInWAL", .integer(size.beyondFile)),
        .init("external", .optional(external)), .init("assets", .optional(assets)),
        .init("properties", .array(blobs.map(\.value))),
        .init("problems", .array(problems.map(DataValue.text))),
      ], payload: "parts", blocks: blocks)
  }

  // MARK: - For people

  private var headline: String {
    let others: [(Int64, String)] = [
      (wal, "in the WAL"), (external ?? 0, "in external files"), (assets ?? 0, "in assets to be uploaded"),
    ].filter { $0.0 > 0 }
    let total = others.reduce(size.bytes) { $0.addingClamped($1.0) }
    guard !others.isEmpty else { return "\(Sentence.size(total)) in the file" }
    return
      "\(Sentence.size(total)): \(Sentence.size(size.bytes)) in the file, "
      + others.map { "\(Sentence.size($0.0)) \($0.1)" }.joined(separator: ", ")
  }

  private var remarks: [String] {
    size.beyondFile > 0
      ? [
        "\(Sentence.size(size.beyondFile)) of the database exist only in the WAL and aren't included below."
      ] : []
  }

  /// A group of parts, in the order of their sizes; what is free comes last.
  private struct Group {
    var name: String
    var bytes: Int64
    var details = ""
    /// The tables with lines of their own come first, then those that count as one.
    var tables: [StoreSize.Table] = []
    var listed = 0

    var others: ArraySlice<StoreSize.Table> { tables.dropFirst(listed) }
  }

  private var groups: [Group] {
    func group(_ group: StoreSize.Group) -> Group {
      Group(
        name: group.rawValue, bytes: size.bytes(of: group),
        tables: size.tables.filter { $0.group == group })
    }
    var objects = group(.objects)
    // Empty tables are of interest only if they are large.
    func isListed(_ table: StoreSize.Table) -> Bool {
      limit == .max || table.rows ?? 1 > 0 || table.all > size.bytes / 100
    }
    objects.tables = objects.tables.filter(isListed) + objects.tables.filter { !isListed($0) }
    objects.listed = min(limit, objects.tables.count(where: isListed))
    var history = group(.history)
    history.details = Self.counts(history.tables, [("transactions", "transaction"), ("changes", "change")])
    var mirror = group(.mirror)
    mirror.details = Self.counts(mirror.tables, [("NSCKRecordMetadata", "record")])
    var other = group(.other)
    other.details = (other.tables.map { ($0.label, $0.all) } + size.rest.map { ($0.name, $0.bytes) })
      .sorted { $1.1 < $0.1 }.prefix(2).map { "\($0.0) \(Sentence.size($0.1))" }.joined(separator: ", ")
    let free = Group(name: "free pages", bytes: size.freeBytes, details: "VACUUM frees them")
    (history.tables, mirror.tables, other.tables) = ([], [], [])
    return [objects, history, mirror].sorted { $1.bytes < $0.bytes } + [other, free]
  }

  private static func counts(_ tables: [StoreSize.Table], _ wanted: [(String, String)]) -> String {
    wanted.compactMap { label, word in
      tables.first { $0.label == label }?.rows.map { Sentence.count(Int($0), word) }
    }.joined(separator: ", ")
  }

  private var table: RowStream {
    var rows: [[DataValue]] = []
    func add(_ name: String, _ bytes: Int64, _ details: String) {
      rows.append([
        .text(name), .text(Sentence.size(bytes)), .text(Sentence.percent(bytes, of: size.bytes)),
        .text(details),
      ])
    }
    for group in groups where group.bytes > 0 {
      add(group.name, group.bytes, group.details)
      for table in group.tables.prefix(group.listed) {
        add("  \(Self.name(table))", table.all, Self.details(table))
      }
      guard !group.others.isEmpty else { continue }
      add(
        "  \(group.others.count) more", group.others.reduce(0) { $0 + $1.all }, "--verbose lists them")
    }
    return RowStream(
      columns: [
        .init("part"), .init("size", isNumber: true), .init("share", isNumber: true), .init("holds"),
      ], rows: rows
    ).withSentences()
  }

  /// A table of several entities bears the root's name, and how many share it.
  private static func name(_ table: StoreSize.Table) -> String {
    let below = table.entities.count - 1
    return below > 0 ? "\(table.label) +\(below)" : table.label
  }

  private static func details(_ table: StoreSize.Table) -> String {
    let word = table.kind == .links ? "link" : table.kind == .entity ? "object" : "row"
    let indexes = table.indexes.count
    let share =
      table.entities.count > 1 ? " in \(Sentence.count(table.entities.count, "entity", "entities"))" : ""
    return [
      table.rows.map { Sentence.count(Int($0), word) + share },
      indexes > 0
        ? "\(Sentence.count(indexes, "index", "indexes")) of \(Sentence.size(table.indexBytes))" : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  private var blobTable: RowStream {
    let hasExternal = blobs.contains { $0.externalBytes > 0 }
    let shown = blobs.prefix(limit)
    return RowStream(
      columns: [
        .init("property"), .init("size", isNumber: true), .init("values", isNumber: true),
      ] + (hasExternal ? [.init("in external files", isNumber: true)] : []),
      rows: shown.map { blob in
        [
          .text("\(blob.entity).\(blob.property)"), .text(Sentence.size(blob.bytes)),
          .text(Sentence.number(blob.values)),
        ] + (hasExternal ? [.text(Sentence.size(blob.externalBytes))] : [])
      })
  }

  private var chart: BarChart {
    let bars = groups.flatMap { group -> [BarChart.Bar] in
      guard !group.tables.isEmpty else { return [.init(group.name, Int(group.bytes))] }
      let others = group.others
      return group.tables.prefix(group.listed).map { .init(Self.name($0), Int($0.all)) }
        + (others.isEmpty
          ? [] : [.init("\(others.count) more", Int(others.reduce(Int64(0)) { $0 + $1.all }))])
    }
    return BarChart(
      title: "By size", bars: bars.filter { $0.count > 0 }.sorted { $1.count < $0.count }, unit: .bytes)
  }
}

extension StoreSize.Part {
  fileprivate var value: DataValue {
    [
      "kind": .text(kind.rawValue), "name": .text(name), "bytes": .integer(bytes), "rows": .optional(rows),
      "table": .optional(table), "entities": .array(entities.map(DataValue.text)),
    ]
  }
}

extension BlobSize {
  fileprivate var value: DataValue {
    [
      "entity": .text(entity), "property": .text(property), "bytes": .integer(bytes),
      "values": .count(values), "externalBytes": .integer(externalBytes),
    ]
  }
}
