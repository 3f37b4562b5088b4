import Values

/// A picture made of characters: only what is drawn, no colors and no widths, which `ChartText` decides.
package enum Chart: Sendable, Equatable {
  case bars(BarChart)
  case counts(CountChart)
  case marks(MarkChart)
}

/// How often something happened in the course of time: columns for all of it, and a sparkline for each of its parts.
package struct CountChart: Sendable, Equatable {
  package struct Series: Sendable, Equatable {
    package var label: String
    /// By hours since 1970-01-01 00:00 UTC.
    package var counts: [Int64: Int]
    /// What has no usable timestamp.
    package var undated: Int
    /// Nil for the color of its place.
    package var ink: Ink?

    package init(_ label: String, counts: [Int64: Int] = [:], undated: Int = 0, ink: Ink? = nil) {
      self.label = label
      self.ink = ink
      self.counts = counts
      self.undated = undated
    }
  }

  /// One of what is counted, such as `change`.
  package var unit: String
  /// One series is the whole, and drawn as columns only.
  package var series: [Series]

  package init(of unit: String, series: [Series]) {
    self.unit = unit
    self.series = series
  }

  /// `Changes`; the chart says per which time.
  var subject: String { Sentence.begun(unit) + "s" }
}

/// How runs of several kinds went in the course of time: one line per kind.
package struct MarkChart: Sendable, Equatable {
  /// The better before the worse: where there is room for one only, the last is shown.
  package enum Mark: Int, Sendable, CaseIterable {
    case succeeded, noise, open, failed

    package var word: String {
      switch self {
      case .succeeded: "succeeded"
      case .noise: "failed, harmlessly"
      case .open: "never ended"
      case .failed: "failed"
      }
    }
  }

  /// Runs of one kind and outcome in one hour.
  package struct Runs: Sendable, Equatable {
    package var count = 0
    /// When each was and what went wrong, for the first that were added.
    package var notes: [String] = []

    static let mostNotes = 4

    mutating func add(_ other: Runs) {
      count += other.count
      notes += other.notes.prefix(max(0, Self.mostNotes - notes.count))
    }
  }

  package struct Line: Sendable, Equatable {
    package var label: String
    /// By hours since 1970-01-01 00:00 UTC.
    package var runs: [Int64: [Mark: Runs]]
    /// How many of each, those without a usable timestamp too.
    package var counts: [Mark: Int]

    package init(_ label: String) {
      self.label = label
      runs = [:]
      counts = [:]
    }

    /// - Parameters:
    ///   - hour: nil for a run without a usable timestamp, which is only counted.
    ///   - note: when exactly it was, and what went wrong.
    package mutating func add(_ mark: Mark, hour: Int64?, note: @autoclosure () -> String = "") {
      counts[mark, default: 0] += 1
      guard let hour else { return }
      var runs = self.runs[hour]?[mark] ?? Runs()
      runs.count += 1
      if runs.notes.count < Runs.mostNotes { runs.notes.append(note()) }
      self.runs[hour, default: [:]][mark] = runs
    }

    /// How many hours have runs, and whether that one has.
    package var hours: Int { runs.count }
    package func has(hour: Int64) -> Bool { runs[hour] != nil }

    /// The worst of each hour.
    var worst: [Int64: Mark] {
      runs.compactMapValues { $0.keys.max { $0.rawValue < $1.rawValue } }
    }

    /// Column by column, what lies in it.
    func columns(_ axis: TimeAxis) -> [[Mark: Runs]] {
      var columns = [[Mark: Runs]](repeating: [:], count: axis.count)
      for (hour, runs) in runs.sorted(by: { $0.key > $1.key }) {
        for (mark, runs) in runs { columns[axis.column(of: hour)][mark, default: Runs()].add(runs) }
      }
      return columns
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
  /// As many as a page can draw in different colors, and all others as one.
  package var largest: [Series] { largest(Ink.mostSeries + 1) }

  /// The largest series in their order, all others as one behind them: so many in all.
  func largest(_ most: Int) -> [Series] {
    guard series.count > most else { return series }
    let sums = series.map { ChartText.sum($0.counts.values) }
    let order = series.indices.sorted { sums[$0] == sums[$1] ? $0 < $1 : sums[$0] > sums[$1] }
    let kept = order.prefix(most - 1).sorted()
    var others = Series("(\(series.count - kept.count) others)", ink: .others)
    for index in order.dropFirst(most - 1) {
      others.counts.merge(series[index].counts) { ChartText.sum([$0, $1]) }
    }
    return kept.map { series[$0] } + [others]
  }
}
