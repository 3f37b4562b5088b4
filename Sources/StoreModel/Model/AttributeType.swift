/// An attribute's type. Raw values are those of `NSAttributeType`.
/// https://developer.apple.com/documentation/coredata/nsattributetype
package enum AttributeType: Int, Sendable, CaseIterable {
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binary = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case objectID = 2000
  case composite = 2100

  /// The name that Xcode's model editor shows and its XML stores.
  package var name: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binary: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "Object ID"
    case .composite: "Composite"
    }
  }

  package var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: true
    default: false
    }
  }

  /// The type that Core Data declares for the column, measured on real stores; nil where there is no column.
  package var declaredColumnType: String? {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .decimal: "DECIMAL"
    case .double, .float: "FLOAT"
    case .string, .uri: "VARCHAR"
    case .date: "TIMESTAMP"
    case .binary, .uuid, .transformable: "BLOB"
    case .undefined, .objectID, .composite: nil
    }
  }

  /// The type that a model's XML names, for example `Integer 16`.
  init?(name: String) {
    guard let type = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = type
  }

  /// The class of values that a compiled model states for the type; nil where the model's author chooses.
  var valueClassName: String? {
    switch self {
    case .integer16, .integer32, .integer64, .double, .float, .boolean: "NSNumber"
    case .decimal: "NSDecimalNumber"
    case .string: "NSString"
    case .date: "NSDate"
    case .binary: "NSData"
    case .uuid: "NSUUID"
    case .uri: "NSURL"
    case .undefined, .transformable, .objectID, .composite: nil
    }
  }
}

/// How SQLite keeps values of an attribute's type, measured on real stores.
package struct StoredForm: Sendable {
  /// SQL, with the functions of Lens, that is true for a value of the type; `{}` stands for the column.
  package let condition: String
  /// What follows "it must be": `stored as text`.
  package let rule: String

  /// Nil for types that have no column, or may have any value.
  package init?(_ attribute: AttributeDescription) {
    let type = attribute.type
    let integer = "typeof({}) = 'integer'"
    let name = "(\(type.name))"
    switch type {
    case .integer16:
      (condition, rule) = (
        "\(integer) AND {} BETWEEN -32768 AND 32767", "a whole number from -32768 to 32767 \(name)"
      )
    case .integer32:
      (condition, rule) = (
        "\(integer) AND {} BETWEEN -2147483648 AND 2147483647",
        "a whole number from -2147483648 to 2147483647 \(name)"
      )
    case .integer64: (condition, rule) = (integer, "a whole number \(name)")
    case .boolean: (condition, rule) = ("\(integer) AND {} IN (0, 1)", "0 or 1 \(name)")
    case .double, .float:
      (condition, rule) = ("typeof({}) IN ('real', 'integer')", "stored as a number \(name)")
    case .date:
      // Whole seconds are integers. Apps mean never by these two, and nothing that lies beyond them:
      // https://developer.apple.com/documentation/foundation/nsdate/distantfuture
      (condition, rule) = (
        "typeof({}) IN ('real', 'integer') AND {} BETWEEN -63114076800 AND 63113904000",
        "between Date.distantPast and Date.distantFuture, in seconds since 2001 \(name)"
      )
    case .decimal:
      // Text is accepted if it is a number with too many digits.
      (condition, rule) = (
        "typeof({}) IN ('real', 'integer') OR (typeof({}) = 'text' AND ({} GLOB '[0-9]*' OR {} GLOB '[-+.][0-9]*' OR {} = 'NaN'))",
        "stored as a number \(name)"
      )
    case .string, .uri: (condition, rule) = ("typeof({}) = 'text'", "stored as text \(name)")
    case .uuid:
      (condition, rule) = ("typeof({}) = 'blob' AND LENGTH({}) = 16", "stored as 16 bytes \(name)")
    case .transformable where attribute.isArchived:
      let bytes = attribute.allowsExternalStorage ? "external_data({})" : "{}"
      (condition, rule) = (
        "typeof({}) = 'blob' AND blob_kind(\(bytes)) IS 'keyedArchive'", "a keyed archive \(name)"
      )
    case .binary, .transformable: (condition, rule) = ("typeof({}) = 'blob'", "stored as bytes \(name)")
    case .undefined, .objectID, .composite: return nil
    }
  }
}
