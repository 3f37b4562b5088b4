import Lens
import Values

/// What the mirror makes of the iCloud account.
struct AccountForecast {
  private typealias Step = LaunchForecast.Step
  private let mirror: Mirror

  init(_ mirror: Mirror) { self.mirror = mirror }

  func step() throws -> LaunchForecast.Step {
    // A stored name without an account wipes a public database's store as well.
    if try mirror.scope == .public, try mirror.identity == .none || mirror.identity == .halfRecorded {
      return try mirror.identity == .halfRecorded
        ? Step(
          .checkAccount, .unknown,
          "The public database needs no account, but once somebody signs in, the launch may delete all mirrored objects (134405): the identity was checked, and no name was recorded.",
          isSure: false)
        : Step(.checkAccount, .nothing, "The public database needs no account.", isSure: false)
    }
    if let obstacle = try Obstacle.ofIdentity(mirror) {
      return Step(.checkAccount, .wipes, code: "134405", obstacle.sentence, fix: obstacle.fix)
    }
    return switch try mirror.identity {
    case .known:
      Step(
        .checkAccount, .succeeds,
        """
        The store belongs to one iCloud user. If another one is signed in, or nobody, the launch deletes all \
        mirrored objects (134405).
        """, isSure: false)
    case .nameOnly:
      Step(
        .checkAccount, .succeeds,
        """
        A user's name is recorded, and was never checked: the store takes whoever is signed in. If nobody is, the launch \
        deletes all mirrored objects (134405).
        """, isSure: false)
    case .none:
      Step(
        .checkAccount, .succeeds,
        try mirror.hasExported()
          ? "The store was mirrored, but it no longer records for which iCloud user: it takes whoever is signed in."
          : "The store is tied to no iCloud user yet, and takes the one that is signed in.",
        isSure: false)
    case .unknown, .halfRecorded:
      Step(.checkAccount, .unknown, "The iCloud identity can't be read.")
    }
  }
}
