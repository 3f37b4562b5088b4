/// Where the shell's lines come from.
protocol LineReader: AnyObject {
  /// Waits for a line; what was typed comes without its end. With bracketed paste it may hold more than one line.
  func read(prompt: String) -> LineReading
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

/// What could stand at the cursor: the line as UTF-8, and where the cursor is in it.
package typealias LineCompleter = (_ line: String, _ cursor: Int) -> [String]
