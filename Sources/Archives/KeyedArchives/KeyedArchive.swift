import Base

/// What NSKeyedArchiver wrote, open for random access without the classes that were archived.
/// https://developer.apple.com/documentation/foundation/nskeyedarchiver
///
/// A keyed archive is a property list: `$objects` holds all objects in a row, their fields refer to others by
/// place in it, and `$top` names where to begin. The graph may have cycles; it is the caller's to cut them, for
/// example by `ArchivedObject.index`.
package struct KeyedArchive: Sendable {
  let storage: KeyedArchiveStorage

  /// Reads a keyed archive in binary form. Throws where the property list is damaged or is no keyed archive.
  package init(bytes: [UInt8]) throws(ArchiveError) {
    storage = try KeyedArchiveStorage(BinaryPropertyListFile(bytes))
  }

  /// Reads a keyed archive that came in another form, such as XML.
  package init(propertyList: PropertyList) throws(ArchiveError) {
    try self.init(bytes: BinaryPropertyList.write(propertyList))
  }

  /// The `$top` dictionary, as an object without a class. Usually it has the one key `root`; archives that were
  /// encoded field by field, such as the system fields of a CKRecord, have all their fields here.
  package var top: ArchivedObject { ArchivedObject(storage: storage, number: storage.top, index: -1) }

  /// The one root of a usual archive, where it is an object with fields.
  package var root: ArchivedObject? { rootValue?.object }

  /// The one root of a usual archive, which may be a plain string or number too.
  package var rootValue: ArchivedValue? { top["root"] }

  /// Whether these bytes are a binary property list with an archiver's name at the top. Looks at the outermost
  /// dictionary only.
  package static func isKeyedArchive(_ bytes: [UInt8]) -> Bool {
    guard let parser = try? BinaryPropertyListParser(bytes) else { return false }
    return parser.topHas(key: "$archiver")
  }
}

/// A keyed archive's objects in flat arrays, made in one pass: looking up a field is one hash of its name and a
/// walk over the object's few keys as integers.
final class KeyedArchiveStorage: Sendable {
  let file: BinaryPropertyListFile
  /// The file's object number of each element of `$objects`.
  let objects: [Int]
  /// The file's object number of `$top`.
  let top: Int
  let fields: ArchivedFieldTable

  /// For every object number: which class a dictionary is of, or -1.
  private let classOfObject: [Int32]
  private let classes: [[String]]

  init(_ file: BinaryPropertyListFile) throws(ArchiveError) {
    let fields = try ArchivedFieldTable(file)
    guard fields.value(of: "$archiver", in: file.top) != nil,
      let list = fields.value(of: "$objects", in: file.top),
      let top = fields.value(of: "$top", in: file.top),
      case .array(let references) = file.objects[list], case .dictionary = file.objects[top]
    else { throw ArchiveError("the property list isn't a keyed archive") }
    let objects = file.numbers(references)
    try Self.refuseExplosion(file, objects: objects, fields: fields)
    var classes = ArchivedClassTable(file: file, objects: objects, fields: fields)
    classOfObject = classes.classOfObject()
    self.classes = classes.chains
    self.file = file
    self.objects = objects
    self.top = top
    self.fields = fields
  }

  /// The names of a dictionary's class and its superclasses, the class first.
  func classNames(of number: Int) -> [String] {
    let identifier = classOfObject[number]
    return identifier < 0 ? [] : classes[Int(identifier)]
  }

  /// Lists that many objects share can make the way over all objects quadratic in the file's size. No archiver
  /// writes such files.
  private static func refuseExplosion(
    _ file: BinaryPropertyListFile, objects: [Int], fields: ArchivedFieldTable
  ) throws(ArchiveError) {
    var budget = 65_536 + 4 * file.bytes.count
    for number in objects {
      for position in fields.range(of: number) {
        budget -= 1
        if case .array(let references) = file.objects[fields.field(at: position).number] {
          budget -= references.count
        }
        guard budget >= 0 else {
          throw ArchiveError("the keyed archive expands to far more than its own size")
        }
      }
    }
  }
}

