package import Archives
package import Base

/// Builds keyed archives as NSKeyedArchiver writes them, for test stores.
///
/// Objects are made first and get fields afterward, so they can refer to each other in cycles:
/// ```
/// let writer = KeyedArchiveWriter()
/// let model = writer.object("NSManagedObjectModel")
/// let entity = writer.object("NSEntityDescription", fields: [("NSManagedObjectModel", .reference(model))])
/// writer.set("NSEntities", to: .reference(writer.dictionary([(writer.string("Person"), entity)])), of: model)
/// let bytes = writer.bytes(root: model)
/// ```
package final class KeyedArchiveWriter {
  /// A place in `$objects`.
  package struct Reference: Sendable, Hashable {
    fileprivate let uid: UInt64

    /// What stands for nil.
    package static let null = Reference(uid: 0)
  }

  /// The value of a field. Only references lead to objects; the rest stands in the field itself.
  package enum Field {
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case data([UInt8])
    case reference(Reference)
    case references([Reference])
  }

  private var objects: [PropertyList] = [.string("$null")]
  private var fields: [Reference: [PropertyListDictionary.Entry]] = [:]
  private var strings: [String: Reference] = [:]
  private var numbers: [Int64: Reference] = [:]
  private var classes: [[String]: Reference] = [:]

  package init() {}

  /// A new object of that class.
  /// - Parameter superclasses: the names of the classes it inherits from, the nearest first.
  package func object(
    _ className: String, superclasses: [String] = ["NSObject"], fields: [(String, Field)] = []
  ) -> Reference {
    let object = add(.null)
    let description = classDescription([className] + superclasses)
    self.fields[object] = [PropertyListDictionary.Entry("$class", .uid(description.uid))]
    for (key, value) in fields { set(key, to: value, of: object) }
    return object
  }

  /// Adds a field to an object made by `object`.
  package func set(_ key: String, to value: Field, of object: Reference) {
    fields[object]?.append(PropertyListDictionary.Entry(key, Self.list(value)))
  }

  /// An archive with one root.
  package func propertyList(root: Reference) -> PropertyList {
    propertyList(top: [("root", .reference(root))])
  }

  /// An archive whose fields stand at the top, as those of a CKRecord's system fields do.
  package func propertyList(top: [(String, Field)]) -> PropertyList {
    var objects = self.objects
    for (object, entries) in fields {
      objects[Int(object.uid)] = .dictionary(PropertyListDictionary(entries))
    }
    return [
      "$version": .integer(100_000),
      "$archiver": .string("NSKeyedArchiver"),
      "$top": .dictionary(
        PropertyListDictionary(top.map { PropertyListDictionary.Entry($0.0, Self.list($0.1)) })),
      "$objects": .array(objects),
    ]
  }

  package func bytes(root: Reference) -> [UInt8] { BinaryPropertyList.write(propertyList(root: root)) }

  fileprivate func add(_ list: PropertyList) -> Reference {
    objects.append(list)
    return Reference(uid: UInt64(objects.count - 1))
  }

  private func classDescription(_ names: [String]) -> Reference {
    if let known = classes[names] { return known }
    let description = add([
      "$classname": .string(names[0]), "$classes": .array(names.map { .string($0) }),
    ])
    classes[names] = description
    return description
  }

  private static func list(_ field: Field) -> PropertyList {
    switch field {
    case .bool(let value): .bool(value)
    case .integer(let value): .integer(value)
    case .real(let value): .real(value)
    case .string(let value): .string(value)
    case .data(let value): .data(value)
    case .reference(let value): .uid(value.uid)
    case .references(let values): .array(values.map { .uid($0.uid) })
    }
  }
}

// Foundation's classes.
extension KeyedArchiveWriter {
  /// An NSString; the same one for the same text.
  package func string(_ value: String) -> Reference {
    if let known = strings[value] { return known }
    let reference = add(.string(value))
    strings[value] = reference
    return reference
  }

  /// A string, or nil.
  package func string(_ value: String?) -> Reference { value.map { string($0) } ?? .null }

  /// An NSNumber with a whole number; the same one for the same number.
  package func integer(_ value: Int64) -> Reference {
    if let known = numbers[value] { return known }
    let reference = add(.integer(value))
    numbers[value] = reference
    return reference
  }

  package func real(_ value: Double) -> Reference { add(.real(value)) }

  package func bool(_ value: Bool) -> Reference { add(.bool(value)) }

  package func data(_ value: [UInt8]) -> Reference { add(.data(value)) }

  package func date(_ value: CoreDataDate) -> Reference {
    object("NSDate", fields: [("NS.time", .real(value.seconds))])
  }

  /// An NSUUID of sixteen bytes.
  package func uuid(_ bytes: [UInt8]) -> Reference {
    object("NSUUID", fields: [("NS.uuidbytes", .data(bytes))])
  }

  /// An NSURL without a base.
  package func url(_ text: String) -> Reference {
    object("NSURL", fields: [("NS.base", .reference(.null)), ("NS.relative", .reference(string(text)))])
  }

  package func array(_ elements: [Reference]) -> Reference {
    object("NSArray", fields: [("NS.objects", .references(elements))])
  }

  package func set(_ elements: [Reference]) -> Reference {
    object("NSSet", fields: [("NS.objects", .references(elements))])
  }

  package func dictionary(_ entries: [(key: Reference, value: Reference)]) -> Reference {
    object(
      "NSDictionary",
      fields: [
        ("NS.keys", .references(entries.map(\.key))), ("NS.objects", .references(entries.map(\.value))),
      ])
  }
}
