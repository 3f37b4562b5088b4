import Explanations
import Values

/// Runs of one type that failed with one error: a row of the view `failures`.
package struct EventFailure: Sendable, Equatable {
  package private(set) var count = 1
  package let first: MirrorEvent
  package private(set) var last: MirrorEvent
  /// How many of them came after the last success of the type, and the first of these.
  package private(set) var unresolved = 1
  package private(set) var since: MirrorEvent?

  init(_ event: MirrorEvent) { (first, last, since) = (event, event, event) }

  mutating func add(_ event: MirrorEvent) {
    count += 1
    last = event
    unresolved += 1
    since = since ?? event
  }

  mutating func resolve() { (unresolved, since) = (0, nil) }

  /// Whether it is of the event's type and error, or neither has an error in the log.
  func hasCause(of event: MirrorEvent) -> Bool {
    first.rawKind == event.rawKind && first.errorCode == event.errorCode
      && first.errorDomain == event.errorDomain
  }

  /// Frameworks write some dozens of errors; the limit is for made-up logs.
  static let limit = 100

  package var error: String { last.errorText ?? "an error that the log doesn't record" }
  package var meaning: String { last.explanation?.meaning ?? "There is no entry for that error." }
  /// `3 exports`
  package var runs: String { Sentence.count(unresolved, first.typeName) }
}
