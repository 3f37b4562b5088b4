import Values

/// A picture made of characters: only what is drawn, no colors and no widths, which `ChartText` decides.
package enum Chart: Sendable, Equatable {
  case bars(BarChart)
  case counts(CountChart)
  case marks(MarkChart)
}

/// How much there is of each of a few things: a bar a line.
package struct BarChart: Sendable, Equatable {
  package struct Bar: Sendable, Equatable {
    package var label: String
    package var count: Int

    package init(_ label: String, _ count: Int) {
      self.label = label
      self.count = count
    }
  }

  package var title: String
  package var bars: [Bar]
  package var unit: ShareChart.Unit

  package init(title: String, bars: [Bar], unit: ShareChart.Unit = .count) {
    self.title = title
    self.bars = bars
    self.unit = unit
  }

  func text(_ count: Int) -> String {
    switch unit {
    case .count: String(count)
    case .bytes: Sentence.size(Int64(count))
    }
  }
}

/// How often something happened in the course of time: columns for all of it, and a sparkline for each of its parts.
package struct CountChart: Sendable, Equatable {
  package struct Series: Sendable, Equatable {
    package var label: String
    /// By hours since 1970-01-01 00:00 UTC.
    package var counts: [Int64: Int]
    /// What has no usable timestamp.
    package var undated: Int

    package init(_ label: String, counts: [Int64: Int] = [:], undated: Int = 0) {
      self.label = label
      self.counts = counts
      self.undated = undated
    }
  }

  /// What is counted, such as `Changes`; the chart says per which time.
  package var subject: String
  /// One series is the whole, and drawn as columns only.
  package var series: [Series]

  package init(subject: String, series: [Series]) {
    self.subject = subject
    self.series = series
  }
}

/// How runs of several kinds went in the course of time: one line per kind, and the worst of each time marked.
package struct MarkChart: Sendable, Equatable {
  /// The better before the worse: where several meet in one column, the last is shown.
  package enum Mark: Int, Sendable, CaseIterable {
    case succeeded, noise, open, failed
  }

  package struct Line: Sendable, Equatable {
    package var label: String
    /// By hours since 1970-01-01 00:00 UTC.
    package var marks: [Int64: Mark]
    /// How many of each.
    package var counts: [Mark: Int]

    package init(_ label: String) {
      self.label = label
      marks = [:]
      counts = [:]
    }

    /// - Parameter hour: nil for a run without a usable timestamp, which is only counted.
    package mutating func add(_ mark: Mark, hour: Int64?) {
      counts[mark, default: 0] += 1
      guard let hour else { return }
      if let known = marks[hour], known.rawValue >= mark.rawValue { return }
      marks[hour] = mark
    }
  }

  package var subject: String
  package var lines: [Line]

  package init(subject: String, lines: [Line]) {
    self.subject = subject
    self.lines = lines
  }
}

extension CountChart {
  /// The largest series in their order, all others as one behind them: so many in all.
  func largest(_ most: Int) -> [Series] {
    guard series.count > most else { return series }
    let sums = series.map { ChartText.sum($0.counts.values) }
    let order = series.indices.sorted { sums[$0] == sums[$1] ? $0 < $1 : sums[$0] > sums[$1] }
    let kept = order.prefix(most - 1).sorted()
    var others = Series("(\(series.count - kept.count) others)")
    for index in order.dropFirst(most - 1) {
      others.counts.merge(series[index].counts) { ChartText.sum([$0, $1]) }
    }
    return kept.map { series[$0] } + [others]
  }
}
