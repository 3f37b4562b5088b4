import Archives
package import Base
import Lens
import SQLite
import StoreModel

/// An object's values here against the store's copy of its record, which is what the server had last.
package struct ServerComparison: Sendable, Equatable {
  package struct Difference: HasFields, Sendable, Equatable {
    package var property: String
    package var local: DataValue
    package var server: DataValue

    package static let fields: [Field<Self>] = [
      Field("property", "the property") { $0.property },
      Field("local", "its value here") { $0.local },
      Field("server", "its value in the server's copy") { $0.server },
    ]
  }

  package static let field = Field<Self>(
    "differences", "differences between the object and the server's copy"
  ) { $0.differences }

  /// A property of which the copy doesn't show the value.
  package struct NotCompared: Sendable, Equatable {
    package var property: String
    /// What it is instead: `encrypted`.
    package var because: String
  }

  package var differences: [Difference] = []
  package var notCompared: [NotCompared] = []
  /// Whether there was a copy to compare with.
  package var isCompared = false
  /// When the server last changed the record.
  package var modified: CoreDataDate?

  /// `'weather' (a composite attribute), 'secret' (encrypted)`
  package var notComparedText: String {
    notCompared.map { "'\($0.property)' (\($0.because))" }.joined(separator: ", ")
  }
}

/// Compares property by property, as CloudKit keeps each type:
/// https://developer.apple.com/documentation/coredata/reading-cloudkit-records-for-core-data
struct ServerComparer {
  private let mirror: Mirror
  private let store: CoreDataStore
  private let entity: SchemaEntity
  private let record: MirrorRecord
  private let fields: DataValue

  /// Nil if the store has no copy of the record's values.
  init?(_ mirror: Mirror, _ entity: SchemaEntity, _ record: MirrorRecord) {
    guard let fields = record.fields, case .object(let members) = fields, !members.isEmpty else { return nil }
    self.mirror = mirror
    store = mirror.store
    self.entity = entity
    self.record = record
    self.fields = fields
  }

  func compare(_ primaryKey: Int64) throws -> ServerComparison {
    var result = ServerComparison(isCompared: true, modified: record.systemFields?.modified)
    let attributes = entity.attributes.filter { $0.leaves.contains { $0.column != nil } }
    let toOnes = entity.relationships.compactMap { relationship -> (SchemaRelationship, String, String?)? in
      guard case .toOne(let column, let entityColumn, _) = relationship.storage else { return nil }
      return (relationship, column, entityColumn)
    }
    let leaves = attributes.map { $0.leaves.filter { $0.column != nil } }
    let columns =
      leaves.flatMap { $0.compactMap(\.column) } + toOnes.flatMap { [$0.1, $0.2].compactMap(\.self) }
    guard !columns.isEmpty else { return result }
    let statement = try store.connection.prepare(
      "SELECT \(columns.map(quotedIdentifier).joined(separator: ", ")) FROM main.\(quotedIdentifier(entity.table)) WHERE Z_PK = ?"
    )
    try statement.bind([.integer(primaryKey)])
    defer { statement.reset() }
    guard try statement.step() else { return ServerComparison() }
    var column = 0
    func next() -> Cell {
      defer { column += 1 }
      return statement.cell(column)
    }
    for (attribute, leaves) in zip(attributes, leaves) {
      let values = leaves.map { CellDecoder($0, files: store.externalFiles).value(next()) }
      let isPlain = attribute.description.type != .composite || attribute.description.isEnumeration
      guard isPlain, let leaf = leaves.first, let local = values.first else {
        // How the framework sends composites isn't known, but not that it sends nothing.
        if values.contains(where: { $0 != .null }) || hasField(of: attribute.name) {
          result.notCompared.append(.init(property: attribute.name, because: "a composite attribute"))
        }
        continue
      }
      add(attribute.name, compared(leaf.description, attribute.description, local), local, &result)
    }
    for (relationship, _, entityColumn) in toOnes {
      let key = next().optionalInteger
      let number = entityColumn == nil ? nil : next().optionalInteger
      try compare(relationship, key, number, &result)
    }
    return result
  }

  private enum Answer {
    case same
    case unknown(because: String)
    case different(DataValue)
  }

