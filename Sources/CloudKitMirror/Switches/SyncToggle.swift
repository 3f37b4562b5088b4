package import Values

/// One of the ways in which apps switch mirroring off and on, and what a store can tell of it.
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

  package enum Evidence: String, Sendable {
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
  /// What traces it leaves, and what they can't tell.
  package var traces: String

  package var value: DataValue {
    [
      "way": .text(way.rawValue), "evidence": .text(evidence.rawValue), "seen": .text(seen),
      "traces": .text(traces),
    ]
  }
}
