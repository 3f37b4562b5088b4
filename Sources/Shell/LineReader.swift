import Commands
import Values

/// Where the shell's lines come from.
protocol LineReader: AnyObject {
  /// Waits for a line; what was typed comes without its end. With bracketed paste it may hold more than one line.
  func read(prompt: String) throws(StoreScopeError) -> LineReading
  /// From here on the text can be called up again.
  func remember(_ text: String)
}

enum LineReading: Equatable {
  case line(String)
  /// Ctrl-C: what was typed so far is dropped.
  case interrupted
  /// Ctrl-D, or the end of the file.
  case end
}

/// How the word at the cursor may go on: the line up to the cursor, and the byte from which readline replaces.
typealias LineCompleter = (_ line: String, _ start: Int) -> [Candidate]
