package import Evidence

extension StoreOpener {
  /// Runs `body` on the store, and once more where the store changed while it was read, up to `attempts` times.
  /// What `body` made of the attempts before must be thrown away.
  package static func withStore<R>(
    path: String, asOfCommit: Int? = nil, attempts: Int = 3, _ body: (OpenedStore) throws -> R
  ) throws -> R {
    for _ in 1..<max(1, attempts) {
      let store = try open(path: path, asOfCommit: asOfCommit)
      let result = Result { try body(store) }
      // Half of an old state and half of a new one can look like damage.
      do { try store.finish() } catch is StoreChangedError { continue }
      return try result.get()
    }
    let store = try open(path: path, asOfCommit: asOfCommit)
    let result = Result { try body(store) }
    try store.finish()
    return try result.get()
  }
}
