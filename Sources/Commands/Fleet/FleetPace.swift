import Base

/// How far a run over many stores is. What an earlier run has done says nothing of how fast this one is.
package struct FleetPace {
  private let total: Int
  private let before: Int
  private var done = 0

  /// - Parameter before: how many were done when it began.
  package init(total: Int, before: Int) {
    self.total = total
    self.before = before
  }

  package mutating func add() { done += 1 }

  /// `250 of 1,000 stores, 50 per second, 15 s left`
  package func words(after seconds: Double) -> String {
    let rate = Double(done) / max(seconds, 0.001)
    let rest = total - before - done
    let left = done > 0 ? ", \(Sentence.seconds(Double(rest) / rate)) left" : ""
    return
      "\(Sentence.number(before + done)) of \(Sentence.count(total, "store")), \(Sentence.number(Int(rate))) per second\(left)"
  }
}
