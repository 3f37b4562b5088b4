import Evidence
import Values

extension Rule {
  static let walDamaged = Rule(about) { examination, findings in
    guard let opened = examination.opened else { throw filesUnknown }
    guard let index = try opened.walIndex() else { return }
    let state: String
    switch index.tail {
    case .end, .earlierGeneration: return
    case .incompleteFrame: state = "cut off in the middle of a frame"
    case .badFrame: state = "damaged in a frame"
    case .badHeader: state = "damaged in its header"
    }
    guard opened.holder == nil else {
      throw StoreScopeError(.busy, "Somebody has the store open, and may be writing the end of its -wal")
    }
    findings.add(
      subject: index.tail.name,
      [
        .init("state", .text(state)), .init("bytes", .integer(index.size)),
        .init("bytesLeftOut", .integer(max(0, index.size - (index.commits.last?.endOffset ?? 0)))),
        .init("wholeFrames", .count(index.frameCount)), .init("transactions", .count(index.commits.count)),
      ])
  }

  /// Why a rule about files says nothing where there is only a connection.
  static let filesUnknown = StoreScopeError(.lacking, "How the store's files lie isn't known here")
}

private let about = RuleHeader(
  "wal-damaged", .warning,
  title: "A -wal that is damaged or cut off",
  looksFor: """
    A -wal whose header is wrong, that ends in the middle of a frame, or that has frames of its present generation \
    behind one whose checksum is wrong. Frames of an earlier generation are usual, and not meant.
    """,
  why: """
    SQLite takes the -wal up to its last whole transaction before that place. What was committed behind it is \
    gone, without any error.
    """,
  nextLaunch: """
    SQLite leaves out what lies behind, and the app goes on from an older state, or a younger one than a \
    checkpoint left in the store.
    """,
  remedy: """
    Keep a copy of the store with its -wal before the app runs again: the next checkpoint overwrites it. \
    Fetch the -wal once more from where it came, or restore a backup.
    """,
  falsePositives: """
    A process that was killed in the middle of a save, or that took a large save back, can leave such a tail, and \
    nothing committed is missing then. A store that somebody has open isn't judged.
    """,
  evidence: "Documented by SQLite: https://www.sqlite.org/fileformat2.html#walformat",
  message: """
    The -wal is {state}: {bytesLeftOut} of its {bytes} bytes lie behind its last whole transaction and count for \
    nothing.
    """)
