import Base

/// One difference between two versions of a model, and what a migration across it depends on.
package struct ModelChange: Sendable, Hashable {
  package enum Kind: String, FieldWord, Sendable {
    case entityAdded, entityRemoved, entityRenamed, parentChanged, hierarchiesMerged, abstractChanged
    case constraintAdded, constraintRemoved
    case attributeAdded, attributeRemoved, attributeRenamed, typeChanged, elementsChanged
    case relationshipAdded, relationshipRemoved, relationshipRenamed
    case becameToMany, becameToOne, becameOrdered, becameUnordered, destinationChanged, inverseChanged
    case becameOptional, becameRequired, becameTransient, becamePersistent
    case defaultChanged, limitsChanged, deleteRuleChanged, countChanged, hashModifierChanged
    case encryptionChanged, externalStorageChanged, preservationChanged, transformerChanged, renamingIDChanged
  }

  /// Whether Core Data can infer the mapping, as Apple's list of changes has it, and for what changes neither tables nor
  /// columns, as app authors report it:
  /// https://developer.apple.com/documentation/coredata/migrating-your-data-model-automatically
  package enum Migration: String, FieldWord, Sendable {
    /// The version hash stays, so that the store opens as it is.
    case nothing
    case inferred
    /// Inferred, but fails with 134110 as soon as the entity has a row: there is no value for it.
    case failsWithRows
    /// Inferred, but fails with 134110 if the property is NULL in any row.
    case failsWithNulls
    /// Inferred, but fails with 134111 if rows have the same values.
    case failsWithDuplicates
    /// Not on Apple's list, and not known to be refused.
    case undocumented
    /// Fails with 134190: a mapping model, or steps that can be inferred, are needed.
    case refused
  }

  package var kind: Kind
  /// The entity's name in the newer model, or in the older one if it was removed.
  package var entity: String
  /// The same for a property; a constraint's names are joined by commas. Nil for what concerns the entity.
  package var property: String?
  /// In the older model.
  package var before: String?
  /// In the newer one.
  package var after: String?
  package var migration: Migration
  /// Where the values are that a migration needs or removes, as the older model names it.
  package var older = Place()
  /// False of what is never stored, or computed from what is.
  package var hasValues = true

  package struct Place: Sendable, Hashable {
    package var entity: String?
    /// That one and its sub-entities in which the same changes. A property that moved to sub-entities is still there.
    package var entities: [String] = []
    /// A new property has none.
    package var properties: [String] = []
    /// Of the property, or of the entity where that is removed; nil if it has none.
    package var renamingIdentifier: String?
  }

  /// Whether a migration takes values with it that no other place has.
  package var removesValues: Bool {
    hasValues && [.entityRemoved, .attributeRemoved, .relationshipRemoved, .becameTransient].contains(kind)
  }

  /// `Trip`, `Trip.budget`
  package var subject: String { [entity, property].compactMap(\.self).joined(separator: ".") }

  /// For example `Trip.budget: type changed (Integer 16 → Decimal)`.
  package var sentence: String {
    guard let values else { return "\(subject): \(kind.words)" }
    return kind.isSaidByValues ? "\(subject): \(values)" : "\(subject): \(kind.words) (\(values))"
  }

  /// The first one's sentence, without a full stop, and how many more there are; nil if there is none.
  package static func listed(_ changes: [ModelChange]) -> String? {
    changes.first.map { $0.sentence + (changes.count > 1 ? " and \(changes.count - 1) more" : "") }
  }

  /// For example `type changed: Integer 16 → Decimal`, without the subject.
  package var words: String {
    let isNew = kind == .attributeAdded || kind == .relationshipAdded
    let what = isNew && migration == .failsWithRows ? "required \(kind.words)" : kind.words
    guard let values else { return what }
    return kind.isSaidByValues ? values : "\(what): \(values)"
  }

  /// `Integer 16 → Decimal`
  private var values: String? {
    let values = [before, after].compactMap(\.self)
    return values.isEmpty ? nil : values.joined(separator: " → ")
  }
}

extension ModelChange.Kind {
  package var words: String {
    switch self {
    case .entityAdded: "entity added"
    case .entityRemoved: "entity removed"
    case .entityRenamed: "entity renamed"
    case .parentChanged: "parent entity changed"
    case .hierarchiesMerged: "moved to another hierarchy"
    case .abstractChanged: "abstract changed"
    case .constraintAdded: "uniqueness constraint added"
    case .constraintRemoved: "uniqueness constraint removed"
    case .attributeAdded: "attribute added"
    case .attributeRemoved: "attribute removed"
    case .attributeRenamed: "attribute renamed"
    case .typeChanged: "type changed"
    case .elementsChanged: "elements changed"
    case .relationshipAdded: "relationship added"
    case .relationshipRemoved: "relationship removed"
    case .relationshipRenamed: "relationship renamed"
    case .becameToMany: "now to-many"
    case .becameToOne: "now to-one"
    case .becameOrdered: "now ordered"
    case .becameUnordered: "no longer ordered"
    case .destinationChanged: "destination changed"
    case .inverseChanged: "inverse changed"
    case .becameOptional: "now optional"
    case .becameRequired: "now required"
    case .becameTransient: "now transient"
    case .becamePersistent: "no longer transient"
    case .defaultChanged: "default value changed"
    case .limitsChanged: "validation changed"
    case .deleteRuleChanged: "delete rule changed"
    case .countChanged: "number of objects changed"
    case .hashModifierChanged: "hash modifier changed"
    case .encryptionChanged: "CloudKit encryption changed"
    case .externalStorageChanged: "external storage changed"
    case .preservationChanged: "preservation after deletion changed"
    case .transformerChanged: "value transformer changed"
    case .renamingIDChanged: "renaming ID changed"
    }
  }

  /// Whether the old and the new value leave nothing more to say: `optional → required`.
  fileprivate var isSaidByValues: Bool {
    switch self {
    case .abstractChanged, .becameToMany, .becameToOne, .becameOrdered, .becameUnordered, .becameOptional,
      .becameRequired, .becameTransient, .becamePersistent:
      true
    default: false
    }
  }
}

extension ModelChange.Migration {
  /// The error that the store's next opening ends in if the condition holds.
  package var errorCode: Int? {
    switch self {
    case .nothing, .inferred, .undocumented: nil
    case .failsWithRows, .failsWithNulls: 134110
    case .failsWithDuplicates: 134111
    case .refused: 134190
    }
  }

  package var words: String {
    switch self {
    case .nothing: "none needed"
    case .inferred: "inferred"
    case .failsWithRows: "fails if rows exist"
    case .failsWithNulls: "fails if any is NULL"
    case .failsWithDuplicates: "fails with duplicates"
    case .undocumented: "not documented"
    case .refused: "can't be inferred"
    }
  }
}
