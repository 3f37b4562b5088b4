/// What a rule that looks at everything could not look at.
struct Omissions {
  private let rest: String
  private var count = 0
  private var first = ""

  /// - Parameter rest: what was done with all others: "All values were searched".
  init(_ rest: String) { self.rest = rest }

  mutating func add(_ place: String, _ reason: String) {
    count += 1
    if count == 1 { first = "\(place) \(reason)" }
  }

  /// Nil if nothing was left out.
  var sentence: String? {
    switch count {
    case 0: nil
    case 1: "\(rest) but one: \(first)."
    default: "\(rest) but \(count); the first of them, \(first)."
    }
  }
}
