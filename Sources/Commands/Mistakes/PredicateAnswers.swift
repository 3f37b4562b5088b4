import Base
import Lens
import Rendering

extension PredicateMistake {
  /// - Parameter text: the predicate as it was typed.
  func error(in text: String) -> StoreScopeError {
    let near = name.map { Suggestion.sentence(for: $0, in: known) } ?? ""
    let problem = near.isEmpty ? problem : Sentence.ended(problem) + near
    var error = StoreScopeError(
      .invalid, Sentence.begun(problem), about: text, advice: near.isEmpty ? advice : nil)
    error.list = PlaceMark.lines(text, at: offset)
    return error
  }
}

/// The line of a text that has a mistake, and a mark below its place.
enum PlaceMark {
  private static let mostBefore = 50
  private static let widest = 76

  /// - Parameter byte: in the text's UTF-8.
  static func lines(_ text: String, at byte: Int) -> [String] {
    let bytes = Array(text.utf8)
    let byte = min(byte, bytes.count)
    let lineEnd = UInt8(ascii: "\n")
    let start = bytes[..<byte].lastIndex(of: lineEnd).map { $0 + 1 } ?? 0
    let end = bytes[byte...].firstIndex(of: lineEnd) ?? bytes.count
    func shown(_ range: Range<Int>) -> String {
      TerminalText.escaped(String(decoding: bytes[range], as: UTF8.self).replacing("\t", with: " "))
    }
    var before = shown(start..<byte)
    if before.count > mostBefore { before = "…" + before.suffix(mostBefore) }
    let behind = shown(byte..<end).prefix(widest - before.count)
    return [before + behind, String(repeating: " ", count: TerminalText.width(before)) + "^"]
  }
}
