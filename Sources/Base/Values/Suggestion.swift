/// The edit distance between words. `Commands/Mistakes` has the messages.
package enum Suggestion {
  /// The nearest candidate by edit distance, ignoring case, or nil where none is near enough to be meant.
  package static func nearest(to word: String, in candidates: some Sequence<String>) -> String? {
    // One letter is near to every other one.
    let isOneLetter = word.count { $0.isLetter || $0.isNumber } < 2
    return nearest(1, to: word, in: candidates, farthest: isOneLetter ? 0 : farthest(word)).first
  }

  /// The candidate that is the word, or the only one that differs from it in case alone.
  package static func spelled(_ word: String, in candidates: some Sequence<String>) -> String? {
    let same = Set(candidates.filter { $0.lowercased() == word.lowercased() })
    return same.contains(word) ? word : same.count == 1 ? same.first : nil
  }

  /// The nearest candidates, best first, so many at most and those only that are near enough to be meant.
  package static func nearest(_ count: Int, to word: String, in candidates: some Sequence<String>) -> [String]
  {
    nearest(count, to: word, in: candidates, farthest: farthest(word))
  }

  private static func nearest(
    _ count: Int, to word: String, in candidates: some Sequence<String>, farthest: Int
  ) -> [String] {
    let letters = Array(word.lowercased())
    let near = candidates.compactMap { candidate -> (candidate: String, distance: Int)? in
      let other = Array(candidate.lowercased())
      guard abs(other.count - letters.count) <= farthest else { return nil }
      let distance = distance(letters, other, upTo: farthest)
      return distance <= farthest ? (candidate, distance) : nil
    }
    return near.enumerated().sorted { ($0.element.distance, $0.offset) < ($1.element.distance, $1.offset) }
      .prefix(count).map(\.element.candidate)
  }

  /// How far the word may be from one that is meant; also how much shorter or longer that one may be.
  package static func farthest(_ word: String) -> Int { max(1, word.count / 3) }

  /// Insertions, deletions, replacements and swaps of neighbors, one step each. What is farther than `limit` isn't counted
  /// to its end.
  private static func distance(_ one: [Character], _ other: [Character], upTo limit: Int) -> Int {
    guard !one.isEmpty, !other.isEmpty, one.count < 200, other.count < 200 else {
      return max(one.count, other.count)
    }
    var beforeLast = [Int](repeating: 0, count: other.count + 1)
    var last = Array(0...other.count)
    for i in 1...one.count {
      var current = [i] + [Int](repeating: 0, count: other.count)
      for j in 1...other.count {
        let same = one[i - 1] == other[j - 1]
        current[j] = min(last[j] + 1, current[j - 1] + 1, last[j - 1] + (same ? 0 : 1))
        if i > 1, j > 1, one[i - 1] == other[j - 2], one[i - 2] == other[j - 1] {
          current[j] = min(current[j], beforeLast[j - 2] + 1)
        }
      }
      // A later row has no less than the least of the two before it.
      if let least = current.min(), least > limit, let before = last.min(), before > limit { return least }
      beforeLast = last
      last = current
    }
    return last[other.count]
  }
}
