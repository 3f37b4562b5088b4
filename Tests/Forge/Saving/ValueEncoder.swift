import SQLite
import StoreModel
import SystemCalls
import Values

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
