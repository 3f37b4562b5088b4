import Values

/// A cell as text for people, and what it shows.
struct TextCell: Equatable {
  enum Kind {
    /// The row has no such property.
    case absent
    case null, number, date, text
  }

  var text: String
  var kind: Kind

  /// A number or a date: cut short it would be another one.
  var isExact: Bool { kind == .number || kind == .date }
}
