import Archives
import Base
import Lens
import SQLite
import StoreModel

/// What comes in place of one cell.
struct CellMarks {
  private let marks: ValueMarks
  private let archives: MirrorArchiveMarks
  private let metadata: MetadataMarks

  /// Bytes of the longest change mask that the model can give; what is longer is none.
  private let longestMask: Int

  init(_ marks: ValueMarks, _ schema: StoreSchema) {
    self.marks = marks
    longestMask = schema.entities.map { ChangeMask($0, in: schema).byteCount }.max() ?? 0
    archives = MirrorArchiveMarks(marks)
    metadata = MetadataMarks(marks)
  }

  /// NULL stays NULL.
  /// - Parameter entity: the number of the row's entity, in tables of objects.
  /// - Returns: the value, and what was replaced; nil where the value stays.
  func value(_ cell: Cell, _ column: RedactedTable.Column, entity: Int64?) -> (SQLiteValue, Replaced?) {
    let (value, what) = content(cell, column, entity: entity)
    guard what == .number || what == .date || what == .boolean, value == cell.value else {
      return (value, what)
    }
    // What is kept comes out as it went in. A Boolean that isn't flipped was all the same replaced by one.
    return (value, what == .boolean && !marks.options.kept.contains(.numbers) ? what : nil)
  }

  private func content(_ cell: Cell, _ column: RedactedTable.Column, entity: Int64?) -> (
    SQLiteValue, Replaced?
  ) {
    let type = cell.type
    if type == .null { return (.null, nil) }
    switch column.content {
    case .structure: return (cell.value, nil)
    case .key where type == .integer: return (cell.value, nil)
    case .state where type == .integer || type == .real: return (cell.value, nil)
    case .changedProperties where type == .blob:
      return cell.withBytes {
        $0.count > longestMask ? (.blob(marks.sameSize($0)), .data) : (cell.value, nil)
      }
    case .properties(let byEntity):
      return property(cell, entity.flatMap { byEntity[$0] } ?? .other, isUnique: column.isUnique)
    case .storeIdentifier where type == .text: return (.text(marks.uris.store(cell.text)), .identifier)
    case .metadata where type == .blob: return (.blob(cell.withBytes(metadata.propertyList)), .metadata)
    case .program where type == .text: return changed(cell.text, marks.program(cell.text), .program)
    case .frameworkText where type == .text:
      return changed(cell.text, marks.frameworkText(cell.text), .text)
    case .metadataKey where type == .text && MetadataKey.known.contains(cell.text): return (cell.value, nil)
    case .archive where type == .blob: return (.blob(cell.withBytes(archives.archive)), .archive)
    case .recordArchive(let isTagged) where type == .blob:
      guard isTagged else { return (.blob(cell.withBytes(archives.record)), .archive) }
      return cell.withBytes { tagged($0, archives.record, .archive) }
    default: return property(cell, .other, isUnique: column.isUnique)
    }
  }

  private func changed(_ text: String, _ mark: String, _ what: Replaced) -> (SQLiteValue, Replaced?) {
    (.text(mark), mark == text ? nil : what)
  }

  private func property(
    _ cell: Cell, _ property: ColumnContent.Property, isUnique: Bool
  ) -> (SQLiteValue, Replaced?) {
    switch (cell.type, property) {
    case (.null, _): return (.null, nil)
    case (.integer, .date) where marks.options.kept.contains(.dates): return (cell.value, nil)
    case (.integer, .date), (.real, .date): return (.real(marks.date(cell.real)), .date)
    case (.integer, .boolean(let kind)) where cell.integer == 0 || cell.integer == 1:
      return (.integer(marks.bool(cell.integer == 1, kind: kind) ? 1 : 0), .boolean)
    case (.integer, .number), (.integer, .boolean): return (.integer(marks.number(cell.integer)), .number)
    case (.real, .number), (.real, .boolean): return (.real(marks.number(cell.real)), .number)
    // What history keeps of an object doesn't say what it is.
    case (.integer, _): return (.integer(marks.unknown(cell.integer)), .number)
    case (.real, _): return (.real(marks.unknown(cell.real)), .number)
    case (.text, _): return (.text(cell.withBytes { marks.text($0, isUnique: isUnique) }), .text)
    case (.blob, .tagged):
      return cell.withBytes { tagged($0, { marks.data($0, isUnique: isUnique) }, .data) }
    case (.blob, _):
      return cell.withBytes { (.blob(marks.data($0, isUnique: isUnique)), $0.count == 16 ? .uuid : .data) }
    }
  }

