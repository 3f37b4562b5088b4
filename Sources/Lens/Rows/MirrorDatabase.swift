package import Values

/// One CloudKit database that the store is mirrored to.
package struct MirrorDatabase: HasFields, Sendable, Equatable {
  package var primaryKey: Int64
  package var name: String?
  package var rawScope: Int64?
  package var hasSubscription: Bool
  package var changeToken: ChangeTokenState
  package var lastFetch: CoreDataDate?

  package static let fields: [Field<Self>] = [
    Field("name", "its name") { $0.name },
    Field("scope", "public, private or shared") { $0.scope },
    Field("hasSubscription", "the server announces changes") { $0.hasSubscription },
    Field("hasToken", "the place in the server's changes is known") { $0.changeToken.isPresent },
    Field("token", ChangeTokenState.shape, "the size of that place's archive") { $0.changeToken.value },
    Field("lastFetch", "when it was last fetched") { $0.lastFetch },
  ]

  package var scope: DatabaseScope? { rawScope.flatMap(DatabaseScope.init(rawValue:)) }
}

/// Which of a container's databases: https://developer.apple.com/documentation/cloudkit/ckdatabase/scope
package enum DatabaseScope: Int64, FieldValue, Sendable, CaseIterable {
  case `public` = 1
  case `private` = 2
  case shared = 3

  package var name: String {
    switch self {
    case .public: "public"
    case .private: "private"
    case .shared: "shared"
    }
  }

  package static let shape = Shape.words(allCases.map(\.name))
  package var fieldValue: DataValue? { .text(name) }

  init?(name: String) {
    guard let scope = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = scope
  }
}
