import Base
import StoreModel

/// Object URIs as the copy has them: entity and key are structure and stay, the store's identifier is another.
struct URIMarks {
  private let marks: Marks
  /// Names that are in the store's own model, or the framework's.
  private let entities: Set<String>

  init(_ marks: Marks, entities: Set<String>) {
    self.marks = marks
    self.entities = entities
  }

  /// The identifier of a store, this one or another; empty stays empty.
  func store(_ identifier: String) -> String {
    guard !identifier.isEmpty else { return "" }
    return marks.uuid(identifier) ?? marks.mark(identifier.uppercased(), kind: "store")
  }

  /// Every object URI in a value, as it is there, in the order in which the doctor finds them.
  static func uris(in bytes: UnsafeRawBufferPointer) -> [(text: String, uri: ObjectURI)] {
    guard URIScanner.mayFind(in: bytes) else { return [] }
    var found: [(String, ObjectURI)] = []
    try? URIPlaces.find(in: bytes) { _, text, uri in found.append((text, uri)) }
    return found
  }

  /// Whether a text is an object URI and nothing more, as Core Data writes one: with its store in capitals. The same
  /// store in small letters gets the same mark, which a unique index wouldn't have twice.
  static func isOne(_ text: String, _ found: [(text: String, uri: ObjectURI)]) -> Bool {
    guard found.count == 1, let (whole, uri) = found.first.map({ ($0.text, $0.uri) }) else { return false }
    return whole == text && uri.storeUUID == uri.storeUUID.uppercased()
  }

  /// The URIs that take the place of those.
  func marked(_ found: [(text: String, uri: ObjectURI)]) -> [String] { found.map { marked($0.text, $0.uri) } }

  private func marked(_ text: String, _ uri: ObjectURI) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 5 else { return "" }
    let entity = entities.contains(uri.entity) ? String(parts[3]) : marks.mark(uri.entity, kind: "Entity")
    return "x-coredata://\(store(uri.storeUUID))/\(entity)/\(key(String(parts[4])))"
  }

  /// `p12`; or `t`, the UUID of a process and a counter without anything between.
  private func key(_ key: String) -> String {
    guard key.hasPrefix("t") else { return key }
    let process = String(key.dropFirst().prefix(36))
    return "t\(marks.uuid(inPlaceOf: process, kind: "process"))\(key.dropFirst(37))"
  }
}
