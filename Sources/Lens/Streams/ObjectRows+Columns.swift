package import Base
import SQLite
package import StoreModel

extension ObjectRows {
  /// One column of the output.
  package struct Column: Sendable, Equatable {
    package var name: String
    package var isNumber = false
    package var isRelationship = false
    package var isToMany = false
    /// It makes the objects' title.
    package var isTitle = false
    /// The question is about it.
    package var isAsked = false
    /// The higher, the less it says to people.
    package var rank = 0
    /// The to-one relationship whose target's key it has.
    package var keyOf: String?
  }

  // MARK: - All of them

  /// Those of the properties, then those of the parts that were asked for.
  /// - Parameter sources: the entities whose properties have columns.
  static func columns(
    of sources: [SchemaEntity], _ entity: SchemaEntity, _ options: Options, in store: CoreDataStore
  ) -> [Column] {
    var columns: [Column] = []
    var known: Set<String> = []
    for source in sources {
      columns += properties(of: source, options.toMany).filter { known.insert($0.name).inserted }
    }
    columns += options.parts.compactMap { column(ofPart: $0, of: sources, in: store) }
      .filter { known.insert($0.name).inserted }
    for index in columns.indices where isAsked(columns[index].name, options.asked) {
      (columns[index].isAsked, columns[index].rank) = (true, -1)
    }
    if options.hasShortIdentity { columns = withTitleFirst(columns, of: entity) }
    return options.hasReferenceKeys ? withKeys(columns, among: sources) : columns
  }

  /// Whether the property or a part of it is.
  private static func isAsked(_ name: String, _ asked: Set<String>) -> Bool {
    let name = name.lowercased()
    return asked.contains { $0 == name || $0.hasPrefix(name + ".") }
  }

  private static func properties(of entity: SchemaEntity, _ toMany: ToMany) -> [Column] {
    let ranks = ColumnRanks.ofAttributes(of: entity)
    let attributes = entity.attributes.filter { !$0.leaves.allSatisfy { $0.column == nil } }
      .map { Column(name: $0.name, isNumber: $0.description.type.isNumber, rank: ranks[$0.path] ?? 0) }
    let relationships = entity.relationships.filter { relationship in
      switch relationship.storage {
      case .toOne: true
      case .toMany, .join: toMany.includes(relationship)
      case .none: false
      }
    }
    return attributes
      + relationships.map { relationship in
        // To-many ones are there because somebody asked for them.
        var column = Column(name: relationship.name, isRelationship: true, rank: -1)
        if case .toOne = relationship.storage {
          column.rank = ColumnRanks.relationship
        } else {
          column.isToMany = true
        }
        return column
      }
  }

  /// `owner`, then `owner_pk`, which a property may be called as well.
  private static func withKeys(_ columns: [Column], among entities: [SchemaEntity]) -> [Column] {
    let toOnes = Set(entities.flatMap(\.toOnes).map(\.name))
    var taken = Set(columns.map(\.name))
    return columns.flatMap { column -> [Column] in
      guard column.isRelationship, toOnes.contains(column.name) else { return [column] }
      var name = column.name + "_pk"
      while !taken.insert(name).inserted { name += "_" }
      return [column, Column(name: name, isNumber: true, keyOf: column.name)]
    }
  }

  private static func withTitleFirst(_ columns: [Column], of entity: SchemaEntity) -> [Column] {
    let names = TitleAttributes.ofTitle(entity).map { $0.path.split(separator: ".").first }
    let isTitle = { (column: Column) in names.contains(column.name[...]) }
    let first = columns.filter(isTitle).map { column in
      var column = column
      column.isTitle = true
      // Not even what somebody asked for says as much.
      column.rank = columns.contains { $0.rank < 0 } ? -2 : 0
      return column
    }
    return first + columns.filter { !isTitle($0) }
  }

  // MARK: - Parts

  /// Whether any of them has such a part.
  package static func hasColumn(
    _ part: String, of entities: [SchemaEntity], in store: CoreDataStore
  ) -> Bool { column(ofPart: part, of: entities, in: store) != nil }

  /// Nil for what is no part.
  static func column(
    ofPart part: String, of entities: [SchemaEntity], in store: CoreDataStore
  ) -> Column? {
    let leaves = entities.flatMap(\.attributes).flatMap(\.leaves).filter { $0.column != nil }
    if let name = Suggestion.spelled(part, in: leaves.map(\.path)) {
      guard name.contains("."), let leaf = leaves.first(where: { $0.path == name }) else { return nil }
      return Column(name: name, isNumber: leaf.description.type.isNumber, rank: -1)
    }
    if let path = DecodedPath(part, of: entities) {
      return Column(name: path.name, rank: -1)
    }
    return entities.lazy.compactMap { RelatedPath(part, of: $0, in: store) }.first.map { path in
      let isNumber =
        switch path.end {
        case .attribute(let attribute): attribute.description.type.isNumber
        case .key: true
        case .member, .relationship: false
        }
      return Column(name: path.name, isNumber: isNumber, rank: -1)
    }
  }

  // MARK: - In ranges

  /// Fewer are read by one thread as fast.
  private static let keysOfPart: Int64 = 2048

  /// The same rows in ranges of their keys.
  /// - Parameters:
  ///   - readers: the store as each thread may read it.
  ///   - whileWaiting: see `RowParts`.
  /// - Returns: nil where they are few, in another order, or chosen by a condition, which each part would ask again.
  package func parts(
    readers: () throws -> [CoreDataStore], whileWaiting: @escaping () -> Void = {}
  ) throws -> RowParts? {
    guard areAll, let ranges = try ranges() else { return nil }
    let stores = try readers()
    guard stores.count > 1 else { return nil }
    let (number, options) = (entity.number, options)
    return RowParts(
      count: ranges.count,
      makers: stores.map { store in
        { part, sink in
          guard let entity = store.schema[number] else { return }
          var options = options
          options.range = ranges[part]
          try ObjectRows(entity, in: store, options: options).produce(into: sink) {}
        }
      }, whileWaiting: whileWaiting)
  }

  private func ranges() throws -> KeyRanges? {
    do { return try store.keyRanges(of: entity.table, each: Self.keysOfPart) } catch let error as SQLiteError
      where error.isDamage
    {
      // SQLite counts by whatever index it likes, and the rows themselves don't need that one.
      return nil
    }
  }

  /// Whether they are all of their entity's, in the order of their keys.
  private var areAll: Bool {
    options.predicate == nil && options.condition == nil && options.order.isEmpty && !options.isReversed
      && options.primaryKey == nil && options.primaryKeys == nil
  }
}
