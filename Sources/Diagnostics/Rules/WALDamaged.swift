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
      throw StoreScopeError(.busy, "Another process has the store open; it may be writing the -wal")
    }
    findings.add(
      subject: index.tail.name,
      [
        .init("state", .text(state)), .init("bytes", .integer(index.size)),
        .init("bytesLeftOut", .integer(max(0, index.size - (index.commits.last?.endOffset ?? 0)))),
        .init("wholeFrames", .count(index.frameCount)), .init("transactions", .count(index.commits.count)),
      ])
  }

  /// Why a rule about files is skipped if there is only a connection.
  static let filesUnknown = StoreScopeError(
    .lacking, "The rule looks at the store's files, and only the database was read")
}

private let about = RuleHeader(
  """
  Rule: wal-damaged
  Severity: warning
  Title: Damaged or truncated -wal
  Shows: A -wal whose header is wrong, that ends in the middle of a frame, or that has frames of its current
    generation after a frame whose checksum is wrong. Leftover frames of an earlier generation are normal and
    ignored.
  Why: SQLite uses the -wal up to its last complete transaction before the damage. Later commits are lost without
    any error.
  Next launch: SQLite ignores the rest, and the app continues from an older state, possibly newer than the last
    checkpoint left in the store.
  Remedy: Keep a copy of the store with its -wal before the app runs again: the next checkpoint overwrites it. Get
    the -wal again from its source, or restore a backup.
  False positives: A process that was killed in the middle of a save, or that rolled back a large save, can leave
    such a tail; then no commits are missing. A store that another process has open isn't checked.
  Evidence: Documented by SQLite: https://www.sqlite.org/fileformat2.html#walformat
  Message: The -wal is {state}: {bytesLeftOut} of its {bytes} bytes come after its last complete transaction and are
    ignored.
  """)
