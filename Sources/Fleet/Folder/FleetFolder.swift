package import Base
import Exports
import QueryCatalog
import Rendering

/// The folder that a run over many stores writes to. What each store adds is in a journal until all are done; then the
/// files are made of it, in the order of addresses, so that neither the order of the work nor a stop in between shows.
package final class FleetFolder {
  static let journalName = "unfinished.ndjson"
  package static let manifestName = "manifest.json"
  private static let queriesName = "queries"

  private let folder: ResumedFolder
  private let heading: DataValue
  private let rights: FileRights
  private var places: [Address: StoreRecord.Place] = [:]
  private var end: Int64
  private var lastSync = Platform.monotonicSeconds()

  package var path: String { folder.path }

  /// Makes the folder, or takes up an unfinished run of the same.
  /// - Parameter heading: all that decides what is written.
  /// - Throws: `StoreScopeError` if the folder holds anything else, or another process writes to it.
  package init(_ path: String, heading: DataValue, rights: FileRights) throws {
    self.heading = heading
    self.rights = rights
    folder = try ResumedFolder(
      path, journal: Self.journalName, last: Self.manifestName, heading: heading, rights: rights,
      words: .init(
        refusal: "Nothing was written to '\(path)'", finished: "it has the results of a finished run",
        busy: "another process is writing to it; wait until it ends",
        other:
          "it has an unfinished run over other places, from another working folder or with other options; repeat that command where it was started, or choose a new folder"
      ))
    end = folder.journalStart
    try takeUp()
  }

  // MARK: - Journal

  /// How many stores an earlier run has done.
  package var count: Int { places.count }

  package func has(_ address: String) -> Bool { places[Address(address)] != nil }

  private static let longestHeading = 1 << 20

  private func takeUp() throws {
    let size = folder.journal.status?.size ?? 0
    while let (address, place) = record(at: end, before: size) {
      places[Address(address)] = place
      end = place.end
    }
    // What follows was cut short.
    try folder.cut(to: end)
  }

  /// - Parameter limit: the journal's size. What somebody else wrote there must not have memory taken for more.
  private func record(at offset: Int64, before limit: Int64) -> (String, StoreRecord.Place)? {
    var size = 4096
    while size <= Self.longestHeading {
      let bytes = folder.journal.bytes(size, at: offset)
      if let newline = bytes.firstIndex(of: 0x0A) {
        guard let (address, counts, sha256) = StoreRecord.heading(bytes[..<newline]) else { return nil }
        let place = StoreRecord.Place(start: offset + Int64(newline) + 1, counts: counts)
        guard place.end <= limit else { return nil }
        let content = folder.journal.bytes(place.total, at: place.start)
        let isWhole = content.count == place.total && content.withUnsafeBytes(SHA256.hexadecimal) == sha256
        return isWhole ? (address, place) : nil
      }
      guard bytes.count == size else { return nil }
      size *= 16
    }
    return nil
  }

  /// After so many seconds what was noted is brought to the medium.
  private static let secondsBetweenSyncs = 1.0

  /// Notes what a store adds.
  /// - Throws: `StoreScopeError` if it can't be written, or isn't a record.
  package func add(_ record: [UInt8], of address: String) throws {
    let now = Platform.monotonicSeconds()
    let syncs = now - lastSync > Self.secondsBetweenSyncs
    if syncs { lastSync = now }
    guard let place = StoreRecord.place(of: record, about: address, at: end) else {
      throw StoreScopeError(.failed, "What was found out about '\(address)' is incomplete", about: address)
    }
    try folder.append(record, syncs: syncs)
    places[Address(address)] = place
    end = place.end
  }

  // MARK: - Results

  /// What was written of one dataset.
  package struct Files {
    package let dataset: Dataset
    package fileprivate(set) var rows = 0
    package fileprivate(set) var files: [DataValue] = []

    fileprivate init(_ dataset: Dataset) { self.dataset = dataset }
  }

  private static let told = [Dataset.stores, .findings, .failures].map(\.name)

  /// Writes all files, the manifest last, and takes the journal away.
  /// - Parameters:
  ///   - largest: bytes of a file at which a dataset goes on in another one.
  ///   - left: called with each address that adds nothing.
  ///   - each: called with the lines of each store in the datasets `stores`, `findings` and `failures`, in this order.
  package func finish(
    largest: Int64 = 1 << 30, version: String, progress: (Int) -> Void, left: (String) -> Void = { _ in },
    each: (Dataset, ArraySlice<UInt8>) throws -> Void
  ) throws -> [Files] {
    guard folder.journal.sync() else { throw folder.refusal(Platform.lastError()) }
    let writers = Dataset.all.map { DatasetWriter($0, in: path, largest: largest, rights: rights) }
    for (index, address) in places.keys.sorted().enumerated() {
      try Interruption.check()
      progress(index)
      guard let place = places[address], place.total > 0 else {
        left(address.text)
        continue
      }
      let content = folder.journal.bytes(place.total, at: place.start)
      guard content.count == place.total else { throw folder.refusal("its journal can't be read") }
      var start = 0
      for (writer, count) in zip(writers, place.counts) where count > 0 {
        let lines = content[start..<start + count]
        try writer.add(lines)
        if Self.told.contains(writer.result.dataset.name) {
          try each(writer.result.dataset, lines)
        }
        start += count
      }
    }
    let results = try writers.map { try $0.finish() }
    // A run that was killed may have made it.
    let queries = "\(path)/\(Self.queriesName)"
    guard
      Base.Files.makesNewFolder(queries, rights: rights) || Base.Files.isFolder(queries)
    else { throw folder.refusal("'\(queries)' can't be created, or is a link; choose a new folder") }
    for (name, text) in QueryCatalog.fleet.map({ ("\(Self.queriesName)/\($0.name).sql", $0.sql) }) + [
      (LoadScript.name, FleetScripts.duckDB), (SparkSchemas.name, FleetScripts.spark),
      (Self.manifestName, JSONText.pretty(manifest(results, version: version))),
    ] {
      // What a run that was killed left of it is written over.
      let file = try PartFile("\(path)/\(name)", rights: rights)
      _ = Array(text.utf8).withUnsafeBytes(file.write)
      _ = try file.finish()
    }
    Base.Files.remove("\(path)/\(Self.journalName)")
    return results
  }

  private func manifest(_ results: [Files], version: String) -> DataValue {
    [
      "schema": "storescope/fleet/1", "version": .text(version), "run": heading,
      "datasets": .array(
        results.map { result in
          [
            "name": .text(result.dataset.name), "meaning": .text(result.dataset.meaning),
            "rows": .count(result.rows), "files": .array(result.files),
            "columns": .array(
              result.dataset.columns.map {
                ["name": .text($0.name), "type": .text($0.type.rawValue), "meaning": .text($0.meaning)]
              }),
          ]
        }),
    ]
  }
}

