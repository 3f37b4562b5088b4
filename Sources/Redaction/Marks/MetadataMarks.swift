import Archives
import Lens
import StoreModel

/// The property list of a store's metadata: what Core Data keeps there stays, the app's own keys and values are
/// replaced.
struct MetadataMarks {
  private let marks: ValueMarks

  init(_ marks: ValueMarks) { self.marks = marks }

  func propertyList(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    guard let list = (try? BinaryPropertyList.read(Array(bytes)))?.dictionary else {
      return marks.noise(bytes)
    }
    let archives = ArchiveMarks(marks)
    let entries = list.entries.map { entry -> PropertyListDictionary.Entry in
      if StoreMetadata.frameworkKeys.contains(entry.key) { return entry }
      let key = MetadataKey.known.contains(entry.key) ? entry.key : self.key(entry.key)
      let value = archives.value(entry.value)
      // As with all data: what the doctor finds in the one it must find in the other.
      let found = Self.uris(in: entry.value)
      let expected = marks.uris.marked(found)
      if Self.uris(in: value).map(\.text) == expected { return .init(key, value) }
      return .init(key, .string(expected.joined(separator: " ")))
    }
    return BinaryPropertyList.write(.dictionary(PropertyListDictionary(entries)))
  }

  /// Two keys may not become one, however short they are.
  private func key(_ key: String) -> String {
    Array(key.utf8).withUnsafeBytes { marks.text($0, isUnique: true) }
  }

  private static func uris(in value: PropertyList) -> [(text: String, uri: ObjectURI)] {
    BinaryPropertyList.write(value).withUnsafeBytes { URIMarks.uris(in: $0) }
  }
}
