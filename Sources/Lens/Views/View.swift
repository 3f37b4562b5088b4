package import Base
import SQLite

/// A named question about a store: what its rows are, where they come from, and its columns. SQL, readers in Swift,
/// help, documentation and completion all take their columns from the one list here.
package struct View: Sendable {
  /// What a cell of a column holds, as SQL shows it.
  package enum ColumnType: String, Sendable, CaseIterable {
    case integer, real, text, json, blob, uri
    /// 0 or 1.
    case bool
    /// In UTC, always as long; NULL if the stored number is no date of the years 1 to 9999. Comparisons follow time: see
    /// `DateOrder`.
    case date
    case uuid
    /// Whatever the row's kind says.
    case any

    fileprivate init(_ shape: Shape) {
      self =
        switch shape {
        case .integer: .integer
        case .number: .real
        case .bool: .bool
        case .date: .date
        case .uuid: .uuid
        case .uri: .uri
        case .list, .object, .map: .json
        case .any: .any
        default: .text
        }
    }
  }

  package struct Column: Sendable {
    package var name: String
    package var type: ColumnType
    /// A clause without a full stop.
    package var meaning: String
    /// As the store has it: a date's seconds, a UUID's bytes.
    var stored: String
    /// False for what only readers in Swift take.
    var isShown: Bool
    private var openness = Openness.withheld

    package init(
      _ name: String, _ type: ColumnType, _ meaning: String, _ stored: String, isShown: Bool = true
    ) {
      self.name = name
      self.type = type
      self.meaning = meaning
      self.stored = stored
      self.isShown = isShown
    }

    /// A column that a kind of row has, too: type and meaning are those of the row's field of that name.
    package init(_ name: String, of keys: [Shape.Key], _ stored: String) {
      guard let key = keys.first(where: { $0.name == name }) else { preconditionFailure("no field \(name)") }
      self.init(
        name, ColumnType(key.shape.present), key.meaning.replacing("null", with: "NULL"), stored)
    }

    /// What of a column SQL sees while values are withheld.
    private enum Openness {
      /// There is no such column. So it is with each that isn't said to be open.
      case withheld
      case open
      case name(CellKind)
      case instead(String)
    }

    /// Holds no value, but structure, state or a count, which redacted copies keep.
    var open: Column { with(.open) }

    /// Holds a name, which may be shown or gets a mark.
    func named(_ kind: CellKind) -> Column { with(.name(kind)) }

    /// Holds a text of which this part has no values.
    func opened(as sql: String) -> Column { with(.instead(sql)) }

    private func with(_ openness: Openness) -> Column {
      var column = self
      column.openness = openness
      return column
    }

    /// What is there while values are withheld; nil for nothing. A column for numbers can hold a text all the same, which
    /// then is a value; a primary key can't, and is looked up by its index.
    fileprivate var openly: String? {
      switch openness {
      case .withheld: nil
      case .open where [.integer, .real, .bool].contains(type) && !stored.hasSuffix("Z_PK"):
        "CAST(IIF(typeof(\(stored)) IN ('integer', 'real'), \(stored), NULL) AS NUMERIC)"
      case .open: shown
      case .name(let kind): ShownNames.sql(kind, stored)
      case .instead(let sql): sql
      }
    }

    /// The same without a value: what SQL may do with the column depends on its type.
    fileprivate var empty: String {
      switch type {
      case .date: "CAST(NULL AS TEXT) COLLATE \(DateOrder.name)"
      default: if case .name(let kind) = openness { "NULL COLLATE \(kind.collation)" } else { "NULL" }
      }
    }

    fileprivate var shown: String {
      switch type {
      case .date: DateOrder.sql(stored)
      case .uuid: "uuid_text(\(stored)) COLLATE \(ObjectNames.uuidOrder)"
      default: stored
      }
    }

    fileprivate func sql(_ expression: String) -> String { "\(expression) AS \(quotedIdentifier(name))" }
  }

  package let name: String
  /// One row per what; a clause.
  package let rows: String
  private let all: [Column]
  /// What stands behind `FROM`, conditions included.
  private let source: String

  package init(_ name: String, rows: String, _ columns: [Column], from source: String) {
    self.name = name
    self.rows = rows
    all = columns
    self.source = source
  }

  /// What SQL sees.
  package var columns: [Column] { all.filter(\.isShown) }

  /// Everything that SQL sees.
  var sql: String {
    "SELECT \(columns.map { $0.sql($0.shown) }.joined(separator: ",\n  "))\nFROM \(source)"
  }

  /// All of it as the store has it: a part of another view.
  package var stored: String {
    "SELECT \(all.map { $0.sql($0.stored) }.joined(separator: ", ")) FROM \(source)"
  }

  var creation: String { "CREATE TEMP VIEW IF NOT EXISTS \(quotedIdentifier(name)) AS \(sql)" }

  /// What SQL sees while values are withheld.
  var openColumns: [Column] { columns.filter { $0.openly != nil } }

  /// The view with its open columns.
  var openCreation: String { creation { $0.openly } + " FROM \(source)" }

  /// A view without rows that has the same names.
  var emptyCreation: String { creation { $0.empty } }

  private func creation(_ expression: (Column) -> String?) -> String {
    let listed = openColumns.compactMap { column in expression(column).map(column.sql) }
    return "CREATE TEMP VIEW \(quotedIdentifier(name)) AS SELECT \(listed.joined(separator: ", "))"
  }

  var removal: String { "DROP VIEW IF EXISTS temp.\(quotedIdentifier(name))" }

  /// Some of its columns for a reader in Swift, as the store has them; what stands behind may name any of these.
  /// A column that the view doesn't have makes the statement fail.
  package func select(_ names: [String], _ behind: String = "") -> String {
    let wanted = all.filter { names.contains($0.name) }.map { $0.sql($0.stored) }.joined(separator: ", ")
    let listed = names.map(quotedIdentifier).joined(separator: ", ")
    return "SELECT \(listed) FROM (SELECT \(wanted) FROM \(source)) \(behind)"
  }

  /// Whether a column is anything but NULL.
  func hasValues(_ name: String) -> Bool { all.contains { $0.name == name && $0.stored != "NULL" } }

  /// Whether two columns always hold the same.
  func areSame(_ one: String, _ other: String) -> Bool {
    all.first { $0.name == one }?.stored == all.first { $0.name == other }?.stored
  }

  package func count(_ names: [String] = [], _ behind: String = "") -> String {
    let wanted = all.filter { names.contains($0.name) }.map { $0.sql($0.stored) }
    return
      "SELECT COUNT(*) FROM (SELECT \((wanted.isEmpty ? ["1"] : wanted).joined(separator: ", ")) FROM \(source)) \(behind)"
  }
}

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
