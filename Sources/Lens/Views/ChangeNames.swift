package import Base
package import SQLite
package import StoreModel

/// Puts the model's names to changes. Keeps what it worked out, as history repeats itself.
package final class ChangeNames {
  /// What an update's mask says. One for all changes that say the same.
  package final class Properties {
    /// The model's names, in the mask's order.
    package let names: [String]
    /// Those of them that may be wrong, and in words what has no name in the model.
    package let unsure: [String]
    package let namesValue: DataValue
    package let unsureValue: DataValue

    init(names: [String], unsure: [String]) {
      (self.names, self.unsure) = (names, unsure)
      namesValue = .array(names.map(DataValue.text))
      unsureValue = unsure.isEmpty ? .null : .array(unsure.map(DataValue.text))
    }

    /// For people: a question mark behind what isn't sure.
    package var text: String {
      (names.map { unsure.contains($0) ? $0 + "?" : $0 } + unsure.filter { !names.contains($0) })
        .joined(separator: ", ")
    }
  }

  private struct MaskKey: Hashable {
    var entity: Int64
    var mask: [UInt8]
  }

  private let store: CoreDataStore
  private var masks: [Int64: ChangeMask] = [:]
  private var tombstones: [Int64: [(attribute: SchemaAttribute, decoder: CellDecoder)]] = [:]
  private var properties: [MaskKey: Properties?] = [:]
  /// Of the change before, which is mostly like the next one.
  private var last: (key: MaskKey, properties: Properties?)?
  /// A hostile store could have every mask there is.
  private static let cachedMasks = 10_000

  package init(_ store: CoreDataStore) { self.store = store }

  /// What an update changed; nil for other changes, and where the mask can't be read.
  func properties(of change: HistoryChange, mask: UnsafeRawBufferPointer) -> Properties? {
    guard change.kind == .update else { return nil }
    let entity = change.entity ?? 0
    if let last, last.key.entity == entity, mask.elementsEqual(last.key.mask) { return last.properties }
    let key = MaskKey(entity: entity, mask: Array(mask))
    let found = properties(of: key)
    last = (key, found)
    return found
  }

  package func properties(entity number: Int64, mask: [UInt8]) -> Properties? {
    properties(of: MaskKey(entity: number, mask: mask))
  }

  private func properties(of key: MaskKey) -> Properties? {
    if let known = properties[key] { return known }
    var result: Properties?
    if let decoded = mask(of: key.entity)?.decode(key.mask), decoded.problem == nil {
      result = Properties(
        names: decoded.properties,
        unsure: decoded.properties.filter { masksAreNoisy || decoded.unsure.contains($0) } + decoded.unnamed)
    }
    if properties.count < Self.cachedMasks { properties[key] = result }
    return result
  }

  /// The first generation of history marks unlikely sets of properties (measured on a store of framework 851).
  private var masksAreNoisy: Bool { store.metadata.frameworkVersion.map { $0 < 973 } ?? false }

  /// The values kept of a deleted object, by attribute; null where nothing was kept.
  package func tombstone(of change: HistoryChange, _ cells: @autoclosure () -> [Cell]) -> DataValue {
    change.kind == .delete ? tombstone(entity: change.entity ?? 0, cells()) : .null
  }

  func tombstone(entity: Int64, _ cells: [Cell]) -> DataValue {
    let attributes = tombstoneAttributes(of: entity)
    var members: [DataValue.Member] = []
    for (index, cell) in cells.enumerated() where cell.type != .null {
      if index < attributes.count {
        members.append(.init(attributes[index].attribute.path, attributes[index].decoder.value(cell)))
      } else {
        members.append(.init("ZTOMBSTONE\(index)", CellDecoder.plain.value(cell)))
      }
    }
    return members.isEmpty ? .null : .object(members)
  }

  private func mask(of number: Int64) -> ChangeMask? {
    if let mask = masks[number] { return mask }
    // Names guessed from columns say nothing about a mask's order.
    guard !store.schema.isGuessed, let entity = store.schema[number] else { return nil }
    let mask = ChangeMask(entity, in: store.schema)
    masks[number] = mask
    return mask
  }

  private func tombstoneAttributes(of number: Int64) -> [(attribute: SchemaAttribute, decoder: CellDecoder)] {
    if let known = tombstones[number] { return known }
    let attributes = store.schema[number].map { TombstoneNames.attributes(of: $0, in: store.schema) } ?? []
    let decoders = attributes.map { (attribute: $0, decoder: CellDecoder($0, files: store.externalFiles)) }
    tombstones[number] = decoders
    return decoders
  }
}
