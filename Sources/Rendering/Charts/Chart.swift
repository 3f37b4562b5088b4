import Base

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

  /// How many runs there are of each kind that there are any of.
  var sums: [(mark: Mark, count: Int)] {
    Mark.allCases.map { mark in (mark, ChartText.sum(lines.compactMap { $0.counts[mark] })) }
      .filter { $0.count > 0 }
  }
}

extension CountChart {
  /// How much lies in each step of time, by series and in all.
  static func steps(_ series: [Series], on axis: TimeAxis) -> (parts: [[Int]], all: [Int]) {
    let parts = series.map { series in
      var steps = [Int](repeating: 0, count: axis.count)
      for (hour, count) in series.counts {
        let column = axis.column(of: hour)
        steps[column] = ChartText.sum([steps[column], count])
      }
      return steps
    }
    return (parts, (0..<axis.count).map { column in ChartText.sum(parts.map { $0[column] }) })
  }

  var undated: Int { ChartText.sum(series.map(\.undated)) }

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
