package import Values

/// One CloudKit database that the store is mirrored to.
package struct MirrorDatabase: Sendable, Equatable {
  package var primaryKey: Int64
  package var name: String?
  package var rawScope: Int64?
  package var hasSubscription: Bool
  package var changeToken: ChangeTokenState
  package var lastFetch: CoreDataDate?

  package var scope: DatabaseScope? { rawScope.flatMap(DatabaseScope.init(rawValue:)) }
}

/// Which of a container's databases: https://developer.apple.com/documentation/cloudkit/ckdatabase/scope
package enum DatabaseScope: Int64, Sendable, CaseIterable {
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

  init?(name: String) {
    guard let scope = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = scope
  }
}