/// Writes the files of one dataset.
private final class DatasetWriter {
  private(set) var result: FleetFolder.Files
  private let folder: String
  private let largest: Int64
  private let rights: FileRights
  private var current: Part?

  private struct Part {
    let name: String
    let file: PartFile
    let output: OutputBuffer
    var rows = 0
    var bytes: Int64 = 0
  }

  init(_ dataset: Dataset, in folder: String, largest: Int64, rights: FileRights) {
    result = FleetFolder.Files(dataset)
    self.folder = folder
    self.largest = largest
    self.rights = rights
  }

  func add(_ lines: ArraySlice<UInt8>) throws {
    if let current, current.bytes + Int64(lines.count) > largest { try end() }
    var part = try current ?? next()
    lines.withUnsafeBytes(part.output.bytes)
    part.rows += lines.count { $0 == 0x0A }
    part.bytes += Int64(lines.count)
    current = part
  }

  private func next() throws -> Part {
    let number = result.files.count + 1
    let name = result.dataset.fileName(part: number)
    let file = try PartFile("\(folder)/\(name)", rights: rights)
    return Part(name: name, file: file, output: OutputBuffer(write: file.write))
  }

  private func end() throws {
    guard let part = current else { return }
    current = nil
    part.output.flush()
    let (bytes, sha256) = try part.file.finish()
    result.rows += part.rows
    result.files.append([
      "file": .text(part.name), "rows": .count(part.rows), "bytes": .integer(bytes),
      "sha256": .text(sha256),
    ])
  }

  /// A dataset without rows has an empty file, which every reader takes for a table without rows.
  func finish() throws -> FleetFolder.Files {
    if current == nil, result.files.isEmpty { current = try next() }
    try end()
    return result
  }
}

/// What other programs need to read the files with the right types.
private enum FleetScripts {
  static var duckDB: String {
    let views = Dataset.all.map { dataset in
      LoadScript.view(
        dataset.name, of: dataset.filePattern, dataset.columns.map { ($0.name, duckDB($0.type)) })
    }
    return """
      -- Opens the files of this folder in DuckDB, a view per dataset. In the folder:
      --   duckdb -init \(LoadScript.name)
      SET TimeZone = 'UTC';
      \(views.joined(separator: "\n"))

      """
  }

  private static func duckDB(_ type: Dataset.ColumnType) -> String {
    switch type {
    case .text: "VARCHAR"
    case .integer: "BIGINT"
    case .boolean: "BOOLEAN"
    case .date: "TIMESTAMP"
    case .texts: "VARCHAR[]"
    }
  }

  static var spark: String {
    JSONText.pretty(
      .object(
        Dataset.all.map { dataset in
          .init(
            dataset.name, SparkSchemas.schema(dataset.columns.map { ($0.name, spark($0.type)) }))
        }))
  }

  private static func spark(_ type: Dataset.ColumnType) -> DataValue {
    switch type {
    case .text: "string"
    case .integer: "long"
    case .boolean: "boolean"
    case .date: "timestamp"
    case .texts: SparkSchemas.listOfTexts
    }
  }
}
