/// A column of a framework's table as the framework's own model names it.
package struct FrameworkAttribute: Sendable, Equatable {
  package enum Kind: String, Sendable {
    case integer, bool, date, string, uuid
    /// Binary data: an archive, a token, or bits.
    case archive
    /// As `archive`, and allowed to lie in a file next to the store, so that the first byte is a tag.
    case externalArchive
    /// The Z_PK of a row of another table.
    case reference
    /// The Z_PK of a row of ATRANSACTIONSTRING, which has the text.
    case internedString
    /// An entity's number.
    case entity
    /// The primary key of an object of the entity in the same row.
    case objectKey
    /// A raw value of `NSPersistentHistoryChangeType`.
    case change

    /// What a person finds in the decoded column.
    package var typeName: String {
      switch self {
      case .externalArchive: Self.archive.rawValue
      case .internedString: Self.string.rawValue
      case .objectKey: Self.integer.rawValue
      default: rawValue
      }
    }
  }

  /// Which of the layouts that are known in full have it.
  package enum Layouts: Sendable {
    case all
    /// Up to the layout of iOS 18.
    case beforeAssets
    /// Since the layout of iOS 26.
    case withAssets
    /// Some generations only: never missed, never a surprise.
    case some
  }

  package var name: String
  package var kind: Kind
  package var layouts: Layouts

  init(_ name: String, _ kind: Kind, _ layouts: Layouts = .all) {
    self.name = name
    self.kind = kind
    self.layouts = layouts
  }

  package var column: String { "Z" + name.uppercased() }
}