  /// A value whose first byte says where the rest is.
  private func tagged(
    _ bytes: UnsafeRawBufferPointer, _ replace: (UnsafeRawBufferPointer) -> [UInt8], _ what: Replaced
  ) -> (SQLiteValue, Replaced?) {
    switch ExternalValue(bytes) {
    case .inline(let range):
      return (.blob([1] + (range.map { replace(UnsafeRawBufferPointer(rebasing: bytes[$0])) } ?? [])), what)
    case .file(let name):
      let end = bytes.count == 38 ? [UInt8(0)] : []
      return (.blob([2] + Array(marks.fileName(name).utf8) + end), .file)
    case .fileBackedFuture(let name, _):
      // Keep the size: it's stored nowhere else. The file's UUID follows it.
      let uuid = marks.options.marks.uuid(UnsafeRawBufferPointer(rebasing: bytes[12..<28]))
      return (.blob(Array(bytes[..<12]) + uuid + Array(marks.fileName(name).utf8) + [0]), .file)
    case .untagged:
      // The first byte stays, as another one could make a name of a file of it.
      guard let first = bytes.first else { return (.blob([]), nil) }
      return (.blob([first] + replace(UnsafeRawBufferPointer(rebasing: bytes[1...]))), what)
    }
  }
}

/// Why a column's numbers are keys and no values. Nothing less stays in a copy: an index is no proof, as attributes have
/// them too.
package enum KeyProof: String, Sendable, CaseIterable {
  case coreData = "Core Data's own column"
  case model = "a relationship of the model"
  /// `Z3_OWNER` next to `ZOWNER`.
  case entityColumn = "the target's entity is in a column of its own"
  /// A digit or `_FOK_` after the Z, with which no attribute's name begins.
  case name = "no attribute can have such a name"
  /// In tables of a framework that isn't known here; no app declares those.
  case frameworkIndex = "the framework's index of keys"
}

/// What a column holds, which says what of it is replaced.
enum ColumnContent {
  /// Structure, whatever it is: names of entities, the model.
  case structure
  /// Flags, counts and times of a framework: numbers stay, everything else is replaced.
  case state
  /// Keys and places: whole numbers stay. A fraction is none, whatever the column is called.
  case key(KeyProof)
  /// Attributes of objects, by the number of a row's entity.
  case properties([Int64: Property])
  /// Anything that isn't known.
  case value
  case storeIdentifier
  case metadata
  /// Who wrote to the store, in history.
  case program
  /// The bits of the properties that a change has touched.
  case changedProperties
  /// Texts of the mirror, of which some are names.
  case frameworkText
  case metadataKey
  case archive
  case recordArchive(isTagged: Bool)

  /// An attribute, as far as it matters here.
  enum Property {
    case number, date
    /// `kind` says which Booleans are flipped together.
    case boolean(kind: String)
    case other
    /// Data that may lie in a file.
    case tagged

    init(_ attribute: SchemaAttribute) {
      let description = attribute.description
      switch description.type {
      case .boolean: self = .boolean(kind: ValueMarks.kind(attribute))
      case .date: self = .date
      case .binary where description.allowsExternalStorage || description.isFileBackedFuture,
        .transformable where description.allowsExternalStorage || description.isFileBackedFuture:
        self = .tagged
      case .integer16, .integer32, .integer64, .decimal, .double, .float: self = .number
      default: self = .other
      }
    }
  }
}

/// The property list of a store's metadata: what Core Data keeps there stays, the app's own keys and values are
/// replaced.
struct MetadataMarks {
  private let marks: ValueMarks

  init(_ marks: ValueMarks) { self.marks = marks }

  func propertyList(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    guard let list = (try? BinaryPropertyList.read(Array(bytes)))?.dictionary else {
      return marks.noise(bytes)
    }
    let archives = ArchiveMarks(marks)
    let entries = list.entries.map { entry -> PropertyListDictionary.Entry in
      if StoreMetadata.frameworkKeys.contains(entry.key) { return entry }
      let key = MetadataKey.known.contains(entry.key) ? entry.key : self.key(entry.key)
      let value = archives.value(entry.value)
      // As with all data: what the doctor finds in the one it must find in the other.
      let found = Self.uris(in: entry.value)
      let expected = marks.uris.marked(found)
      if Self.uris(in: value).map(\.text) == expected { return .init(key, value) }
      return .init(key, .string(expected.joined(separator: " ")))
    }
    return BinaryPropertyList.write(.dictionary(PropertyListDictionary(entries)))
  }

  /// Two keys may not become one, however short they are.
  private func key(_ key: String) -> String {
    Array(key.utf8).withUnsafeBytes { marks.text($0, isUnique: true) }
  }

  private static func uris(in value: PropertyList) -> [(text: String, uri: ObjectURI)] {
    BinaryPropertyList.write(value).withUnsafeBytes { URIMarks.uris(in: $0) }
  }
}
