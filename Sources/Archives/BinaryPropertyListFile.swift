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
