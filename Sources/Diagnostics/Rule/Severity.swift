/// How bad a finding is. From the worst to the mildest.
package enum Severity: String, Sendable, CaseIterable, Comparable {
  /// Data is lost or doubled, or sync stands still, now or at the next launch.
  case error
  /// Something is wrong that may grow, or costs.
  case warning
  /// Worth knowing.
  case info

  private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  /// The milder is the smaller.
  package static func < (one: Self, other: Self) -> Bool { one.order > other.order }
}
