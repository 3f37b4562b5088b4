package import Lens
package import Values

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
