import Archives
import StoreModel

/// The property list of a store's metadata: what Core Data keeps there stays, the app's own values are replaced.
struct MetadataMarks {
  private let marks: ValueMarks

  init(_ marks: ValueMarks) { self.marks = marks }

  func propertyList(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    guard let list = (try? BinaryPropertyList.read(Array(bytes)))?.dictionary else {
      return marks.noise(bytes)
    }
    let archives = ArchiveMarks(marks)
    let entries = list.entries.map { entry -> PropertyListDictionary.Entry in
      if StoreMetadata.isFrameworkKey(entry.key) { return entry }
      let value = archives.value(entry.value)
      // As with all data: what the doctor finds in the one it must find in the other.
      let found = Self.uris(in: entry.value)
      let expected = marks.uris.marked(found)
      if Self.uris(in: value).map(\.text) == expected { return .init(entry.key, value) }
      return .init(entry.key, .string(expected.joined(separator: " ")))
    }
    return BinaryPropertyList.write(.dictionary(PropertyListDictionary(entries)))
  }

  private static func uris(in value: PropertyList) -> [(text: String, uri: ObjectURI)] {
    BinaryPropertyList.write(value).withUnsafeBytes { URIMarks.uris(in: $0) }
  }
}
