import SQLite
import Values

/// The columns that a reader asks of a view, so that it reads their cells by name. Raw values count from 0.
protocol ReadColumn: CaseIterable, RawRepresentable<Int> {}

extension ReadColumn {
  static var names: [String] { allCases.map { "\($0)" } }
}

extension Statement {
  func isNull(_ column: some ReadColumn) -> Bool { isNull(column.rawValue) }
  func integer(_ column: some ReadColumn) -> Int64 { integer(column.rawValue) }
  func optionalInteger(_ column: some ReadColumn) -> Int64? { optionalInteger(column.rawValue) }
  func flag(_ column: some ReadColumn) -> Bool { integer(column.rawValue) == 1 }
  func date(_ column: some ReadColumn) -> CoreDataDate? {
    optionalReal(column.rawValue).map(CoreDataDate.init(seconds:))
  }
  func text(_ column: some ReadColumn) -> String { text(column.rawValue) }
  func optionalText(_ column: some ReadColumn) -> String? { optionalText(column.rawValue) }
  func optionalName(_ column: some ReadColumn) -> String? { optionalName(column.rawValue) }
  func optionalBytes(_ column: some ReadColumn) -> [UInt8]? { optionalBytes(column.rawValue) }
}
