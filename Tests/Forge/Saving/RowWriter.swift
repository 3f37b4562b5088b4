import Base
import SQLite
import StoreModel

/// Writes the rows of a save: objects, links, highest keys.
struct RowWriter {
  let connection: Connection
  let schema: ForgedSchema

  func write(_ save: Save) throws {
    for object in save.inserted { try insert(object, save.truth) }
    for object in save.updated { try update(object, save.truth) }
    for state in save.deleted { try delete(state.object) }
    for link in save.touchedLinks { try write(link, save.truth) }
    for (root, key) in save.highestKeys.sorted(by: { $0.key < $1.key }) {
      try connection.execute(
        "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ? AND Z_MAX <> ?1", [.integer(key), .integer(root)])
    }
  }

  private func insert(_ object: ForgedObject, _ truth: ForgeTruth) throws {
    guard let state = truth[object], let table = table(of: object) else { return }
    let cells = cells(of: state, truth)
    let names = ["Z_PK", "Z_ENT", "Z_OPT"] + cells.map { quotedIdentifier($0.column) }
    let marks = names.map { _ in "?" }.joined(separator: ", ")
    try connection.execute(
      "INSERT INTO \(table) (\(names.joined(separator: ", "))) VALUES (\(marks))",
      [.integer(object.primaryKey), .integer(object.entityNumber), .integer(state.version)]
        + cells.map(\.value))
  }

  private func update(_ object: ForgedObject, _ truth: ForgeTruth) throws {
    guard let state = truth[object], let table = table(of: object) else { return }
    let cells = cells(of: state, truth)
    let sets = ["Z_OPT = ?"] + cells.map { "\(quotedIdentifier($0.column)) = ?" }
    try connection.execute(
      "UPDATE \(table) SET \(sets.joined(separator: ", ")) WHERE Z_PK = ?",
      [.integer(state.version)] + cells.map(\.value) + [.integer(object.primaryKey)])
  }

  private func delete(_ object: ForgedObject) throws {
    guard let table = table(of: object) else { return }
    try connection.execute("DELETE FROM \(table) WHERE Z_PK = ?", [.integer(object.primaryKey)])
  }

  private func table(of object: ForgedObject) -> String? {
    schema.entities[object.entityNumber].map { quotedIdentifier($0.table) }
  }

  /// All cells of the object's row but the first three.
  private func cells(
    of state: ForgeTruth.Object, _ truth: ForgeTruth
  ) -> [(column: String, value: SQLiteValue)] {
    var cells: [(column: String, value: SQLiteValue)] = []
    for attribute in schema.entities[state.object.entityNumber]?.attributes.flatMap(\.leaves) ?? [] {
      if let column = attribute.column { cells.append((column, state.cells[column] ?? .null)) }
    }
    for end in schema.ends.all(of: state.object) {
      guard case .toOne(let column, let entityColumn, let orderColumn) = end.storage else { continue }
      let target = state.links[end.name]?.first
      cells.append((column, target.map { .integer($0.primaryKey) } ?? .null))
      if let entityColumn {
        cells.append((entityColumn, target.map { .integer($0.entityNumber) } ?? .null))
      }
      if let orderColumn {
        let key = target.flatMap { target in
          end.inverse.flatMap { truth[target]?.orderKeys[$0]?[state.object] }
        }
        cells.append((orderColumn, key.map { .integer($0) } ?? .null))
      }
    }
    return cells
  }

  // MARK: Many-to-many links

  /// Makes a join table's row what the truth says of the link. Both ends of a link come here and write the same
  /// row; those of a relationship that is its own inverse write one row each.
  private func write(_ link: Save.TouchedLink, _ truth: ForgeTruth) throws {
    guard case .join(let table, let own, let other, let orderColumn) = link.end.storage else { return }
    let keys: [SQLiteValue] = [.integer(link.owner.primaryKey), .integer(link.member.primaryKey)]
    let columns = [own, other].map(quotedIdentifier)
    let quoted = quotedIdentifier(table)
    guard truth[link.owner]?.links[link.end.name]?.contains(link.member) == true else {
      try connection.execute("DELETE FROM \(quoted) WHERE \(columns[0]) = ? AND \(columns[1]) = ?", keys)
      return
    }
    try connection.execute(
      "INSERT OR IGNORE INTO \(quoted) (\(columns.joined(separator: ", "))) VALUES (?, ?)", keys)
    if let orderColumn, let key = truth[link.owner]?.orderKeys[link.end.name]?[link.member] {
      try connection.execute(
        "UPDATE \(quoted) SET \(quotedIdentifier(orderColumn)) = ? WHERE \(columns[0]) = ? AND \(columns[1]) = ?",
        [.integer(key)] + keys)
    }
  }
}

