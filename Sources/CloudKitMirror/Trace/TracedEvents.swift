import Values

/// The events that concern an object's changes: after each change of the app's own the exports up to the first that
/// succeeded, and for each imported change the import that brought it.
///
/// An event doesn't say which objects it carried, so this is by time alone.
struct TracedEvents {
  private(set) var steps: [TraceStep] = []
  private static let limit = 1_000

  init(_ mirror: Mirror, _ moments: [TracedChanges.Moment]) throws {
    let saves = moments.filter { $0.origin == .app }.map(\.at).sorted()
    let imports = moments.filter { $0.origin == .importing }.map(\.at).sorted()
    // The first change that no export has carried yet.
    var next = 0
    try EventReader(mirror).forEach { event in
      guard let started = event.started else { return true }
      switch event.kind {
      case .export:
        // Whatever was saved before an export began is in it.
        guard next < saves.count, saves[next] <= started else { return true }
        steps.append(Self.step(event))
        if event.succeeded { while next < saves.count, saves[next] <= started { next += 1 } }
      case .import:
        let ended = event.ended ?? started
        if imports.contains(where: { started <= $0 && $0.seconds <= ended.seconds + 1 }) {
          steps.append(Self.step(event))
        }
      case .setup, nil: break
      }
      return steps.count < Self.limit
    }
  }

  private static func step(_ event: MirrorEvent) -> TraceStep {
    let isImport = event.kind == .import
    var text = isImport ? "An import" : "An export"
    if event.ended == nil {
      text += " began, and has no end."
    } else if event.succeeded {
      text += isImport ? " succeeded, and may have brought it." : " succeeded, and may have sent it."
    } else {
      text += " failed\(event.errorText.map { " with \($0)" } ?? "")"
      text += event.isNoise ? ", which means nothing by itself." : "."
    }
    return TraceStep(
      at: event.started, kind: .event, text: text,
      details: [
        .init("type", .text(event.typeName)), .init("ended", .optional(event.ended)),
        .init("succeeded", .bool(event.succeeded)), .init("errorDomain", .optional(event.errorDomain)),
        .init("errorCode", .optional(event.errorCode)), .init("errorName", .optional(event.errorName)),
        .init("isNoise", .bool(event.isNoise)),
      ])
  }
}
