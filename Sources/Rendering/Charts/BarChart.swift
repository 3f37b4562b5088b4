import Values

/// How much there is of each of a few things: a bar per thing, in parts if there are several kinds.
package struct BarChart: Sendable, Equatable {
  package struct Kind: Sendable, Equatable {
    package var label: String
    package var ink: Ink

    package init(_ label: String, _ ink: Ink) {
      self.label = label
      self.ink = ink
    }
  }

  package struct Bar: Sendable, Equatable {
    package var label: String
    /// One for each kind.
    package var counts: [Int]

    package init(_ label: String, _ counts: [Int]) {
      self.label = label
      self.counts = counts
    }

    package init(_ label: String, _ count: Int) { self.init(label, [count]) }

    package var sum: Int { ChartText.sum(counts) }
  }

  package enum Unit: Sendable { case count, bytes }

  /// What is counted, for the table's caption.
  package var title: String
  package var kinds: [Kind]
  package var bars: [Bar]
  package var unit: Unit

  package init(
    title: String, kinds: [Kind] = [.init("", .series(0))], bars: [Bar], unit: Unit = .count
  ) {
    self.title = title
    self.kinds = kinds
    self.bars = bars
    self.unit = unit
  }

  func text(_ count: Int) -> String {
    switch unit {
    case .count: Sentence.number(count)
    case .bytes: Sentence.size(Int64(count))
    }
  }
}

/// What a shape stands for; the style sheet has the color of each, in light and in dark.
package enum Ink: Sendable, Equatable {
  /// One of several equals, counted from 0.
  case series(Int)
  /// The rest of them.
  case others
  /// One step of an order, from 0 (least) to 5 (most).
  case step(Int)
  case good, waiting, bad

  /// As many as can be distinguished.
  package static let mostSeries = 6

  var name: String {
    switch self {
    case .series(let index): index < Self.mostSeries ? "s\(index + 1)" : "so"
    case .others: "so"
    case .step(let step): "a\(min(max(step, 0), 5) + 1)"
    case .good: "good"
    case .waiting: "wait"
    case .bad: "bad"
    }
  }
}