/// The classes of a keyed archive's objects. A field `$class` refers to a dictionary with the class's name and
/// those of its superclasses.
struct ArchivedClassTable {
  /// The classes: each one's name, followed by those of its superclasses.
  private(set) var chains: [[String]] = []

  private let file: BinaryPropertyListFile
  private let objects: [Int]
  private let fields: ArchivedFieldTable
  private var identifiers: [Int: Int32] = [:]

  // Apple's deepest chains have some ten classes.
  private static let chainLimit = 64

  init(file: BinaryPropertyListFile, objects: [Int], fields: ArchivedFieldTable) {
    self.file = file
    self.objects = objects
    self.fields = fields
  }

  /// For every object number the place of its class in `chains`, or -1.
  mutating func classOfObject() -> [Int32] {
    file.objects.indices.map { number in
      guard case .dictionary = file.objects[number], let field = fields.value(of: "$class", in: number),
        case .uid(let uid) = file.objects[field], uid < UInt64(objects.count)
      else { return -1 }
      return identifier(of: objects[Int(uid)])
    }
  }

  private mutating func identifier(of number: Int) -> Int32 {
    if let identifier = identifiers[number] { return identifier }
    let chain = chain(number)
    let identifier = chain.isEmpty ? -1 : Int32(chains.count)
    if !chain.isEmpty { chains.append(chain) }
    identifiers[number] = identifier
    return identifier
  }

  private func chain(_ number: Int) -> [String] {
    var names: [String] = []
    if let field = fields.value(of: "$classes", in: number), case .array(let references) = file.objects[field]
    {
      for index in 0..<min(references.count, Self.chainLimit) {
        if case .string(let name) = file.objects[file.number(index, of: references)] { names.append(name) }
      }
    }
    guard let field = fields.value(of: "$classname", in: number), case .string(let name) = file.objects[field]
    else { return names }
    return names.first == name ? names : [name] + names
  }
}

/// The keys and values of all dictionaries of a keyed archive, one dictionary behind the other.
struct ArchivedFieldTable: Sendable {
  /// For every object number: where its fields begin; they end where those of the next number do.
  private var starts: [Int32] = []
  private var keys: [Int32] = []
  private var values: [Int32] = []
  private var names: [String] = []
  private var identifiers: [String: Int32] = [:]

  init(_ file: BinaryPropertyListFile) throws(ArchiveError) {
    // No table is longer than the file is.
    guard file.bytes.count < Int32.max else { throw ArchiveError("the keyed archive is larger than 2 GiB") }
    var identifierOfObject = [Int32](repeating: -1, count: file.objects.count)
    starts.reserveCapacity(file.objects.count + 1)
    for object in file.objects {
      starts.append(Int32(keys.count))
      guard case .dictionary(let keys, let values) = object else { continue }
      for index in 0..<keys.count {
        let key = file.number(index, of: keys)
        if identifierOfObject[key] < 0 {
          guard case .string(let name) = file.objects[key] else {
            throw ArchiveError("the keyed archive has a key that isn't a string")
          }
          identifierOfObject[key] = identifier(of: name)
        }
        self.keys.append(identifierOfObject[key])
        self.values.append(Int32(file.number(index, of: values)))
      }
    }
    starts.append(Int32(keys.count))
  }

  /// The object number under that key of a dictionary.
  func value(of key: String, in number: Int) -> Int? {
    guard let identifier = identifiers[key] else { return nil }
    for position in range(of: number) where keys[position] == identifier { return Int(values[position]) }
    return nil
  }

  /// Positions of a dictionary's fields.
  func range(of number: Int) -> Range<Int> { Int(starts[number])..<Int(starts[number + 1]) }

  func field(at position: Int) -> (key: String, number: Int) {
    (names[Int(keys[position])], Int(values[position]))
  }

  private mutating func identifier(of name: String) -> Int32 {
    if let identifier = identifiers[name] { return identifier }
    let identifier = Int32(names.count)
    names.append(name)
    identifiers[name] = identifier
    return identifier
  }
}
