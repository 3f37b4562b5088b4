import TestSupport

/// What iCloud holds of the store's zone.
final class Server {
  struct Record: Equatable {
    var entity: Int64
    var value: String?
  }

  /// By record name.
  var records: [String: Record] = [:]
  /// Names of the join records.
  var links: Set<String> = []
  /// Names of the records that were uploaded or deleted, in order.
  var uploaded: [String] = []
  var deleted: [String] = []

  init() {}

  /// What the exports so far have left there.
  init(_ content: StoreContent) {
    for row in content.rows("ANSCKRECORDMETADATA") {
      let entity = row.number("ZENTITYID")
      let object = ["ZPERSON", "ZTAG", "ZNOTE"].lazy.flatMap { content.rows($0) }.first {
        $0.number("Z_ENT") == entity && $0.number("Z_PK") == row.number("ZENTITYPK")
      }
      records[row.string("ZCKRECORDNAME") ?? ""] = Record(entity: entity, value: object?.string("ZNAME"))
    }
    links = Set(content.rows("ANSCKMIRROREDRELATIONSHIP").compactMap { $0.string("ZCKRECORDID") })
  }

  func empty() {
    records = [:]
    links = []
  }

  /// Values that several records have.
  var doubles: [String] {
    Dictionary(grouping: records.values.compactMap(\.value)) { $0 }.filter { $0.value.count > 1 }.keys
      .sorted()
  }
}
