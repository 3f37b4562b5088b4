/// One of the mirror's entities: enough to write its table.
struct MirrorEntity {
  var name: String
  private var integers: [String]
  private var references: [String]
  private var dates: [String]
  private var strings: [String]
  /// UUIDs first, in the order in which they shall stand.
  private var blobs: [String]
  private var unique: [[String]]

  init(
    _ name: String, integers: [String] = [], references: [String] = [], dates: [String] = [],
    strings: [String] = [], blobs: [String] = [], unique: [[String]] = []
  ) {
    self.name = name
    self.integers = integers
    self.references = references
    self.dates = dates
    self.strings = strings
    self.blobs = blobs
    self.unique = unique
  }

  func adding(references: [String] = [], blobs: [String] = []) -> MirrorEntity {
    var entity = self
    entity.references = (entity.references + references).sorted { $0.uppercased() < $1.uppercased() }
    entity.blobs += blobs
    return entity
  }

  var columns: [(name: String, type: String)] {
    func columns(_ names: [String], _ type: String) -> [(name: String, type: String)] {
      names.map { ("Z" + $0.uppercased(), type) }
    }
    return columns(integers, "INTEGER") + columns(references, "INTEGER") + columns(dates, "TIMESTAMP")
      + columns(strings, "VARCHAR") + columns(blobs, "BLOB")
  }

  func create(_ table: String) -> String {
    let own = columns.map { "\($0.name) \($0.type)" }
    let all = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"] + own
    return "CREATE TABLE \(table) ( \(all.joined(separator: ", ")) )"
  }

  func indexes(_ table: String) -> [String] {
    unique.map { properties in
      let columns = properties.map { "Z\($0.uppercased()) COLLATE BINARY ASC" }.joined(separator: ", ")
      return
        "CREATE UNIQUE INDEX Z_\(name)_UNIQUE_\(properties.joined(separator: "_")) ON \(table) (\(columns))"
    }
      + references.map { reference in
        let column = "Z" + reference.uppercased()
        return "CREATE INDEX \(table)_\(column)_INDEX ON \(table) (\(column))"
      }
  }
}
