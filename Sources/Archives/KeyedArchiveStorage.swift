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
    else { throw ArchiveError("the property list is no keyed archive") }
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
