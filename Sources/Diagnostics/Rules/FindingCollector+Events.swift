import CloudKitMirror
import Explanations
import Values

extension FindingCollector {
  /// A type of run that fails with one error; a baseline knows it by the two.
  mutating func add(_ failure: EventFailure, _ more: [DataValue.Member] = []) {
    let last = failure.last
    let error = last.errorText ?? "an error that the log doesn't name"
    add(
      subject: "\(failure.kind.name) \(error)",
      [
        .init("type", .text(failure.kind.name)), .init("error", .text(error)),
        .init("errorDomain", .optional(last.errorDomain)), .init("errorCode", .optional(last.errorCode)),
        .init("errorName", .optional(last.errorName)), .init("failures", .count(failure.count)),
        .init("first", .optional(failure.first.moment)), .init("last", .optional(last.moment)),
        .init("meaning", .text(last.explanation?.meaning ?? "Nothing more is known of that error.")),
      ] + more)
  }
}
