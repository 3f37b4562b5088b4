package import Base

/// Property lists in Apple's binary form, `bplist00`.
package enum BinaryPropertyList {
  /// Reads a whole list. Throws where it is damaged, contains itself, nests deeper than 128 levels, or would
  /// expand to far more than its own size because its parts share each other.
  package static func read(_ bytes: [UInt8]) throws(ArchiveError) -> PropertyList {
    let file = try BinaryPropertyListFile(bytes)
    var assembler = BinaryPropertyListAssembler(file)
    return try assembler.tree(file.top, depth: 0).list
  }
}

/// Makes the tree of a file's objects. Objects that are referred to several times are made once.
private struct BinaryPropertyListAssembler {
  struct Tree {
    var list: PropertyList
    /// Values and bytes that one meets on walking the whole tree.
    var weight: Int
    var height: Int
  }

  private static let depthLimit = 128

  private let file: BinaryPropertyListFile
  private let weightLimit: Int
  private var done: [Tree?]
  private var open: [Bool]

  init(_ file: BinaryPropertyListFile) {
    self.file = file
    weightLimit = 1_000_000 + file.bytes.count
    done = Array(repeating: nil, count: file.objects.count)
    open = Array(repeating: false, count: file.objects.count)
  }

  mutating func tree(_ number: Int, depth: Int) throws(ArchiveError) -> Tree {
    if let tree = done[number] {
      try check(depth: depth + tree.height)
      return tree
    }
    guard !open[number] else {
      throw ArchiveError("object \(number) of the binary property list contains itself")
    }
    try check(depth: depth)
    open[number] = true
    let tree = try make(number, depth: depth)
    open[number] = false
    done[number] = tree
    return tree
  }

  private func check(depth: Int) throws(ArchiveError) {
    guard depth <= Self.depthLimit else {
      throw ArchiveError("the binary property list nests deeper than \(Self.depthLimit) levels")
    }
  }

  private mutating func make(_ number: Int, depth: Int) throws(ArchiveError) -> Tree {
    switch file.objects[number] {
    case .null: return Tree(list: .null, weight: 1, height: 0)
    case .bool(let value): return Tree(list: .bool(value), weight: 1, height: 0)
    case .integer(let value): return Tree(list: .integer(value), weight: 1, height: 0)
    case .unsigned(let value): return Tree(list: .unsigned(value), weight: 1, height: 0)
    case .real(let value): return Tree(list: .real(value), weight: 1, height: 0)
    case .date(let value): return Tree(list: .date(value), weight: 1, height: 0)
    case .uid(let value): return Tree(list: .uid(value), weight: 1, height: 0)
    case .string(let value): return Tree(list: .string(value), weight: 1 + value.utf8.count, height: 0)
    case .data(let range):
      return Tree(list: .data(Array(file.bytes[range])), weight: 1 + range.count, height: 0)
    case .array(let references):
      let (elements, weight, height) = try trees(references, depth: depth)
      return Tree(list: .array(elements), weight: weight, height: height)
    case .set(let references):
      let (elements, weight, height) = try trees(references, depth: depth)
      return Tree(list: .set(elements), weight: weight, height: height)
    case .dictionary(let keys, let values):
      var names: [String] = []
      names.reserveCapacity(keys.count)
      for index in 0..<keys.count {
        guard case .string(let name) = file.objects[file.number(index, of: keys)] else {
          throw ArchiveError("object \(number) of the binary property list has a key that isn't a string")
        }
        names.append(name)
      }
      let (elements, weight, height) = try trees(values, depth: depth)
      let entries = zip(names, elements).map { PropertyListDictionary.Entry($0, $1) }
      return Tree(list: .dictionary(PropertyListDictionary(entries)), weight: weight, height: height)
    }
  }

  private mutating func trees(
    _ references: BinaryObject.References, depth: Int
  ) throws(ArchiveError) -> (elements: [PropertyList], weight: Int, height: Int) {
    var elements: [PropertyList] = []
    elements.reserveCapacity(references.count)
    var weight = 1
    var height = 0
    for index in 0..<references.count {
      let child = try tree(file.number(index, of: references), depth: depth + 1)
      elements.append(child.list)
      weight += child.weight
      height = max(height, child.height + 1)
      guard weight <= weightLimit else {
        throw ArchiveError("the binary property list expands to far more than its own size")
      }
    }
    return (elements, weight, height)
  }
}

/// The layers of a binary property list that need no tree: trailer, offset table, and every object decoded on
/// its own. The format is described at the head of
/// https://github.com/swiftlang/swift-corelibs-foundation/blob/main/Sources/CoreFoundation/CFBinaryPList.c
///
/// All offsets and counts are checked here, so that whoever walks the objects need only care for cycles.
package struct BinaryPropertyListFile: Sendable {
  package let bytes: [UInt8]
  package let objects: [BinaryObject]
  /// The number of the object that all others hang on.
  package let top: Int
  private let referenceSize: Int

  package init(_ bytes: [UInt8]) throws(ArchiveError) {
    let parser = try BinaryPropertyListParser(bytes)
    self.bytes = bytes
    top = parser.top
    referenceSize = parser.referenceSize
    objects = try parser.objects()
  }

  /// The number of an object that a container holds; always that of an existing object.
  package func number(_ index: Int, of references: BinaryObject.References) -> Int {
    precondition(index >= 0 && index < references.count)
    let offset = references.offset + index * referenceSize
    return BinaryPropertyListParser.number(bytes, at: offset, size: referenceSize)
  }

  package func numbers(_ references: BinaryObject.References) -> [Int] {
    (0..<references.count).map { number($0, of: references) }
  }
}

/// One object of a binary property list, with its children still as references.
package enum BinaryObject: Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case unsigned(UInt64)
  case real(Double)
  case date(CoreDataDate)
  case string(String)
  /// A range of the file's bytes.
  case data(Range<Int>)
  case uid(UInt64)
  case array(References)
  case set(References)
  /// The references of the keys, and directly behind them those of the values.
  case dictionary(keys: References, values: References)

  /// A run of object numbers in the file.
  package struct References: Sendable {
    var offset: Int
    package var count: Int
  }
}
