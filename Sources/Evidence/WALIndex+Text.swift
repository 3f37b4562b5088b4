extension WALIndex.Tail {
  /// For machines.
  package var name: String {
    switch self {
    case .end: "end"
    case .incompleteFrame: "incompleteFrame"
    case .earlierGeneration: "earlierGeneration"
    case .badFrame: "badFrame"
    case .badHeader: "badHeader"
    }
  }

  /// Whether something of it was lost.
  package var isDamage: Bool {
    switch self {
    case .end, .earlierGeneration: false
    case .incompleteFrame, .badFrame, .badHeader: true
    }
  }

  /// For people.
  package var sentence: String {
    switch self {
    case .end: "whole"
    case .incompleteFrame(let bytes): "torn: it ends with \(bytes) bytes of a frame, which are ignored"
    case .earlierGeneration: "followed by frames that belong to no saved transaction, which are ignored"
    case .badFrame: "damaged: a frame's checksum is wrong, so that frame and all after it are ignored"
    case .badHeader: "damaged: its header is invalid, so all of it is ignored"
    }
  }
}
