/// How much there is of each of several kinds, thing by thing: a bar a thing, in parts.
package struct ShareChart: Sendable, Equatable {
  package struct Kind: Sendable, Equatable {
    package var label: String
    package var ink: Ink

    package init(_ label: String, _ ink: Ink) {
      self.label = label
      self.ink = ink
    }
  }

  package struct Row: Sendable, Equatable {
    package var label: String
    /// One for each kind.
    package var counts: [Int]

    package init(_ label: String, _ counts: [Int]) {
      self.label = label
      self.counts = counts
    }

    var sum: Int { ChartText.sum(counts) }
  }

  package enum Unit: Sendable { case count, bytes }

  /// What is counted, for the table's caption.
  package var title: String
  /// What a row is, in one word.
  package var subject: String
  package var kinds: [Kind]
  package var rows: [Row]
  package var unit: Unit

  package init(title: String, subject: String, kinds: [Kind], rows: [Row], unit: Unit = .count) {
    self.title = title
    self.subject = subject
    self.kinds = kinds
    self.rows = rows
    self.unit = unit
  }

  func text(_ count: Int) -> String {
    switch unit {
    case .count: TextForPeople.count(count)
    case .bytes: TextForPeople.bytes(Int64(count))
    }
  }
}
