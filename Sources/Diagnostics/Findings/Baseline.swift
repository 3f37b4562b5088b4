import Values

/// Findings that a team has accepted: only what comes on top counts.
package struct Baseline: Sendable, Equatable {
  package struct Entry: Sendable, Equatable {
    package var count = 0
    package var marks: Set<Mark> = []

    package init() {}

    /// Whether a finding was there before. Of more findings than marks are kept for, the number decides.
    func knows(_ mark: Mark, after known: Int) -> Bool {
      count > marks.count ? known < count : marks.contains(mark)
    }
  }

  private var entries: [String: Entry] = [:]

  package init() {}

  package subscript(rule: String) -> Entry { entries[rule] ?? Entry() }

  /// All that a diagnosis found, what an older baseline knew included.
  package init(_ diagnosis: Diagnosis) {
    for finding in diagnosis.findings + diagnosis.accepted {
      var entry = Entry()
      entry.count = finding.count + finding.known
      entry.marks = Set(finding.marks)
      entries[finding.rule.id] = entry
    }
  }

  /// Reads what `findings` makes; nil if it is something else.
  init?(_ findings: DataValue?) {
    guard case .array(let findings) = findings else { return nil }
    for finding in findings {
      guard let rule = finding["rule"]?.text, case .integer(let count) = finding["count"],
        case .array(let texts) = finding["marks"]
      else { return nil }
      var entry = Entry()
      entry.count = Int(clamping: max(0, count))
      let marks = texts.compactMap { $0.text.flatMap(Mark.init) }
      guard marks.count == texts.count else { return nil }
      entry.marks = Set(marks)
      entries[rule] = entry
    }
  }

  var findings: DataValue {
    .array(
      entries.sorted { $0.key < $1.key }.map { rule, entry -> DataValue in
        [
          "rule": .text(rule), "count": .count(entry.count),
          "marks": .array(entry.marks.sorted().map { .text($0.text) }),
        ]
      })
  }
}
