import CReadline
import Commands
import SystemCalls
import Values

/// Lines typed on a terminal, edited by GNU readline, or by libedit where that bears readline's name.
/// https://tiswww.case.edu/php/chet/readline/readline.html
final class ReadlineReader: LineReader {
  /// The words that completion replaces end at these. A slash, a dot and a dash belong to a word.
  private static let wordBreaks = " \t\n\"'(),=<>;"

  /// EOF of the C library.
  private static let end: Int32 = -1

  // readline is one per process, and its callbacks take no context.
  nonisolated(unsafe) private static var completer: LineCompleter?
  /// How often it was answered since Ctrl-C.
  nonisolated(unsafe) private static var answers = 0

  init(completer: LineCompleter?) {
    Self.completer = completer
    // readline keeps both texts forever.
    storescope_readline_set_name(Platform.copyForC("storescope"))
    storescope_readline_set_word_breaks(Platform.copyForC(Self.wordBreaks))
    storescope_readline_keep_environment()
    using_history()
    storescope_readline_set_getc { stream in
      let descriptor = storescope_readline_descriptor(stream)
      return storescope_readline_takes_bytes() != 0
        ? ReadlineReader.nextByte(descriptor) : ReadlineReader.nextCharacter(descriptor)
    }
    storescope_readline_set_completion { _, start, end in ReadlineReader.complete(start, end) }
  }

  func read(prompt: String) -> LineReading {
    storescope_readline_measure_screen()
    Self.answers = 0
    let text = readline(prompt).map(Platform.takeFromC)
    // Whatever was typed when Ctrl-C came is dropped, and the line it ended must not run.
    if Interruption.isRequested { return .interrupted }
    return text.map(LineReading.line) ?? .end
  }

  func remember(_ text: String) { add_history(text) }

  /// The next byte from the terminal. After Ctrl-C the line ends at once, whatever state readline is in: at a question of
  /// its own ("Display all 200 possibilities?") it asks until it gets an answer, and a line's end is none, but Ctrl-G
  /// leaves each of them. https://tiswww.case.edu/php/chet/readline/readline.html#Miscellaneous-Commands
  private static func nextByte(_ descriptor: Int32) -> Int32 {
    while true {
      storescope_readline_check_signals()
      if Interruption.isRequested {
        defer { answers += 1 }
        if answers == 0 { storescope_readline_leave_text() }
        return answers.isMultiple(of: 2) ? 0x0A : 0x07
      }
      var byte: UInt8 = 0
      let count = withUnsafeMutableBytes(of: &byte) { Platform.read(descriptor, into: $0) }
      if count == 1 { return Int32(byte) }
      guard count == nil, Platform.lastFailure == .interrupted else { return Self.end }
    }
  }

  /// The next character of UTF-8; what is none counts byte by byte.
  private static func nextCharacter(_ descriptor: Int32) -> Int32 {
    let first = nextByte(descriptor)
    let more =
      switch first {
      case 0xC2...0xDF: 1
      case 0xE0...0xEF: 2
      case 0xF0...0xF4: 3
      default: 0
      }
    var character = more == 0 ? first : first & (0x3F >> Int32(more))
    for _ in 0..<more {
      let next = nextByte(descriptor)
      // The end, or Ctrl-C.
      guard (0x80...0xBF).contains(next) else { return next }
      character = character << 6 | next & 0x3F
    }
    return character
  }

  private static func complete(
    _ start: Int32, _ end: Int32
  ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
    // As rl_completion_matches makes the list: first what all have in common, then each, then nothing. readline frees
    // it with its texts. Without candidates of ours it must not offer the names of files.
    storescope_readline_completes_alone(0)
    guard let completer, let buffer = storescope_readline_line() else { return nil }
    let line = UnsafeRawBufferPointer(start: buffer, count: Int(end))
    let candidates = completer(String(decoding: line, as: UTF8.self), Int(start))
    guard let first = candidates.first else { return nil }
    if candidates.count == 1, first.isWhole { storescope_readline_completes_alone(0x20) }
    let typed = String(decoding: line.dropFirst(Int(start)), as: UTF8.self)
    let before = start > 0 ? Character(UnicodeScalar(line[Int(start) - 1])) : nil
    let quote = before.flatMap { "\"'".contains($0) ? $0 : nil }
    let texts =
      [Completion.common(candidates, typed: typed)]
      + (candidates.count > 1 ? Completion.listed(candidates, behind: quote) : [])
    return Platform.copyForC(texts)
  }
}
