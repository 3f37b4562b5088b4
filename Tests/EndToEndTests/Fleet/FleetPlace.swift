import Forge
import Foundation
import SQLite
import Synchronization
import TestSupport
import Testing

/// A folder with a few stores, whole and not, and what a run over them writes.
struct FleetPlace {
  let folder = TemporaryFolder("fleet")

  /// How many stores can be read, and how many can't.
  static let (whole, broken) = (6, 3)

  init() throws {
    for name in ["a", "b", "B \"c\" ü"] { try add(Demo(), to: name) }
    try Demo(leaving: .nothing).copy("Journeys.store", to: folder, as: "Maps")
    _ = try SmallStores.healthy(in: folder, "Healthy.store")
    let zipped = try Demo(leaving: .nothing)
    var zip = ZipForge()
    zip.add("Documents/Zipped.store", try zipped.folder.read("Journeys.store"))
    try zip.write(to: folder.path("case.zip"))
    // No store, and none that could be one.
    let other = try Connection(path: folder.path("other.sqlite"), options: .readWrite(create: true))
    try other.execute("CREATE TABLE t(a)")
    other.close()
    let bytes = try folder.read("Maps")
    try folder.write(Array(bytes[..<5000]), to: "cut.store")
    try folder.write(bytes.enumerated().map { $0 < 4096 ? $1 : 0xFF }, to: "garbage.store")
    try folder.write([UInt8](repeating: 7, count: 4096), to: "noise.store")
  }

  private func add(_ demo: Demo, to name: String) throws {
    try FileManager.default.copyItem(atPath: demo.folder.path, toPath: folder.path(name))
  }

  /// What a run printed, and the folder with its results, which goes with this value.
  struct Run {
    let result: Tool.Result
    let folder: String
    private let target: TemporaryFolder

    fileprivate init(_ words: [String]) throws {
      target = TemporaryFolder("fleet-out")
      folder = target.path("out")
      result = try Tool.run(["fleet"] + words + ["--to", folder])
    }
  }

  func run(_ words: [String] = []) throws -> Run { try Run([folder.path] + words) }

  private static let original = Mutex<(place: FleetPlace, run: Run)?>(nil)

  /// The path of a place that no test changes, and what a run over it wrote, copied into `target`.
  static func finished(in target: TemporaryFolder) throws -> (place: String, results: String) {
    try original.withLock { kept in
      if kept == nil {
        let place = try FleetPlace()
        kept = (place, try place.run())
        // Nothing static is let go at the end.
        atexit { FleetPlace.original.withLock { $0 = nil } }
      }
      let (place, run) = try #require(kept)
      let results = target.path("finished")
      try FileManager.default.copyItem(atPath: run.folder, toPath: results)
      return (place.folder.path, results)
    }
  }

  static func rows(_ dataset: String, in folder: String) throws -> [[String: Any]] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      .filter { $0 == "\(dataset).ndjson" || $0.hasPrefix("\(dataset)-") }
    return try names.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.flatMap {
      try lines("\(folder)/\($0)")
    }
  }

  static func lines(_ file: String) throws -> [[String: Any]] {
    try Data(contentsOf: URL(fileURLWithPath: file)).split(separator: 0x0A).map {
      try JSONSerialization.jsonObject(with: $0) as? [String: Any] ?? [:]
    }
  }
}

extension Demo {
  fileprivate func copy(_ name: String, to other: TemporaryFolder, as newName: String) throws {
    try FileManager.default.copyItem(atPath: folder.path(name), toPath: other.path(newName))
  }
}

/// Datasets of a made-up run over a fleet, with the columns that a test is about.
struct FleetFiles {
  typealias Row = [String: Any]

  var stores: [Row] = []
  var findings: [Row] = []
  var failures: [Row] = []
  var events: [Row] = []
  var pending: [Row] = []
  var days: [Row] = []

  /// 64 digits, as `storeId` has.
  static func id(_ number: Int) -> String {
    String(repeating: "0", count: 60) + String(format: "%04x", number)
  }

  /// In the order of addresses, as the program writes them.
  mutating func add(
    _ address: String, outcome: String = "healthy", uuid: String? = nil, rules: [String] = [],
    severity: String = "error", _ more: Row = [:]
  ) {
    let key: Row = ["storeId": Self.id(stores.count + 1), "address": address]
    let store: Row = key.merging(["outcome": outcome, "uuid": uuid ?? "uuid of \(address)"]) { $1 }
    stores.append(store.merging(more) { $1 })
    for rule in rules {
      findings.append(
        key.merging([
          "rule": rule, "severity": severity, "title": "About \(rule)", "message": "Secret's message.",
          "count": 2,
        ]) { $1 })
    }
  }

  mutating func fail(_ address: String, _ failure: String = "damaged") {
    failures.append(["address": address, "failure": failure, "message": "Secret's failure."])
  }

  /// Writes a finished run.
  @discardableResult func write(_ name: String, in folder: TemporaryFolder) throws -> String {
    try folder.makeFolder(name)
    for (dataset, rows) in [
      "stores": stores, "findings": findings, "failures": failures, "events": events, "pending": pending,
      "days": days,
    ] {
      try folder.write(Self.lines(rows), to: "\(name)/\(dataset).ndjson")
    }
    try folder.write(Array("{}".utf8), to: "\(name)/manifest.json")
    return folder.path(name)
  }

  static func lines(_ rows: [Row]) throws -> [UInt8] {
    try rows.flatMap { row in
      try Array(JSONSerialization.data(withJSONObject: row, options: [.sortedKeys])) + [0x0A]
    }
  }
}
