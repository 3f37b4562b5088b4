import Archives
import SQLite
import StoreModel
import SystemCalls
import Values

/// SQL functions for what SQL can't do by itself. Each gives NULL for NULL, and for what it can't read.
enum LensFunctions {
  static func install(in store: CoreDataStore) throws {
    let connection = store.connection
    try DateOrder.install(in: connection)
    try ObjectNames.install(in: store)
    try connection.addFunction(name: "core_data_date", argumentCount: 1) { arguments in
      guard let text = arguments.optionalText(0) else { return .null }
      if text.lowercased() == "now" { return .real(Platform.now().seconds) }
      guard let date = WrittenDate(text) else { return .null }
      return .real(date.start.seconds)
    }
    try connection.addFunction(name: "uuid_text", argumentCount: 1) { arguments in
      arguments.isNull(0)
        ? .null : arguments.withBytes(0) { Hexadecimal.uuid($0) }.map(SQLiteValue.text) ?? arguments.value(0)
    }
    let names = ChangeNames(store)
    let entities = EntityNames(store)
    try connection.addFunction(name: "entity_name", argumentCount: 1) { arguments in
      arguments.optionalInteger(0).map { .text(entities[$0].name) } ?? .null
    }
    try connection.addFunction(name: "object_uri", argumentCount: 2) { arguments in
      guard let primaryKey = arguments.optionalInteger(1) else { return .null }
      switch arguments.value(0) {
      case .integer(let number):
        return .text(String(decoding: entities[number].uriPrefix, as: UTF8.self) + String(primaryKey))
      case .text(let name):
        return .text(ObjectURI.text(storeUUID: store.uuid, entity: name, primaryKey: primaryKey))
      default: return .null
      }
    }
    try connection.addFunction(name: "change_name", argumentCount: 1) { arguments in
      guard let raw = arguments.optionalInteger(0) else { return .null }
      return .text(ChangeKind(rawValue: raw)?.name ?? "unknown (\(raw))")
    }
    try connection.addFunction(name: "changed_properties", argumentCount: 2) { arguments in
      guard let entity = arguments.optionalInteger(0), let mask = arguments.optionalBytes(1) else {
        return .null
      }
      return names.properties(entity: entity, mask: mask).map { json($0.namesValue) } ?? .null
    }
    try connection.addFunction(name: "unsure_properties", argumentCount: 2) { arguments in
      guard let entity = arguments.optionalInteger(0), let mask = arguments.optionalBytes(1),
        let properties = names.properties(entity: entity, mask: mask), !properties.unsure.isEmpty
      else { return .null }
      return json(properties.unsureValue)
    }
    try connection.addFunction(name: "tombstone", argumentCount: nil) { arguments in
      guard let entity = arguments.optionalInteger(0),
        arguments.optionalInteger(1) == ChangeKind.delete.rawValue, arguments.count > 2
      else { return .null }
      let value = names.tombstone(entity: entity, (2..<arguments.count).map(arguments.cell))
      return value == .null ? .null : json(value)
    }
    try connection.addFunction(name: "entity_table", argumentCount: 1) { arguments in
      arguments.optionalInteger(0).flatMap { store.schema[$0] }.map { .text($0.table) } ?? .null
    }
    var rows: [Int64: Int]?
    try connection.addFunction(name: "entity_rows", argumentCount: 1) { arguments in
      guard let number = arguments.optionalInteger(0), store.schema[number] != nil else { return .null }
      let counts = try rows ?? store.rowCounts()
      rows = counts
      return .integer(Int64(counts[number] ?? 0))
    }
    try connection.addFunction(name: "blob_kind", argumentCount: 1) { arguments in
      arguments.isNull(0) ? .null : arguments.withBytes(0) { .text(BlobKind.sniff($0).rawValue) }
    }
    try connection.addFunction(name: "blob_json", argumentCount: 1) { arguments in
      guard !arguments.isNull(0) else { return .null }
      return arguments.withBytes(0) { BlobReader.summary(of: $0, decode: true).value }.map(json) ?? .null
    }
    try connection.addFunction(name: "external_data", argumentCount: 1) { arguments in
      guard arguments.type(0) == .blob else { return arguments.value(0) }
      return arguments.withBytes(0) { bytes in
        let content = try? ExternalValue.content(of: bytes, store.externalFiles)
        return content.map(SQLiteValue.blob) ?? .null
      }
    }
  }

  private static func json(_ value: DataValue) -> SQLiteValue { .text(JSONText.compact(value)) }
}
