import Explanations
import Lens

/// What the last setup, import or export shows of the next one.
struct LastRun {
  private typealias Step = LaunchForecast.Step
  private let mirror: Mirror

  init(_ mirror: Mirror) { self.mirror = mirror }

  /// If it failed with something that doesn't pass by itself, the next one fails the same way.
  func failure(_ kind: MirrorEvent.Kind, _ stage: LaunchForecast.Stage) throws -> LaunchForecast.Step? {
    guard let failure = try mirror.events[kind].failure, !failure.resolvesItself else { return nil }
    let words = try Obstacle.words(failure, kind, mirror)
    let code = failure.errorCode.map(String.init)
    let isCocoa = failure.errorDomain == "NSCocoaErrorDomain"
    if try deletesZone(failure) {
      return Step(
        stage, .wipes, code: code.map { "CKErrorDomain:\($0)" },
        "The last \(kind.name) failed: \(words.cause). The mirror then deletes the local objects of that zone.",
        isSure: false,
        fix:
          "Back the store up before the next launch. A zone that the user deleted on purpose should stay deleted."
      )
    }
    return Step(
      stage, .fails, code: isCocoa ? code : code.map { "\(failure.errorDomain ?? ""):\($0)" },
      Self.because(failure, kind, words.cause), isSure: false, fix: words.fix)
  }

  /// A cause that only repeats the error says less than what the error means.
  private static func because(_ failure: MirrorEvent, _ kind: MirrorEvent.Kind, _ cause: String) -> String {
    guard failure.concern == nil, let error = failure.errorText ?? failure.errorDomain, cause.hasSuffix(error)
    else {
      return "The last \(kind.name) failed: \(cause)."
    }
    let meaning = failure.explanation?.meaning
    return "The last \(kind.name) failed with \(error).\(meaning.map { " \($0)" } ?? "")"
  }

  /// Whether the mirror answers the error by deleting the zone's local objects: the user deleted the zone, or a share
  /// ended. A zone of the user's own that is only missing is made again, and without any zone it has already happened.
  func deletesZone(_ failure: MirrorEvent) throws -> Bool {
    guard failure.errorDomain == "CKErrorDomain", try !mirror.zones.isEmpty else { return false }
    return try failure.errorCode == 28 || (failure.errorCode == 26 && mirror.scope == .shared)
  }
}
