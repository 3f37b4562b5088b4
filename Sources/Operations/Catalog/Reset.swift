import Lens
import SQLite
import StoreModel

extension Operation {
  package static let reset = Operation(
    "reset", summary: "clears all mirror metadata; tables, data and history stay", risk: .high,
    effect:
      "The next launch sets mirroring up anew and takes on whichever iCloud account is signed in then. It gives every object a new record name and uploads it, and downloads whatever the server still has as new objects.",
    risks: [
      "Unless the server's zone is emptied too, every object is there twice afterwards, on every device.",
      "Shares and their participants are lost.",
      "External files of the mirror's own copies stay in the support folder; nothing refers to them then.",
    ],
    watch: "'storescope pending STORE' rises to all objects and then falls to 0.",
    instead:
      "This is almost never the smallest thing that helps: 'resync --pull' mends what doesn't arrive, 'resync --push' and '--rescan' what doesn't leave.",
    takes: ["server-zone", "discard-pending-deletes"],
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

  private static func serverZone(_ choices: Choices) -> Precondition {
    switch choices.serverZone {
    case nil:
      Precondition(
        "server-zone-said", holds: false,
        "Whether the zone on the server is emptied too decides what comes of it: give --server-zone emptied or --server-zone kept."
      )
    case .emptied:
      Precondition(
        "server-zone-said", holds: true, "The server's zone is said to be emptied, so nothing is doubled.")
    case .kept:
      Precondition(
        "server-zone-said", holds: true,
        "The server's zone is said to be kept: the next launch doubles every object that it holds.")
    }
  }
}
