import Lens
import SystemCalls
import Values

/// What is known about turning sync off and on, for people.
struct SwitchSentences {
  let all: [String]

  init(_ switches: SyncSwitches, _ mirror: Mirror) throws {
    var sentences = switches.gaps.map(Self.sentence)
    for wipe in switches.wipes {
      sentences.append(
        "\(Self.time(wipe.from)) the mirror wiped \(Sentence.count(wipe.deletes, "object", "objects")) in \(Sentence.count(wipe.transactions, "transaction", "transactions")); the cause isn't recorded: an account change, an expired history token, or a zone deleted on the server."
      )
    }
    for burst in switches.imports {
      let followed = switches.wipes.contains { wipe in
        wipe.lastTransaction < burst.firstTransaction && Self.isWithinADay(wipe.until, burst.from)
      }
      sentences.append(
        "\(Self.time(burst.from)) \(Sentence.count(burst.inserts, "object", "objects")) arrived with imports\(followed ? ", after a wipe" : "")."
      )
    }
    if let first = switches.firstUnexported, let last = switches.lastUnexported {
      sentences.append(
        "\(Sentence.count(switches.unexportedSaves, "save", "saves")) \(Sentence.form(switches.unexportedSaves, "isn't", "aren't")) processed yet; the first is transaction \(first.transaction)\(Self.at(first.at)), the last is \(last.transaction)\(Self.at(last.at))."
      )
    }
    if let failure = switches.accountFailures.last {
      sentences.append(
        "\(Self.time(failure.moment)) an event failed because of the iCloud account: \(failure.errorText ?? "unknown error")."
      )
    }
    switch try mirror.identity {
    case .known: sentences.append("The store is tied to an iCloud user and has the user's record name.")
    case .halfRecorded:
      sentences.append(
        "The iCloud identity was checked, but there is no record name: the next launch may wipe the data.")
    case .nameOnly:
      sentences.append("The store has the record name of an iCloud user, but no mark that it was checked.")
    case .unknown: break
    case .none: sentences.append("The store was never tied to an iCloud user, or no longer is.")
    }
    if try mirror.isSet(MetadataKey.bypassHistory) || mirror.isSet(MetadataKey.scanForMissingRows) {
      sentences.append("Flags for the next export show that it starts over after a reset or without a token.")
    }
    if try mirror.events.count == 0 {
      sentences.append("There are no events, so when the mirror ran isn't known.")
    } else if let first = try mirror.events.first {
      sentences.append(
        "The event log begins \(Self.at(first).dropFirst()); earlier times aren't covered.")
    }
    all = sentences
  }

  private static func sentence(_ gap: SyncGap) -> String {
    let saved =
      gap.saves == 1
      ? "saved once, at \(text(gap.firstSave))"
      : "saved \(Sentence.count(gap.saves, "time")), from \(text(gap.firstSave)) to \(text(gap.lastSave))"
    guard let until = gap.until else {
      return "Since \(text(gap.from)) the mirror has logged nothing, and the app \(saved)."
    }
    return "From \(text(gap.from)) to \(text(until)) the mirror logged nothing, while the app \(saved)."
  }

  private static func isWithinADay(_ one: CoreDataDate?, _ other: CoreDataDate?) -> Bool {
    guard let one, let other else { return false }
    return (0...86_400).contains(other.seconds - one.seconds)
  }

  private static func text(_ date: CoreDataDate?) -> String { date?.iso8601 ?? "an unknown time" }

  private static func at(_ date: CoreDataDate?) -> String { date?.iso8601.map { " at \($0)" } ?? "" }

  private static func time(_ date: CoreDataDate?) -> String { "At \(text(date))" }
}

/// Compares the findings with the traces of each way of toggling.
struct SyncToggles {
  let all: [SyncToggle]

  init(_ switches: SyncSwitches, _ timeline: EventTimeline) {
    let gaps = switches.gaps.count
    let seenGaps =
      gaps == 0
      ? "No period is known in which the app saved while the mirror logged nothing."
      : "\(gaps == 1 ? "Once" : Sentence.count(gaps, "time")) the app saved while the mirror logged nothing."
    let evidence: SyncToggle.Evidence = gaps == 0 ? .none : .possible
    var second = "No event indicates a second instance."
    if timeline.secondInstances > 0 {
      second =
        "\(Sentence.count(timeline.secondInstances, "event")) failed with 134422, because another instance was already syncing."
    } else if timeline.overlappingSetups > 0 {
      second = "\(Sentence.count(timeline.overlappingSetups, "setup")) started while another one was running."
    }
    all = [
      SyncToggle(
        way: .optionsRemoved, evidence: evidence, seen: seenGaps,
        traces:
          """
          The mirror's tables and token stay, events stop, and history continues; when sync is turned on \
          again, a setup follows, and one export uploads all changes made in the meantime. This can't be \
          distinguished from a plain container.
          """
      ),
      SyncToggle(
        way: .plainContainer, evidence: evidence, seen: seenGaps,
        traces:
          """
          The same traces as removed options, as long as the plain container keeps history tracking on. \
          Otherwise Core Data opens the store read-only, and nothing is written at all.
          """
      ),
      SyncToggle(
        way: .twoContainers,
        evidence: timeline.secondInstances > 0 ? .found : timeline.overlappingSetups > 0 ? .possible : .none,
        seen: second,
        traces:
          """
          Events of the second container fail with 134422, or setups overlap. A plain container in addition \
          to the mirrored one leaves no trace except its saves, which the mirrored container uploads.
          """
      ),
    ]
  }
}
