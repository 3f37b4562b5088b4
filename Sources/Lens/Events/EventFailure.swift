/// Runs of one type that failed with one error, and that no success came after.
package struct EventFailure: Sendable, Equatable {
  package var kind: MirrorEvent.Kind
  package var count: Int
  package var first: MirrorEvent
  package var last: MirrorEvent

  /// The error; both are nil where the log has none.
  struct Cause: Hashable {
    var domain: String?
    var code: Int64?

    init(_ event: MirrorEvent) {
      domain = event.errorDomain
      code = event.errorCode
    }
  }

  /// Different errors of one type. Frameworks write some dozens; the limit is for made-up logs.
  static let limit = 100
}
