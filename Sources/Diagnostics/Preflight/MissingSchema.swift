import StoreModel
import Values

extension SchemaDiscrepancy {
  /// How to bring back what is missing, in sentences; nil if there is no SQL for it.
  static func creation(_ statements: [String], atMost limit: Int = .max) -> String? {
    guard !statements.isEmpty else { return nil }
    let more = statements.count - limit
    let rest = more > 0 ? " and \(Sentence.count(more, "more statement")), in the reasons below" : ""
    return
      "With the app closed, this SQL brings back what is missing, without its values: \(statements.prefix(limit).map { $0 + ";" }.joined(separator: " "))\(rest)"
  }
}
