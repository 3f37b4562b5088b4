package import Lens
package import Values

/// When mirroring was off while the app kept saving, and when data was wiped, as far as events, history and token show.
package struct SyncSwitches: Sendable, Equatable {
  /// A transaction by the app that the exporter hasn't processed.
  package struct Save: Sendable, Equatable {
    package var transaction: Int64
    package var author: String?
    package var at: CoreDataDate?
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

  package var value: DataValue {
    func save(_ save: Save?) -> DataValue {
      guard let save else { return .null }
      return [
        "transaction": .integer(save.transaction), "author": .optional(save.author), "at": .optional(save.at),
      ]
    }
    return [
      "gaps": .array(gaps.map(\.value)), "wipes": .array(wipes.map(\.value)),
      "imports": .array(imports.map(\.value)), "firstUnexported": save(firstUnexported),
      "lastUnexported": save(lastUnexported), "unexportedSaves": .count(unexportedSaves),
      "accountFailures": .array(
        accountFailures.map { ["at": .optional($0.moment), "error": .optional($0.errorText)] }),
      "toggles": .array(toggles.map(\.value)), "sentences": .array(sentences.map(DataValue.text)),
    ]
  }
}

/// A time in which the app saved and the mirror logged nothing.
package struct SyncGap: Sendable, Equatable {
  /// The event before it; nil where there is none, which may only mean that the log was cut.
  package var from: CoreDataDate?
  /// The event after it; nil where it lasts.
  package var until: CoreDataDate?
  /// The first and last transaction by the app in it, and how many there are.
  package var firstSave: CoreDataDate
  package var lastSave: CoreDataDate
  package var saves: Int

  package var value: DataValue {
    [
      "from": .optional(from), "until": .optional(until), "firstSave": .date(firstSave),
      "lastSave": .date(lastSave), "saves": .count(saves),
    ]
  }
}

/// A way in which apps turn mirroring off and on, and what a store shows of it.
package struct SyncToggle: Sendable, Equatable {
  package enum Way: String, Sendable, CaseIterable {
    /// `cloudKitContainerOptions` set to nil, until the store is loaded again with options:
    /// https://developer.apple.com/documentation/coredata/nspersistentstoredescription/cloudkitcontaineroptions
    case optionsRemoved
    /// NSPersistentContainer instead of NSPersistentCloudKitContainer on the same file.
    case plainContainer
    /// Two containers that have the same file open at a time.
    case twoContainers
  }

  package enum Evidence: String, Sendable, CaseIterable {
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

  package var value: DataValue {
    [
      "way": .text(way.rawValue), "evidence": .text(evidence.rawValue), "seen": .text(seen),
      "traces": .text(traces),
    ]
  }
}