  private func add(_ name: String, _ answer: Answer, _ local: DataValue, _ result: inout ServerComparison) {
    switch answer {
    case .same: break
    case .unknown(let because): result.notCompared.append(.init(property: name, because: because))
    case .different(let server):
      result.differences.append(.init(property: name, local: local, server: server))
    }
  }

  private func field(_ name: String) -> DataValue { fields["CD_" + name] ?? .null }

  private func hasField(of composite: String) -> Bool {
    guard case .object(let members) = fields else { return false }
    return members.contains { $0.name.hasPrefix("CD_" + composite) }
  }

  // MARK: Attributes

  private func compared(
    _ leaf: AttributeDescription, _ attribute: AttributeDescription, _ local: DataValue
  ) -> Answer {
    let field = field(attribute.name)
    guard field != .null else {
      // What is encrypted lies elsewhere in the record, and what is large in a file of its own.
      if attribute.allowsCloudEncryption { return .unknown(because: "encrypted") }
      if self.field(attribute.name + "_ckAsset") != .null { return .unknown(because: "in a file of its own") }
      guard local != .null else { return .same }
      return leaf.isDerived ? .unknown(because: "derived") : .different(.null)
    }
    guard field["$truncated"] == nil, field["$ref"] == nil, local["problem"] == nil else {
      return .unknown(because: "unreadable")
    }
    let server = Self.decoded(field, leaf.type)
    guard local != .null else { return .different(server) }
    guard let isSame = ServerValue.isSame(local, server, leaf.type) else {
      return .unknown(because: "archived in another order")
    }
    return isSame ? .same : .different(server)
  }

  /// A field as the attribute shows it: CloudKit has no truth values and no UUIDs.
  private static func decoded(_ field: DataValue, _ type: AttributeType) -> DataValue {
    switch (type, field) {
    case (.boolean, .integer(0)): .bool(false)
    case (.boolean, .integer(1)): .bool(true)
    case (.uuid, .text(let text)): .text(text.uppercased())
    default: field
    }
  }

  // MARK: Relationships

  /// A to-one relationship is the name of the record that it leads to.
  private func compare(
    _ relationship: SchemaRelationship, _ key: Int64?, _ number: Int64?, _ result: inout ServerComparison
  ) throws {
    let field = field(relationship.name)
    guard let destination = store.schema[relationship.destination] else { return }
    guard let key else {
      if case .text(let name) = field {
        add(relationship.name, .different(try mirror.target(ofLink: name)), .null, &result)
      }
      return
    }
    let names = try recordNames(destination, key)
    if case .text(let name) = field, names.contains(name) { return }
    let own = number.flatMap { destination.subtree.contains($0) ? $0 : nil } ?? destination.number
    // What isn't mirrored isn't sent, and neither is a relationship to it.
    if field == .null, names.isEmpty, try mirror.mirroredEntities()[own]?.isMirrored == false { return }
    let local = DataValue.text(store.uri(ObjectKey(entity: own, primaryKey: key)))
    switch field {
    case .null: add(relationship.name, .different(.null), local, &result)
    case .text(let name): add(relationship.name, .different(try mirror.target(ofLink: name)), local, &result)
    default: add(relationship.name, .unknown(because: "unreadable"), local, &result)
    }
  }

  private func recordNames(_ destination: SchemaEntity, _ key: Int64) throws -> Set<String> {
    var names: Set<String> = []
    let filter = RecordFilter(entities: store.schema.hierarchy(of: destination), objectKey: key)
    try RecordReader(mirror, filter: filter).forEach { record in
      if let name = record.recordName { names.insert(name) }
      return names.count < 100
    }
    return names
  }
}

extension Mirror {
  /// The URI of the object whose record has that name, as a to-one relationship in a record has it; the name itself if it
  /// isn't here.
  func target(ofLink name: String) throws -> DataValue {
    var uri: String?
    try RecordReader(self, filter: RecordFilter(recordName: name)).forEach { record in
      uri = record.uri
      return uri == nil
    }
    return .text(uri ?? name)
  }
}

extension Cell {
  fileprivate var optionalInteger: Int64? { type == .null ? nil : integer }
}
