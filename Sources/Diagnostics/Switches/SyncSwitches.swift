package import Base
package import Lens

/// When mirroring was off while the app kept saving, and when data was wiped, as far as events, history and token show.
package struct SyncSwitches: HasFields, Sendable, Equatable {
  /// A transaction by the app that the exporter hasn't processed.
  package struct Save: HasFields, Sendable, Equatable {
    package var transaction: Int64
    package var author: String?
    package var at: CoreDataDate?

    package static let fields: [Field<Self>] = [
      Field("transaction", "its number") { $0.transaction }, Field("author", "its author") { $0.author },
      Field("at", "when") { $0.at },
    ]
  }

  /// Times in which the app saved and no event was logged, oldest first.
  package var gaps: [SyncGap] = []
  /// Deletes by the author `NSCloudKitMirroringDelegate.reset`, oldest first: past wipes.
  package var wipes: [HistoryBurst] = []
  /// Large imports, oldest first; one that follows a wipe fetched everything again.
  package var imports: [HistoryBurst] = []
  package var firstUnexported: Save?
  package var lastUnexported: Save?
  package var unexportedSaves = 0
  /// Failures related to the iCloud account: time and error.
  package var accountFailures: [MirrorEvent] = []
  package var toggles: [SyncToggle] = []
  /// All of it in sentences, in the order of time where there is one.
  package var sentences: [String] = []

  package static let fields: [Field<Self>] = [
    Field("gaps", "times in which the app saved and the mirror logged nothing") { $0.gaps },
    Field("wipes", "deletions of everything by the mirror") { $0.wipes },
    Field("imports", "large imports") { $0.imports },
    Field("firstUnexported", "the first save that the exporter hasn't processed") { $0.firstUnexported },
    Field("lastUnexported", "the last one") { $0.lastUnexported },
    Field("unexportedSaves", "how many there are") { $0.unexportedSaves },
    Field("accountFailures", .list(.object(ofFailure.keys())), "failures that are about the iCloud account") {
      $0.accountFailures.map(ofFailure.object)
    },
    Field("toggles", "ways in which the app may have turned mirroring off") { $0.toggles },
    Field("sentences", "all of it in sentences") { $0.sentences },
  ]

  private static let ofFailure: [Field<MirrorEvent>] = [
    Field("at", "when") { $0.moment }, Field("error", "the error") { $0.errorText },
  ]
}

/// A time in which the app saved and the mirror logged nothing.
package struct SyncGap: HasFields, Sendable, Equatable {
  /// The event before it; nil where there is none, which may only mean that the log was cut.
  package var from: CoreDataDate?
  /// The event after it; nil where it lasts.
  package var until: CoreDataDate?
  /// The first and last transaction by the app in it, and how many there are.
  package var firstSave: CoreDataDate
  package var lastSave: CoreDataDate
  package var saves: Int

  package static let fields: [Field<Self>] = [
    Field("from", "the event before") { $0.from }, Field("until", "the event after") { $0.until },
    Field("firstSave", "the app's first save in it") { $0.firstSave },
    Field("lastSave", "its last") { $0.lastSave },
    Field("saves", "its saves") { $0.saves },
  ]
}

/// A way in which apps turn mirroring off and on, and what a store shows of it.
package struct SyncToggle: HasFields, Sendable, Equatable {
  package enum Way: String, FieldWord, Sendable {
    /// `cloudKitContainerOptions` set to nil, until the store is loaded again with options:
    /// https://developer.apple.com/documentation/coredata/nspersistentstoredescription/cloudkitcontaineroptions
    case optionsRemoved
    /// NSPersistentContainer instead of NSPersistentCloudKitContainer on the same file.
    case plainContainer
    /// Two containers that have the same file open at a time.
    case twoContainers
  }

  package enum Evidence: String, FieldWord, Sendable {
    /// Traces that have no other explanation known here.
    case found
    /// Traces that have others too.
    case possible
    case none
  }

  package var way: Way
  package var evidence: Evidence
  /// What was seen, one sentence.
  package var seen: String
  /// Which traces it leaves, and what they can't show.
  package var traces: String

  package static let fields: [Field<Self>] = [
    Field("way", "a way to turn mirroring off and on") { $0.way },
    Field("evidence", "whether the store shows it") { $0.evidence },
    Field("seen", "what was found") { $0.seen },
    Field("traces", "what it leaves, and what doesn't show") { $0.traces },
  ]
}

/// What is known about turning sync off and on, for people.
enum SwitchSentences {
  static func all(_ switches: SyncSwitches, _ mirror: Mirror) throws -> [String] {
    var sentences = switches.gaps.map(sentence)
    for wipe in switches.wipes {
      sentences.append(
        "\(time(wipe.from)) the mirror wiped \(Sentence.count(wipe.deletes, "object", "objects")) in \(Sentence.count(wipe.transactions, "transaction", "transactions")); the cause isn't recorded: an account change, an expired history token, or a zone deleted on the server."
      )
    }
    for burst in switches.imports {
      let followed = switches.wipes.contains { wipe in
        wipe.lastTransaction < burst.firstTransaction && isWithinADay(wipe.until, burst.from)
      }
      sentences.append(
        "\(time(burst.from)) \(Sentence.count(burst.inserts, "object", "objects")) arrived with imports\(followed ? ", after a wipe" : "")."
      )
    }
    if let first = switches.firstUnexported, let last = switches.lastUnexported {
      sentences.append(
        "\(Sentence.count(switches.unexportedSaves, "save", "saves")) \(Sentence.form(switches.unexportedSaves, "isn't", "aren't")) processed yet; the first is transaction \(first.transaction)\(at(first.at)), the last is \(last.transaction)\(at(last.at))."
      )
    }
    if let failure = switches.accountFailures.last {
      sentences.append(
        "\(time(failure.moment)) an event failed because of the iCloud account: \(failure.errorText ?? "unknown error")."
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
      sentences.append("The event log begins \(at(first).dropFirst()); earlier times aren't covered.")
    }
    return sentences
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

extension SyncToggle {
  /// Compares the findings with the traces of each way of toggling.
  static func all(_ switches: SyncSwitches, _ timeline: EventTimeline) -> [SyncToggle] {
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
    return [
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
