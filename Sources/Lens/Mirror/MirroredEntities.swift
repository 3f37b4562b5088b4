/// Which of the app's entities are mirrored, and how sure that is. No table says so: it is concluded.
package struct MirroredEntities: Sendable {
  package enum Certainty: String, Sendable {
    /// The store proves it.
    case certain
    /// Everything there is speaks for it.
    case likely
    /// Nothing speaks for or against it.
    case unknown
  }

  package struct Entity: Sendable, Equatable {
    package var number: Int64
    package var name: String
    /// Where the certainty is `unknown`, what is taken until the store says more: true.
    package var isMirrored: Bool
    package var certainty: Certainty
    /// One sentence.
    package var because: String
    /// Record metadata of exactly this entity.
    package var records: Int
  }

  /// In the order of the numbers, without abstract entities, which have no objects.
  package let all: [Entity]
  private let byNumber: [Int64: Entity]

  init(_ entities: [Entity]) {
    all = entities
    byNumber = Dictionary(entities.map { ($0.number, $0) }, uniquingKeysWith: { $1 })
  }

  package subscript(number: Int64) -> Entity? { byNumber[number] }

  /// Whether changes of such an object are taken to go to CloudKit. False for numbers that no entity has: the
  /// framework skips what its model doesn't know.
  package func countsChanges(of number: Int64) -> Bool { byNumber[number]?.isMirrored ?? false }

  /// Whether a row without record metadata is missing one. Without any evidence it may as well be of an entity that
  /// isn't mirrored.
  package func countsRows(of number: Int64) -> Bool {
    byNumber[number].map { $0.isMirrored && $0.certainty != .unknown } ?? false
  }
}
