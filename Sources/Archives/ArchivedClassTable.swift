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
