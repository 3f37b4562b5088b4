import SQLite

/// What a table's columns tell of its entities' properties when there is no model.
struct GuessedProperties {
  struct Column {
    var name: String
    var declaredType: String

    /// `ZFIRSTNAME` → `firstname`: the model's capitals are lost.
    var lowercasedName: String { (name.hasPrefix("Z") ? name.dropFirst() : name[...]).lowercased() }

    var attributeType: AttributeType {
      switch declaredType.uppercased() {
      case "INTEGER": .integer64
      case "FLOAT": .double
      case "DECIMAL": .decimal
      case "TIMESTAMP": .date
      case "VARCHAR": .string
      case "BLOB": .binary
      default: .undefined
      }
    }
  }

  /// A foreign key that an entity column gives away.
  struct Key {
    var column: String
    var entityColumn: String
    var orderColumn: String?
    var destination: Int64
    var name: String { Column(name: column, declaredType: "").lowercasedName }
  }

  private(set) var attributes: [Column] = []
  private(set) var keys: [Key] = []

  init(_ columns: [TableColumn], hierarchy: GuessedHierarchy) {
    let names = Set(columns.map(\.name))
    var hidden: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    for column in columns.map(\.name) {
      if column.hasPrefix("Z_FOK_") { hidden.insert(column) }
      // `Z3_OWNER` next to `ZOWNER` holds the entity of a target that is entity 3 or below.
      guard let (number, name) = Self.numbered(column.dropFirst()), name.hasPrefix("_") else { continue }
      let key = "Z" + name.dropFirst()
      guard hierarchy.name(of: number) != nil, names.contains(key), !hidden.contains(key) else { continue }
      let order = "Z_FOK_" + name.dropFirst()
      hidden.formUnion([column, key])
      keys.append(
        Key(
          column: key, entityColumn: column, orderColumn: names.contains(order) ? order : nil,
          destination: number))
    }
    attributes = columns.filter { !hidden.contains($0.name) }.map {
      Column(name: $0.name, declaredType: $0.declaredType)
    }.sorted { $0.lowercasedName < $1.lowercasedName }
  }

  /// Leading digits as a number, and what follows them.
  static func numbered(_ text: Substring) -> (number: Int64, rest: Substring)? {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    return Int64(digits).map { ($0, text.dropFirst(digits.count)) }
  }
}
