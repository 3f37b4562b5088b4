import Explanations
import Values

/// Which failing events stand in the way, and which pass.
struct EventBlockers {
  /// What blocks, a sentence each.
  private(set) var sentences: [String] = []
  /// Failures that pass by themselves, a sentence each.
  private(set) var passing: [String] = []
  private let scope: DatabaseScope?

  /// - Parameter isWaiting: whether a failing export stands in anything's way.
  init(_ events: EventDigest, isWaiting: Bool, scope: DatabaseScope?) {
    self.scope = scope
    let others =
      [MirrorEvent.Kind.import, .export].compactMap { events[$0].lastSuccess?.primaryKey }.max() ?? .min
    // Nothing is imported or exported before a setup, so a later success shows that one got through.
    if let failure = events[.setup].failure, failure.primaryKey > others {
      add(failure, "setup", events[.setup])
    }
    if isWaiting, let failure = events[.export].failure { add(failure, "export", events[.export]) }
    if let failure = events[.import].failure { add(failure, "import", events[.import]) }
  }

  private mutating func add(_ failure: MirrorEvent, _ kind: String, _ standing: EventDigest.Standing) {
    var sentence = sentence(failure, kind)
    if standing.failuresInARow > 1 {
      let since = standing.failingSince?.moment?.iso8601.map { ", the first at \($0)" } ?? ""
      sentence += " It failed \(standing.failuresInARow) times in a row\(since)."
    }
    if Self.passes(failure) { passing.append(sentence) } else { sentences.append(sentence) }
  }

  /// The server asks to wait: https://developer.apple.com/documentation/cloudkit/ckerror/code/requestratelimited
  private static let throttling: [Explanation.Concern?] = [.throttling, .busyZone]

  private static func passes(_ failure: MirrorEvent) -> Bool {
    failure.resolvesItself && !throttling.contains(failure.concern)
  }

  /// What failed, what it means, and whether it passes.
  private func sentence(_ failure: MirrorEvent, _ kind: String) -> String {
    let moment = failure.moment?.iso8601.map { " at \($0)" } ?? ""
    let beginning = "The last \(kind)\(moment) failed"
    guard let error = failure.errorText ?? failure.errorDomain else {
      return "\(beginning), and the event doesn't say with which error."
    }
    var sentence = "\(beginning) with \(error)."
    guard let explanation = failure.explanation else {
      return "\(sentence) That error isn't known here, so neither is whether it passes by itself."
    }
    sentence += " \(meaning(explanation))"
    if let words = explanation.resolvesItself.words { sentence += " \(words)" }
    return sentence
  }

  /// Whose storage is full depends on the database:
  /// https://developer.apple.com/documentation/cloudkit/ckerror/code/quotaexceeded
  private func meaning(_ explanation: Explanation) -> String {
    guard explanation.concern == .quota, let scope else { return explanation.meaning }
    let whose =
      switch scope {
      case .private: "The user's iCloud storage is full."
      case .shared: "The iCloud storage of the share's owner is full."
      case .public: "The app's public database has no storage left."
      }
    return whose + " Uploads stop silently; downloads go on."
  }
}
