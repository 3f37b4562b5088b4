package import Base
import SQLite
package import StoreModel

/// Bytes of the values of one binary or transformable attribute.
package struct BlobSize: HasFields, Sendable, Equatable {
  /// The entity that declares it; objects of those below count too.
  package var entity: String
  package var property: String
  package var values: Int
  /// In the database.
  package var bytes: Int64
  /// In files next to the store, each counted for the first value that refers to it.
  package var externalBytes: Int64

  package static let fields: [Field<Self>] = [
    Field("entity", "the entity that declares it") { $0.entity },
    Field("property", "the attribute") { $0.property },
    Field("bytes", "its values in the main file") { $0.bytes }, Field("values", "how many") { $0.values },
    Field("externalBytes", "its values in files of their own") { $0.externalBytes },
  ]

  /// All attributes of a store with their values' sizes, the largest first; the values themselves aren't read.
  /// - Parameters:
  ///   - step: called for every row.
  ///   - problems: what could not be read, a sentence each.
  package static func all(
    of store: CoreDataStore, step: () -> Void = {}, problems: inout [String]
  ) throws -> [BlobSize] {
    var sizes: [BlobSize] = []
    var places: [String: Int] = [:]
    let byTable = Dictionary(grouping: store.schema.entities, by: \.table)
    var seen: Set<String> = []
    for (table, entities) in byTable.sorted(by: { $0.key < $1.key }) where store.tables.holdsObjects(table) {
      var columns: [String] = []
      // By entity: which of the columns it has, and where their sum is.
      var plans: [Int64: [(column: Int, place: Int, isExternal: Bool)]] = [:]
      for entity in entities {
        for leaf in entity.attributes.flatMap(\.leaves) {
          guard [.binary, .transformable].contains(leaf.description.type), let column = leaf.column else {
            continue
          }
          let owner = store.schema[leaf.declaredBy]?.name ?? entity.name
          let key = "\(owner)\0\(leaf.path)"
          let place = places[key] ?? sizes.count
          if place == sizes.count {
            sizes.append(
              BlobSize(entity: owner, property: leaf.path, values: 0, bytes: 0, externalBytes: 0))
            places[key] = place
          }
          let index = columns.firstIndex(of: column) ?? columns.count
          if index == columns.count { columns.append(column) }
          let attribute = leaf.description
          plans[entity.number, default: []].append(
            (index, place, attribute.allowsExternalStorage || attribute.isFileBackedFuture))
        }
      }
      guard !columns.isEmpty else { continue }
      do {
        try add(table, columns, plans, store.externalFiles, &seen, to: &sizes, store.connection, step)
      } catch let error as SQLiteError where !error.isInterrupt {
        problems.append("The values in \(table) can't be measured: \(Sentence.ended(error.message))")
      }
    }
    return sizes.filter { $0.values > 0 }.sorted {
      ($1.bytes.addingClamped($1.externalBytes), $0.entity, $0.property)
        < ($0.bytes.addingClamped($0.externalBytes), $1.entity, $1.property)
    }
  }

  private static func add(
    _ table: String, _ columns: [String], _ plans: [Int64: [(column: Int, place: Int, isExternal: Bool)]],
    _ files: ExternalFiles, _ seen: inout Set<String>, to sizes: inout [BlobSize], _ connection: Connection,
    _ step: () -> Void
  ) throws {
    // SQLite takes a blob's type and length from its row, without the pages of its content.
    let lengths = columns.map(quotedIdentifier).map {
      "CASE typeof(\($0)) WHEN 'blob' THEN length(\($0)) END"
    }
    let names = columns.map(quotedIdentifier).map {
      "CASE WHEN typeof(\($0)) = 'blob' AND length(\($0)) <= \(longestReference) THEN \($0) END"
    }
    let statement = try connection.prepare(
      "SELECT Z_ENT, \((lengths + names).joined(separator: ", ")) FROM main.\(quotedIdentifier(table))")
    while try statement.step() {
      step()
      for (column, place, isExternal) in plans[statement.integer(0)] ?? [] {
        guard let length = statement.optionalInteger(1 + column) else { continue }
        sizes[place].values += 1
        sizes[place].bytes = sizes[place].bytes.addingClamped(length)
        guard isExternal, !statement.isNull(1 + columns.count + column) else { continue }
        let external = statement.withBytes(1 + columns.count + column) { bytes -> Int64 in
          // Copies of an object can refer to one file.
          func size(_ name: String, _ kind: ExternalFiles.Kind) -> Int64 {
            seen.insert("\(kind)/\(name)").inserted ? files.size(of: name, kind) ?? 0 : 0
          }
          return switch ExternalValue(bytes) {
          case .file(let name): size(name, .externalData)
          case .fileBackedFuture(let name, _): size(name, .fileBackedFuture)
          case .inline, .untagged: 0
          }
        }
        sizes[place].externalBytes = sizes[place].externalBytes.addingClamped(external)
      }
    }
  }

  /// A tag and a file's name.
  private static let longestReference = 512
}
