import SQLite
import StoreModel

extension Mirror {
  /// The record name that the store has for what somebody typed: exactly that, or else the first in any case, as
  /// UUIDs are read and copied in both. Nil where there is none.
  package func recordName(like word: String) throws -> String? {
    guard let view = views.records else { return nil }
    for collation in ["BINARY", "NOCASE"] {
      let name = try store.connection.first(
        "SELECT recordName FROM (\(view.select(["row", "recordName"]))) WHERE recordName = ? COLLATE \(collation) ORDER BY row LIMIT 1",
        [.text(word)]
      ) { $0.optionalText(0) }
      if let name { return name }
    }
    return nil
  }
}

extension RecordReader {
  package init(_ mirror: Mirror, filter: RecordFilter = RecordFilter(), decodesArchives: Bool = false) {
    self.init(mirror.store, mirror.views, filter, decodesArchives: decodesArchives)
  }
}
