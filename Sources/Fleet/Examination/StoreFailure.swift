import Diagnostics
import SystemCalls
package import Values

/// Why a store is not among those that were read.
package struct StoreFailure: HasFields, Error, Sendable, Equatable {
  package enum Kind: String, FieldWord, Sendable {
    case notAStore, damaged, encrypted, unreadable, timedOut, crashed, outOfMemory, refused, failed
  }

  package var kind: Kind
  /// A sentence.
  package var message: String
  package var signal: Int32?
  package var exitCode: Int32?

  package init(_ kind: Kind, _ message: String, signal: Int32? = nil, exitCode: Int32? = nil) {
    self.kind = kind
    self.message = Sentence.ended(message)
    self.signal = signal
    self.exitCode = exitCode
  }

  /// Of a process that ended as if all were well.
  package static let incomplete = StoreFailure(.crashed, "Ended before all its rows were written")

  package static func outOfMemory(limit: Int64) -> StoreFailure {
    StoreFailure(.outOfMemory, "Needed more than \(Sentence.size(limit)) of memory")
  }

  /// What a reading command would have said.
  package init(_ error: any Error) {
    if let failure = error as? StoreFailure {
      self = failure
      return
    }
    let text = Sentence.begun("\(error)")
    guard let error = error as? StoreScopeError else {
      self.init(.failed, text)
      return
    }
    let kind: Kind =
      switch error.kind {
      case .foreign, .lacking: .notAStore
      case .damaged: .damaged
      case .notFound, .unreadable, .busy, .changed: .unreadable
      case .refused where text.contains("encrypted"): .encrypted
      case .refused, .limit, .invalid: .refused
      case .unwritable, .occupied, .failed: .failed
      }
    self.init(kind, ([text] + error.list).joined(separator: " "))
  }

  package static let fields: [Field<Self>] = [
    Field("failure", "why") { $0.kind }, Field("message", "the same in a sentence") { $0.message },
  ]

  /// Of all kinds, in words for a count: `3 timed out`.
  package static func words(_ kind: Kind) -> String {
    switch kind {
    case .notAStore: "not a store"
    case .damaged: "damaged"
    case .encrypted: "encrypted"
    case .unreadable: "unreadable"
    case .timedOut: "timed out"
    case .crashed: "crashed"
    case .outOfMemory: "out of memory"
    case .refused: "refused"
    case .failed: "failed"
    }
  }

  /// Of what a store's row or its failure has for it: `needs attention`, `timed out`.
  package static func words(of outcome: String) -> String {
    Health(rawValue: outcome)?.word.lowercased() ?? Kind(rawValue: outcome).map(words) ?? outcome
  }
}
