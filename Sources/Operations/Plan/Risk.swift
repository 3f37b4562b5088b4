/// What can go wrong when the app runs again after an operation.
package enum Risk: String, Sendable, CaseIterable, Comparable {
  case none, low, medium, high

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  package static func < (one: Self, other: Self) -> Bool { one.order < other.order }
}
