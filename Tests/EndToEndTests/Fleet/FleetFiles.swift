import Foundation
import TestSupport

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
    try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
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
