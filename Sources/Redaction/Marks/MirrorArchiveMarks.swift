import Archives
import Base
import Lens

/// The mirror's archives with the same structure and state and other values.
struct MirrorArchiveMarks {
  /// Records above this keep their exact size, as the doctor looks at those that CloudKit may not take.
  private static let sizeKept = 100_000
  /// What an archive may unpack to.
  private static let limit = 64 << 20

  private let marks: ValueMarks

  init(_ marks: ValueMarks) { self.marks = marks }

  /// Tokens, hashes of models, and whatever else the mirror archives.
  func archive(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    Self.versionHashes(Array(bytes)) ?? marks.data(bytes)
  }

  /// Names of entities with hashes of their definitions are structure; archived again, as the archive may hold more.
  /// Nil for anything else.
  private static func versionHashes(_ bytes: [UInt8]) -> [UInt8]? {
    guard let hashes = (try? VersionHashes(archive: bytes))?.byEntity, !hashes.isEmpty,
      hashes.allSatisfy({ name, hash in
        hash.count == 32
          && name.utf8.allSatisfy { Character(UnicodeScalar($0)).isLetter || $0 == 0x5F || isDigit($0) }
      })
    else { return nil }
    var objects: [PropertyList] = [.string("$null")]
    for (name, hash) in hashes.sorted(by: { $0.key < $1.key }) { objects += [.string(name), .data(hash)] }
    // The dictionary comes behind its entries, and its class behind it.
    let dictionary = UInt64(objects.count)
    func references(from first: UInt64) -> PropertyList {
      .array(stride(from: first, to: dictionary, by: 2).map { .uid($0) })
    }
    objects += [
      [
        "$class": .uid(dictionary + 1), "NS.keys": references(from: 1), "NS.objects": references(from: 2),
      ],
      [
        "$classname": .string("NSDictionary"),
        "$classes": .array([.string("NSDictionary"), .string("NSObject")]),
      ],
    ]
    return BinaryPropertyList.write(keyedArchive(top: ["root": .uid(dictionary)], objects))
  }

  /// As NSKeyedArchiver writes it.
  private static func keyedArchive(top: PropertyList, _ objects: [PropertyList]) -> PropertyList {
    [
      "$version": .integer(100_000), "$archiver": .string("NSKeyedArchiver"), "$top": top,
      "$objects": .array(objects),
    ]
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// A record, its system fields, or a share. Packed ones stay packed, though nothing is compressed any more.
  func record(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let stored = Array(bytes)
    guard LZFSE.recognizes(stored) else { return unpackedRecord(stored) ?? marks.noise(bytes) }
    if let plain = try? LZFSE.decode(stored, limit: Self.limit), let record = unpackedRecord(plain) {
      return LZFSE.stored(record)
    }
    let noise = marks.noise(bytes)
    guard let size = try? LZFSE.announcedSize(stored), (Self.sizeKept...Self.limit).contains(size) else {
      return noise
    }
    return LZFSE.stored(noise + repeatElement(0, count: size - noise.count))
  }

  /// Nil where it is no archive.
  private func unpackedRecord(_ bytes: [UInt8]) -> [UInt8]? {
    guard KeyedArchive.isKeyedArchive(bytes),
      let record = ArchiveMarks(marks, content: .record).propertyList(bytes)
    else { return nil }
    guard bytes.count >= Self.sizeKept else { return record }
    let list = record.count < bytes.count ? try? BinaryPropertyList.read(record) : nil
    return Self.padded(list ?? Self.emptyArchive, to: bytes.count)
  }

  private static let emptyArchive = keyedArchive(top: [:], [.string("$null")])

  /// Adds an entry that nobody reads, so long that the whole comes to that size.
  private static func padded(_ list: PropertyList, to size: Int) -> [UInt8] {
    let entries = list.dictionary?.entries ?? []
    var padding = size - BinaryPropertyList.write(list).count
    var bytes: [UInt8] = []
    // Numbers in the file may get wider with what is added.
    for _ in 0..<8 where padding >= 0 {
      let data = PropertyList.data([UInt8](repeating: 0, count: padding))
      bytes = BinaryPropertyList.write(
        .dictionary(PropertyListDictionary(entries + [.init("padding", data)])))
      if bytes.count == size { break }
      padding += size - bytes.count
    }
    return bytes
  }
}
