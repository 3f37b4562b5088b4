/// What was wrong with a model, one clause each. Both the number of clauses and their length are limited, as a
/// made-up file can repeat a name of megabytes a million times.
struct ProblemList {
  private(set) var clauses: [String] = []
  private static let limit = 100
  private static let lengthLimit = 300

  mutating func report(_ clause: @autoclosure () -> String) {
    guard clauses.count < Self.limit else { return }
    let text = clause()
    clauses.append(text.utf8.count > Self.lengthLimit ? text.prefix(Self.lengthLimit) + "…" : text)
  }
}
