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
            throw ArchiveError("the keyed archive has a key that is no string")
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
