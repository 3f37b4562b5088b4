import SQLite
package import Values

/// Names where values are withheld: those that may be shown, and marks for the others. What a name may be is decided by
/// whoever withholds.
package struct ShownNames: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case author, program, record, zone, owner
    /// Of the model or a framework, unless somebody wrote something else there.
    case structure
    case metadataKey

    /// By which SQL compares such names: whoever asks for a name means its mark.
    var collation: String { "shown_\(rawValue)" }
  }

  /// The SQL function by which views ask.
  private static let function = "shown_name"

  static func sql(_ kind: Kind, _ name: String) -> String {
    "\(function)('\(kind.rawValue)', \(name)) COLLATE \(kind.collation)"
  }

  private let shown: @Sendable (Kind, String) -> String

  package init(_ shown: @escaping @Sendable (Kind, String) -> String) { self.shown = shown }

  package func callAsFunction(_ kind: Kind, _ name: String) -> String { shown(kind, name) }

  package func callAsFunction(_ kind: Kind, _ name: String?) -> String? { name.map { shown(kind, $0) } }

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
      guard let kind = Kind(rawValue: arguments.text(0)), let name = arguments.optionalText(1) else {
        return .null
      }
      return .text(shown(kind, name))
    }
    for kind in Kind.allCases {
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
    item.entity = names(.structure, entity)
    item.recordName = names(.record, recordName)
    item.zone = names(.zone, zone)
    item.author = names(.author, author)
    item.reason = reasonWithoutNames
    return item
  }
}
