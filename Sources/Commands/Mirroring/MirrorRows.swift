import Lens
import Rendering
import Values

extension RowStream {
  /// Rows made of objects that have these members, or some of them.
  init(
    names: [String], emptyText: String = "(none)", count: @escaping () throws -> Int? = { nil },
    produce: @escaping (any RowSink) throws -> Void
  ) {
    self.init(columns: names.map { Column($0) }, emptyText: emptyText, count: count, produce: produce)
  }
}

extension RowSink {
  /// One row from an object's members; false when no more are wanted.
  func push(_ object: DataValue, columns: [String]) throws -> Bool {
    beginRow()
    for column in columns {
      if let cell = object[column] { value(cell) } else { skip() }
    }
    return try endRow()
  }
}

extension DataValue {
  /// Sets an object's member, at the end where it is a new one.
  mutating func replace(_ name: String, with value: DataValue) {
    guard case .object(var members) = self else { return }
    if let index = members.firstIndex(where: { $0.name == name }) {
      members[index].value = value
    } else {
      members.append(Member(name, value))
    }
    self = .object(members)
  }
}

extension MirrorRecord {
  /// All members that a record may have; the last ones only where its copy was decoded.
  static let columns = [
    "recordName", "zone", "entity", "pk", "uri", "state", "needsUpload", "needsCloudDelete", "acknowledged",
    "lastExported", "pendingExport", "objectExists", "recordType", "fields", "changeTag", "created",
    "modified",
    "problem",
  ]

  /// `Person/p12`
  var objectText: String {
    guard let objectKey else { return "" }
    return "\(entity ?? entityNumber.map { "entity \($0)" } ?? "?")/p\(objectKey)"
  }
}
