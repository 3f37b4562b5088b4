import CloudKitMirror
import QueryCatalog
import SQLite
import StoreModel
import Values

/// Runs a rule that is a query.
struct QueryRule {
  let rule: Rule
  let query: SavedQuery

  /// Parameters that every rule's query may use: `:now` and `:last_sign` (seconds as Core Data counts them), `:token`
  /// (the last analysed transaction, or 0) and `:uuid` (the store's).
  func run(_ examination: Examination, _ findings: inout FindingCollector, step: () -> Void) throws {
    let statement = try examination.store.connection.prepare(query.sql)
    for (index, name) in statement.parameterNames.enumerated() {
      try statement.bind(value(String(name?.dropFirst() ?? ""), examination), at: index + 1)
    }
    let names = statement.columnNames
    let uri = names.firstIndex(of: "uri")
    let subject = names.firstIndex(of: "subject")
    while try statement.step() {
      step()
      let members = names.indices.compactMap { index in
        index == subject ? nil : DataValue.Member(names[index], statement.dataValue(index))
      }
      if let object = uri.flatMap(statement.optionalText) {
        findings.add(object: object, members)
        continue
      }
      // All values only where nothing else tells the findings apart: they take longer than all the rest.
      findings.add(
        subject: subject.map(statement.text) ?? members.map { "\($0.value)" }.joined(separator: "\u{1}"),
        members)
    }
  }

  private func value(_ name: String, _ examination: Examination) -> SQLiteValue {
    switch name {
    case "now": .real(examination.clock.now.seconds)
    case "last_sign": .real(examination.clock.lastSign.seconds)
    case "token": .integer(examination.mirror?.token.analysedUpTo ?? 0)
    case "uuid": .text(examination.store.uuid)
    default: .real(examination.setting(name, of: rule.header))
    }
  }
}

extension Statement {
  /// A cell for people and JSON; of blobs only what tells them apart.
  fileprivate func dataValue(_ index: Int) -> DataValue {
    switch value(index) {
    case .null: .null
    case .integer(let number): .integer(number)
    case .real(let number): .real(number)
    case .text(let text): .text(text)
    case .blob(let bytes): .text("\(bytes.count) bytes")
    }
  }
}