/// What an app's value becomes in its column, as measured on real stores. Whole numbers in DECIMAL and TIMESTAMP
/// columns become integers by themselves: https://www.sqlite.org/datatype3.html#affinity_name_examples
struct ValueEncoder {
  var files: ExternalFileWriter
  let inlineLimit: Int

  /// The cells of one attribute by column; a composite has several.
  mutating func cells(of attribute: SchemaAttribute, _ value: ForgeValue) throws -> [String: SQLiteValue] {
    guard attribute.description.type == .composite else {
      guard let column = attribute.column else { return [:] }
      return [column: try cell(of: attribute.description, value)]
    }
    var cells: [String: SQLiteValue] = [:]
    for element in attribute.elements {
      let part = try self.element(element, of: attribute, in: value)
      cells.merge(try self.cells(of: element, part)) { $1 }
    }
    return cells
  }

  private func element(
    _ element: SchemaAttribute, of attribute: SchemaAttribute, in value: ForgeValue
  ) throws -> ForgeValue {
    switch value {
    case .null: return .null
    case .composite(let parts): return parts[element.name] ?? .null
    default:
      // An enumeration of SwiftData's is a composite only in the model.
      guard attribute.description.isEnumeration else { throw mismatch(attribute.description, value) }
      return value
    }
  }

  private mutating func cell(of attribute: AttributeDescription, _ value: ForgeValue) throws -> SQLiteValue {
    switch (attribute.type, value) {
    case (_, .null): return .null
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)),
      (.integer64, .integer(let number)):
      return .integer(number)
    case (.boolean, .boolean(let flag)): return .integer(flag ? 1 : 0)
    case (.double, .real(let number)), (.decimal, .real(let number)): return .real(number)
    case (.float, .real(let number)): return .real(Double(Float(number)))
    case (.double, .integer(let number)), (.float, .integer(let number)), (.decimal, .integer(let number)):
      return .real(Double(number))
    case (.date, .date(let date)): return .real(date.seconds)
    case (.string, .text(let text)), (.uri, .text(let text)): return .text(text)
    case (.uuid, .text(let text)):
      guard let bytes = Hexadecimal.uuidBytes(text) else { throw mismatch(attribute, value) }
      return .blob(bytes)
    case (.binary, .bytes(let bytes)), (.transformable, .bytes(let bytes)):
      return .blob(attribute.allowsExternalStorage ? try tagged(bytes) : bytes)
    default: throw mismatch(attribute, value)
    }
  }

  /// 1 and the bytes, or 2 and the name of a file that holds them.
  private mutating func tagged(_ bytes: [UInt8]) throws -> [UInt8] {
    bytes.count <= inlineLimit ? [1] + bytes : [2] + Array(try files.add(bytes).utf8) + [0]
  }

  /// The file of a cell that this encoder made, where it has one.
  func file(of cell: SQLiteValue?, _ attribute: AttributeDescription) -> String? {
    guard attribute.allowsExternalStorage, case .blob(let bytes) = cell, bytes.first == 2 else { return nil }
    return String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
  }

  private func mismatch(_ attribute: AttributeDescription, _ value: ForgeValue) -> StoreScopeError {
    StoreScopeError(
      .invalid, "Attribute '\(attribute.name)' of type \(attribute.type.name) cannot hold \(value)",
      about: attribute.name)
  }
}

/// Where values too large for their row go: a hidden folder next to the store, a file of its own for each,
/// named by a UUID. Layout as measured on stores and reported by apps' authors.
struct ExternalFileWriter {
  let folder: String
  private let seed: String
  private var count = 0

  init(storePath: String, uuid: String) {
    let slash = storePath.lastIndex(of: "/").map { storePath.index(after: $0) } ?? storePath.startIndex
    let file = storePath[slash...]
    let name = file.lastIndex(of: ".").map { file[..<$0] } ?? file
    folder = "\(storePath[..<slash]).\(name)_SUPPORT/_EXTERNAL_DATA"
    seed = uuid
  }

  /// Writes the file; returns its name. Names are the same in every run.
  mutating func add(_ bytes: [UInt8]) throws -> String {
    count += 1
    var hash = SHA256()
    Array("\(seed) \(count)".utf8).withUnsafeBytes { hash.update($0) }
    let digest = Array(hash.finish().prefix(16))
    guard let name = digest.withUnsafeBytes({ Hexadecimal.uuid($0) }) else { return "" }
    try Files.makeFolder(folder, mode: 0o755)
    let path = "\(folder)/\(name)"
    guard let file = OpenFile(path, for: .rewriting, rights: .ordinary), bytes.withUnsafeBytes(file.write)
    else { throw StoreScopeError.couldNotBe("written", path) }
    return name
  }

  func remove(_ name: String) { Files.remove("\(folder)/\(name)") }
}
