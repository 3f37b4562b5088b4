extension StringProtocol {
  /// Without the white space around it: it comes along with what is copied, and stands between the names of a list.
  package var trimmed: SubSequence {
    let start = firstIndex { !$0.isWhitespace } ?? endIndex
    let end = self[start...].lastIndex { !$0.isWhitespace }.map { index(after: $0) } ?? start
    return self[start..<end]
  }
}
