package import Base
import SQLite

/// What a cell holds, by which whoever withholds values decides what of it is shown.
package enum CellKind: String, Sendable {
  case author, program, record, zone, owner
  /// A name of the model or a framework, unless somebody wrote something else there.
  case structure, entity, relationship, metadataKey
  /// A name that the app's code chose, or a word of the program's own.
  case word
  /// The program's own, in which names may stand.
  case sentence
  case uri, store, path, file
  /// Identifiers, separated by commas.
  case identifiers
  /// Where inside an object something lies.
  case place
  /// An object's own value.
  case value
  case unknown

  /// Those that views ask for.
  static let ofViews: [CellKind] = [.author, .program, .record, .zone, .owner, .structure, .metadataKey]

  /// By which SQL compares such names: whoever asks for a name means its mark.
  var collation: String { "shown_\(rawValue)" }

  /// The kind of each name, of lists with blanks between the names.
  package static func byName(_ names: [CellKind: String]) -> [String: CellKind] {
    let pairs = names.flatMap { kind, names in
      names.split(whereSeparator: \.isWhitespace).map { (String($0), kind) }
    }
    return Dictionary(pairs) { first, _ in first }
  }
}

/// Names where values are withheld: those that may be shown, and marks for the others. What a name may be is decided by
/// whoever withholds.
package struct ShownNames: Sendable {
  /// The SQL function by which views ask.
  private static let function = "shown_name"

  static func sql(_ kind: CellKind, _ name: String) -> String {
    "\(function)('\(kind.rawValue)', \(name)) COLLATE \(kind.collation)"
  }

  private let shown: @Sendable (CellKind, String) -> String

  package init(_ shown: @escaping @Sendable (CellKind, String) -> String) { self.shown = shown }

  package func callAsFunction(_ kind: CellKind, _ name: String) -> String { shown(kind, name) }

  package func callAsFunction(_ kind: CellKind, _ name: String?) -> String? { name.map { shown(kind, $0) } }

  /// In place of any value: no number, date or word that could be one.
  package static func mark(_ value: DataValue) -> DataValue {
    switch value {
    case .null: .null
    case .bool: "[withheld Boolean]"
    case .integer, .real: "[withheld number]"
    case .date: "[withheld date]"
    case .text(let text):
      if ISO8601.parse(text) != nil {
        "[withheld date]"
      } else {
        text.hasPrefix("x-coredata:") ? "[withheld reference]" : "[withheld text]"
      }
    case .array, .object, .blob: "[withheld data]"
    }
  }

  func install(in connection: Connection) throws {
    try connection.addFunction(name: Self.function, argumentCount: 2) { arguments in
      guard let kind = CellKind(rawValue: arguments.text(0)), let name = arguments.optionalText(1) else {
        return .null
      }
      return .text(shown(kind, name))
    }
    for kind in CellKind.ofViews {
      try connection.addCollation(name: kind.collation) { one, other in
        // Both are marks already in nearly all comparisons, and a mark has no other.
        let (first, second) = (String(decoding: one, as: UTF8.self), String(decoding: other, as: UTF8.self))
        guard first != second, shown(kind, first) != second, first != shown(kind, second) else { return 0 }
        return first < second ? -1 : 1
      }
    }
  }
}

extension PendingItem {
  /// The same with names that may be shown.
  package func masked(_ names: ShownNames) -> PendingItem {
    var item = self
    item.entity = names(.entity, entity)
    item.recordName = names(.record, recordName)
    item.zone = names(.zone, zone)
    item.uri = names(.uri, uri)
    item.author = names(.author, author)
    item.reason = names(.sentence, reasonWithoutNames)
    return item
  }
}
