import Base
import Evidence
import Lens

/// What a prompt says of a store: cheap to find out, or left open.
package struct StoreStatus: Equatable {
  package enum Count: Equatable, Sendable {
    /// There is nothing to count: no WAL, no mirror.
    case absent
    case known(Int)
    /// Counting would have taken too long, or didn't succeed.
    case unknown
  }

  package var pending = Count.absent

  /// Reads the store for at most about `seconds`.
  package init(of environment: CommandEnvironment, seconds: Double) {
    guard let source = environment.openSource else { return }
    let end = Platform.monotonicSeconds() + seconds
    let session = Session(
      source, modelPath: environment.modelPath, asOfCommit: environment.asOfCommit,
      goesOn: { Platform.monotonicSeconds() < end && !Interruption.isRequested })
    do {
      pending = .unknown
      guard let mirror = try session.open().mirror() else {
        pending = .absent
        return
      }
      pending = .known(try PendingReader(mirror, tracesCauses: false).counts.total)
    } catch {
      // The commands will say what is wrong with the store.
      return
    }
  }
}

/// What changes when a store, or what is read of it, does: when it is as it was, its status needn't be read again.
package struct StoreStamp: Equatable {
  private let files: StoreFiles
  private let modelPath: String?
  private let asOfCommit: Int?

  /// Nil where no store is open, or it can't be looked at.
  package init?(of environment: CommandEnvironment) {
    guard let path = environment.openSource?.location, let files = try? StoreFiles(path: path) else {
      return nil
    }
    self.files = files
    modelPath = environment.modelPath
    asOfCommit = environment.asOfCommit
  }
}
