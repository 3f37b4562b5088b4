package import Base
import SQLite
import StoreModel

/// What a forged store holds, as plain values: tests compare what they read with it.
package struct ForgeTruth: Sendable {
  /// One living object.
  package struct Object: Sendable {
    package var object: ForgedObject
    /// Every attribute that was set, by name; composites whole.
    package var values: [String: ForgeValue] = [:]
    /// Linked objects by relationship, in order where it is ordered. Both ends of a relationship are here. A
    /// to-many without inverse has its other end under a name that begins with its owner's entity number.
    package var links: [String: [ForgedObject]] = [:]
    /// What `Z_OPT` holds: 1 after the insert, one more with each save that changed the object.
    package var version: Int64 = 1

    /// What lies in the attributes' columns.
    var cells: [String: SQLiteValue] = [:]
    /// What the order columns hold for the members of ordered relationships.
    var orderKeys: [String: [ForgedObject: Int64]] = [:]
  }

  /// One row of `ATRANSACTION`.
  package struct Transaction: Sendable, Equatable {
    package var number: Int64
    package var timestamp: CoreDataDate
    package var author: String?
    package var bundle: String?
    package var process: String?
    package var context: String?
  }

  /// One row of `ACHANGE`.
  package struct Change: Sendable, Equatable {
    package enum Kind: Int64, Sendable {
      case insert, update, delete
    }

    package var number: Int64
    package var transaction: Int64
    package var kind: Kind
    package var object: ForgedObject
    /// Names of the properties that an update changed, those without a name of their own as `ChangeMask` gives
    /// them; empty for inserts and deletes.
    package var properties: Set<String>
    /// A deleted object's preserved attributes, by name.
    package var tombstone: [String: ForgeValue]
  }

  package internal(set) var objects: [ForgedObject: Object] = [:]
  package internal(set) var transactions: [Transaction] = []
  package internal(set) var changes: [Change] = []

  /// The living objects of exactly this entity, by primary key.
  package func objects(of entity: String) -> [Object] {
    objects.values.filter { $0.object.entity == entity }
      .sorted { $0.object.primaryKey < $1.object.primaryKey }
  }

  package subscript(object: ForgedObject) -> Object? { objects[object] }
}

/// One object of a forged store. Stays its name after it was deleted.
package struct ForgedObject: Sendable, Hashable {
  /// Its own entity, not the hierarchy's root.
  package var entity: String
  package var entityNumber: Int64
  package var primaryKey: Int64

  package init(entity: String, entityNumber: Int64, primaryKey: Int64) {
    self.entity = entity
    self.entityNumber = entityNumber
    self.primaryKey = primaryKey
  }

  /// `x-coredata://STORE-UUID/Entity/p1`
  package func uri(storeUUID: String) -> String {
    ObjectURI.text(storeUUID: storeUUID, entity: entity, primaryKey: primaryKey)
  }
}

/// An attribute's value as a test or the demo gives it, and as the truth keeps it: what an app would have set,
/// not what lies in the file.
package enum ForgeValue: Sendable, Equatable {
  case null
  case integer(Int64)
  case boolean(Bool)
  case real(Double)
  /// Text of String and URI attributes, and UUIDs in their usual grouping.
  case text(String)
  case date(CoreDataDate)
  /// Binary values as the app set them, without the tag of external storage; transformable ones as their
  /// transformer wrote them.
  case bytes([UInt8])
  /// A composite's elements by name.
  case composite([String: ForgeValue])

  /// A moment in ISO 8601. Text that is none stays text, which no Date attribute takes.
  package static func date(_ text: String) -> ForgeValue {
    ISO8601.parse(text).map(ForgeValue.date) ?? .text(text)
  }

  /// Text as the bytes of a binary attribute: what SwiftData makes of an array inside a structure.
  package static func json(_ text: String) -> ForgeValue { .bytes(Array(text.utf8)) }

  /// A model's default value; nil for those that have no attribute's type.
  init?(_ value: DataValue) {
    switch value {
    case .bool(let value): self = .boolean(value)
    case .integer(let value): self = .integer(value)
    case .real(let value): self = .real(value)
    case .text(let value): self = .text(value)
    case .date(let value): self = .date(value)
    case .null, .blob, .array, .object: return nil
    }
  }
}

extension ForgeValue: ExpressibleByNilLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral
{
  package init(nilLiteral: ()) { self = .null }
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(dictionaryLiteral elements: (String, ForgeValue)...) {
    self = .composite(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
  }
}
