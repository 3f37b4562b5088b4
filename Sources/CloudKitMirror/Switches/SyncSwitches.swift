package import Values

/// When mirroring was off while the app went on, and when data were wiped, as far as events, history and token show.
package struct SyncSwitches: Sendable, Equatable {
  /// A transaction of the app's own that the exporter hasn't analysed.
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
  /// Failures that speak of the iCloud account: time and error.
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
