import Base
import Evidence
package import SQLite

/// Reads a store again before something is said of it that its being written meanwhile would explain: half of an old
/// state and half of a new one can look like damage, or like a store without its tables.
package enum SecondLook {
  private static let attempts = 3
  /// Who took longer than this in seconds would most likely be overtaken again.
  private static let patience = 5.0

  /// - Parameters:
  ///   - session: makes a session that hasn't opened anything.
  ///   - mayRepeat: whether `body` may still run again, having shown nothing.
  ///   - body: reads, and ends with `finish`. It leaves nothing that keeps the store open.
  /// - Throws: `StoreChangedError` if the store was written meanwhile each time; what `body` throws otherwise, errors of
  ///   SQLite as a `StoreReadError`.
  package static func read<R>(
    _ session: () throws -> Session, mayRepeat: () -> Bool = { true }, _ body: (Session) throws -> R
  ) throws -> R {
    var attempt = 1
    var hasFailedUnchanged = false
    while true {
      let session = try session()
      let start = Platform.monotonicSeconds()
      do { return try body(session) } catch {
        let cause = (error as? StoreReadError)?.cause ?? error as? SQLiteError
        let failure = (error as? SQLiteError).map { StoreReadError(path: session.path, cause: $0) } ?? error
        guard !isDecision(error), cause.map({ !$0.isInterrupt && !$0.isRefusal }) ?? true else {
          throw failure
        }
        let isLocked = session.isLocked
        let isFileFailure = cause?.isFileFailure ?? false
        guard let hasChanged = error is StoreChangedError ? true : session.endsChanged() else {
          throw failure
        }
        let mayRepeat = mayRepeat() && session.mayBeRepeated && attempt < attempts
        attempt += 1
        if hasChanged {
          let isQuick = Platform.monotonicSeconds() - start < patience
          if mayRepeat, isQuick || isFileFailure { continue }
          throw isFileFailure || !isLocked ? StoreChangedError(path: session.path) : failure
        }
        guard isFileFailure, mayRepeat, !hasFailedUnchanged else { throw failure }
        hasFailedUnchanged = true
      }
    }
  }

  /// What a person or the words typed have decided, and no other look would change.
  private static func isDecision(_ error: any Error) -> Bool {
    error is UsageError || error is InterruptedError
  }
}

/// What SQLite said of one store.
package struct StoreReadError: Error, CustomStringConvertible {
  package var path: String
  package var cause: SQLiteError

  package var description: String { cause.failure(reading: path).description }
}
