extension MirrorForge {
  /// Where the history token stands, as the forge put it.
  package enum Token: Equatable {
    case missing
    /// The transaction up to which history was processed.
    case transaction(Int64)
    /// Of another store.
    case foreign
    case unreadable

    /// Where analysis goes on.
    package var number: Int64 {
      if case .transaction(let number) = self { return number }
      return 0
    }
  }

  package func setToken(_ token: Token) {
    self.token = token
    switch token {
    case .missing: ledger.removeEntry(Key.historyToken)
    case .transaction(let number):
      setTokenArchive(MirrorArchives.historyToken([forge.options.uuid: number]))
    case .foreign:
      setTokenArchive(MirrorArchives.historyToken([names.uuid(): forge.lastTransaction]))
    case .unreadable: setTokenArchive(Array("bplist00".utf8) + names.bytes(20))
    }
  }

  private func setTokenArchive(_ bytes: [UInt8]) {
    ledger.set(.init(Key.historyToken, .archive(bytes)))
  }

  /// Whether the transaction that the token names still exists.
  var tokenIsValid: Bool {
    guard case .transaction(let number) = token else { return token == .missing }
    return number <= lastBulkTransaction || forge.truth.transactions.contains { $0.number == number }
  }
}
