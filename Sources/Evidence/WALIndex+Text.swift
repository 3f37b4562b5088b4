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

  /// For people.
  package var sentence: String {
    switch self {
    case .end: "whole"
    case .incompleteFrame(let bytes): "torn: it ends with \(bytes) bytes of a frame, which count for nothing"
    case .earlierGeneration: "followed by frames from before it was begun anew, which count for nothing"
    case .badFrame: "damaged: a frame's checksum is wrong, and it and all behind it count for nothing"
    case .badHeader: "damaged: its header can't be right, so all of it counts for nothing"
    }
  }
}
