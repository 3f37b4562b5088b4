import Base
import Rendering

/// Writes shapes as JSON Schema. Uses no more of its vocabulary than the tests' validator reads.
struct SchemaWriter {
  /// In the order of their first use.
  private(set) var definitions: [DataValue.Member] = []

  mutating func define(_ name: String, _ schema: DataValue) {
    definitions.append(DataValue.Member(name, schema))
  }

  static func any(of schemas: [DataValue], _ description: String?) -> DataValue {
    let described: [DataValue.Member] = description.map { [.init("description", .text($0))] } ?? []
    guard schemas.count == 1, case .object(let only) = schemas[0] else {
      return .object(described + [.init("anyOf", .array(schemas))])
    }
    return .object(described + only)
  }

  mutating func document(_ form: DocumentForm, command: String) -> DataValue {
    let title: [DataValue.Member] =
      form.condition.isEmpty ? [] : [.init("title", .text(form.condition))]
    return .object(title + object(form.whole(command: command)))
  }

  mutating func schema(_ shape: Shape) -> DataValue { .object(members(shape)) }

  private mutating func members(_ shape: Shape) -> [DataValue.Member] {
    switch shape {
    case .text: [.init("type", "string")]
    case .integer: [.init("type", "integer")]
    case .number: [.init("type", "number")]
    case .bool: [.init("type", "boolean")]
    case .date: reference("date") { _ in Self.date }
    case .uuid: reference("uuid") { _ in Self.uuid }
    case .uri: reference("uri") { _ in Self.uri }
    case .hash: reference("sha256") { _ in Self.hash }
    case .any: []
    case .words(let words): [.init("enum", .array(words.map(DataValue.text)))]
    case .pattern(let pattern): [.init("type", "string"), .init("pattern", .text(pattern))]
    case .list(let element): [.init("type", "array"), .init("items", schema(element))]
    case .object(let keys): object(keys)
    case .open(let keys, let others):
      [.init("description", .text("\(Self.sentence(others))"))] + object(keys, isOpen: true)
    case .map(let value): [.init("type", "object"), .init("additionalProperties", schema(value))]
    case .named(let name, let keys): reference(name) { .object($0.object(keys)) }
    case .document(let command):
      reference(command + "Document") { writer in
        let forms = DocumentTable.document(of: command)?.forms ?? []
        return Self.any(of: forms.map { writer.document($0, command: command) }, nil)
      }
    case .either(let shapes): [.init("anyOf", .array(shapes.map { schema($0) }))]
    case .orNull(let shape): orNull(members(shape))
    }
  }

  private func orNull(_ members: [DataValue.Member]) -> [DataValue.Member] {
    if members.isEmpty { return members }
    if members.count == 1, case .text(let type) = members[0].value, members[0].name == "type" {
      return [.init("type", .array([.text(type), "null"]))]
    }
    if members.count == 1, case .array(let words) = members[0].value, members[0].name == "enum" {
      return [.init("enum", .array(words + [nil]))]
    }
    return [.init("anyOf", [.object(members), ["type": "null"]])]
  }

  private mutating func object(_ keys: [Shape.Key], isOpen: Bool = false) -> [DataValue.Member] {
    var dates: [String] = []
    let properties = keys.map { key -> DataValue.Member in
      switch key.shape {
      // Any value may be a date.
      case .date, .any: dates.append(key.name)
      default: break
      }
      let condition = key.condition.map { "; only if \($0)" } ?? ""
      return DataValue.Member(
        key.name,
        .object(
          [.init("description", .text(Self.sentence(key.meaning + condition)))]
            + members(key.shape).filter { $0.name != "description" }))
    }
    let required = keys.filter { $0.condition == nil }.map { DataValue.text($0.name) }
    var object: [DataValue.Member] = [
      .init("type", "object"), .init("properties", .object(properties)), .init("required", .array(required)),
    ]
    if !dates.isEmpty, !isOpen {
      object.append(
        .init(
          "patternProperties",
          .object([.init("^(\(dates.joined(separator: "|")))\\.raw$", .object([.init("type", "number")]))])))
    }
    return isOpen ? object : object + [.init("additionalProperties", false)]
  }

  private mutating func reference(
    _ name: String, _ schema: (inout Self) -> DataValue
  ) -> [DataValue.Member] {
    if !definitions.contains(where: { $0.name == name }) {
      // Its place first, as it may hold others.
      let place = definitions.count
      define(name, nil)
      definitions[place].value = schema(&self)
    }
    return [.init("$ref", .text("#/$defs/\(name)"))]
  }

  private static func sentence(_ clause: String) -> String {
    clause.prefix(1).uppercased() + clause.dropFirst() + "."
  }

  private static let date: DataValue = [
    "description":
      "A date in UTC. Null if there is none, or if the stored number is no date of the years 1 to 9999: that number is then in the key with '.raw' behind its name.",
    "type": ["string", "null"],
    "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{6}Z$",
  ]

  private static let uuid: DataValue = ["description": "A UUID in upper case.", "type": "string"]

  private static let uri: DataValue = [
    "description": "An object: x-coredata://STORE-UUID/Entity/pN.", "type": "string",
    "pattern": "^x-coredata://",
  ]

  private static let hash: DataValue = [
    "description": "SHA-256 in lower-case hexadecimal digits.", "type": "string", "pattern": "^[0-9a-f]{64}$",
  ]
}
