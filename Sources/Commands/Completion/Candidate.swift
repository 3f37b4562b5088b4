import Rendering

/// One way in which the word that is being typed may go on.
package struct Candidate: Sendable, Hashable {
  /// The word as it is meant, without quotes: `Person`, `--format`, `Person/p`, `since=`.
  package var value: String
  /// Whether a blank may follow. False where the word is only begun, as behind `since=` or a folder's `/`.
  package var isWhole: Bool

  package init(_ value: String, isWhole: Bool = true) {
    self.value = value
    self.isWhole = isWhole
  }

  /// Names come out of strangers' stores: none that a terminal would take for more than a name is offered, nor one
  /// that is longer than people type.
  var isPresentable: Bool {
    value.utf8.count <= 500 && TerminalText.escaped(value) == value
  }
}

/// What may stand in a line from one place on.
package struct Completion: Sendable, Equatable {
  /// Bytes of the line, in UTF-8, that stay; what follows them is replaced.
  package var start: Int
  /// In the order in which they are best shown. Their values are quoted as the line needs it, the closing quote
  /// included where the word is whole.
  package var candidates: [Candidate]

  package init(start: Int, candidates: [Candidate]) {
    self.start = start
    self.candidates = candidates
  }
}

extension Completion {
  /// What all candidates begin with, for a line editor to put in place of `typed`, the beginning that all fit. A letter
  /// that is large in one and small in another stays as it was typed: only a candidate of its own decides that.
  package static func common(_ candidates: [Candidate], typed: String) -> String {
    guard let first = candidates.first?.value else { return typed }
    var common = first.map { (letter: $0, isSame: true) }
    for candidate in candidates.dropFirst() {
      common = zip(common, candidate.value).prefix { $0.letter.lowercased() == $1.lowercased() }
        .map { ($0.letter, $0.isSame && $0.letter == $1) }
    }
    let typed = Array(typed)
    var text = ""
    for (index, next) in common.enumerated() {
      guard next.isSame || index < typed.count else { break }
      text.append(next.isSame ? next.letter : typed[index])
    }
    // Nothing that was typed goes away.
    return text.count < typed.count ? String(typed) : text
  }

  /// The same for a line editor that replaces the text from another place on, because it cuts words elsewhere: at
  /// quotes or `=`. What can't be had by replacing that part alone is left out.
  /// - Parameter start: offset in the line's UTF-8.
  package func candidates(in line: String, replacingFrom start: Int) -> [Candidate] {
    if start <= self.start {
      let kept = String(line.utf8.prefix(self.start).dropFirst(start)) ?? ""
      return candidates.map { Candidate(kept + $0.value, isWhole: $0.isWhole) }
    }
    let kept = String(line.utf8.prefix(start).dropFirst(self.start)) ?? ""
    return candidates.compactMap { candidate in
      guard candidate.value.lowercased().hasPrefix(kept.lowercased()) else { return nil }
      return Candidate(String(candidate.value.dropFirst(kept.count)), isWhole: candidate.isWhole)
    }
  }
}
