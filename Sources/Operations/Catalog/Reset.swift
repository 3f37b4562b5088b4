import Lens
import SQLite
import StoreModel

extension Operation {
  package static let reset = Operation(
    "reset", summary: "clear all mirror metadata; tables, data and history stay", risk: .high,
    effect:
      "The next launch sets up mirroring from scratch with whichever iCloud account is then signed in. It gives every object a new record name and uploads it, and downloads whatever the server still has as new objects.",
    risks: [
      "Unless the server's zone is emptied too, every object exists twice afterward, on every device.",
      "Shares and their participants are lost.",
      "External files of the mirror's own copies remain in the support folder without a reference.",
    ],
    watch: "'storescope pending STORE' rises to all objects, and falls to 0 once exports succeed.",
    instead:
      "This is almost never the right fix: use 'resync --pull' if changes don't arrive, 'resync --push' or '--rescan' if they don't leave.",
    withoutWAL:
      "Then the next launch uploads an older state, and what is only in the -wal is lost.",
    takes: ["server-zone", "discard-pending-deletes"],
    adapt: { texts, choices in
      switch choices.serverZone {
      case .emptied:
        texts.effect =
          "The next launch sets up mirroring from scratch with whichever iCloud account is then signed in. It gives every object a new record name and uploads it."
        texts.risks[0] =
          "If the server's zone still has records at the next launch, every object in them exists twice afterward, on every device."
      case .kept:
        texts.risks[0] = "Every object in the server's zone exists twice afterward, on every device."
      case nil: break
      }
    },
    requirements: { target, choices in
      [try Conditions.noLostDeletes(target, choices, dropsAll: true), serverZone(choices)]
    },
    steps: { target, _ in
      // Every table that is known; one that isn't makes the layout unknown, and nothing is planned then.
      FrameworkTable.allCases.filter { !$0.isHistory && target.tables.has($0) }.map {
        Step($0.rawValue, .delete, purpose: "all of \($0.entity)")
      }
    }
  )

  /// The one condition that a person is asked for.
  package static let serverZoneCondition = "server-zone-said"

  private static func serverZone(_ choices: Choices) -> Precondition {
    switch choices.serverZone {
    case nil:
      Precondition(
        serverZoneCondition, holds: false, isOpen: true,
        "The result depends on whether the zone on the server is emptied too: pass --server-zone emptied or --server-zone kept."
      )
    case .emptied:
      Precondition(
        serverZoneCondition, holds: true, isStated: true,
        "You stated that the server's zone is emptied, so nothing is duplicated.")
    case .kept:
      Precondition(
        serverZoneCondition, holds: true, isStated: true,
        "You stated that the server's zone is kept: the next launch duplicates every object in it.")
    }
  }
}
