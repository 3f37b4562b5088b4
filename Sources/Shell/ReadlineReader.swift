import Base
import CReadline
import Commands

/// Lines typed on a terminal, edited by GNU readline, or by libedit where that bears readline's name.
/// https://tiswww.case.edu/php/chet/readline/readline.html
final class ReadlineReader: LineReader {
  /// The words that completion replaces end at these. A slash, a dot and a dash belong to a word.
  private static let wordBreaks = " \t\n\"'(),=<>;"

  /// Whether the end of the line that Ctrl-C dropped was given to readline.
  nonisolated(unsafe) private static var hasEndedLine = false
  nonisolated(unsafe) private static var paste = Paste()

  /// A pasted text that readline is reading. It must get the end of it: given up, it would insert what isn't terminated.
  private struct Paste {
    private static let begin = Array("\u{1B}[200~".utf8)
    private static let end = Array("\u{1B}[201~".utf8)
    private var last: [UInt8] = []
    private var isOpen = false
    private var given = 0

    mutating func add(_ byte: UInt8) {
      last.append(byte)
      if last.count > Self.begin.count { last.removeFirst() }
      if last == Self.begin { isOpen = true } else if last == Self.end { isOpen = false }
    }

    /// The next byte of what ends it; nil if nothing has to end.
    mutating func nextOfEnd() -> UInt8? {
      guard isOpen else { return nil }
      defer { given += 1 }
      isOpen = given + 1 < Self.end.count
      return Self.end[given]
    }
  }

  // readline is one per process, and its callbacks take no context.
  nonisolated(unsafe) private static var completer: LineCompleter?

  init(completer: LineCompleter?) {
    Self.completer = completer
    // readline keeps both texts forever.
    storescope_readline_set_name(Platform.copyForC("storescope"))
    storescope_readline_set_word_breaks(Platform.copyForC(Self.wordBreaks))
    storescope_readline_keep_environment()
    using_history()
    // readline hands signals on when it reads a key or has restored the terminal, which Ctrl-S may have stopped.
    storescope_readline_set_start {
      Interruption.watchEnding()
      return 0
    }
    storescope_readline_set_getc { stream in
      let descriptor = storescope_readline_descriptor(stream)
      return storescope_readline_takes_bytes() != 0
        ? ReadlineReader.nextByte(descriptor) : ReadlineReader.nextCharacter(descriptor)
    }
    storescope_readline_set_completion { _, start, end in ReadlineReader.complete(start, end) }
  }

  func read(prompt: String) -> LineReading {
    storescope_readline_measure_screen()
    (Self.hasEndedLine, Self.paste) = (false, Paste())
    let text = readline(prompt).map(Platform.takeFromC)
    // Whatever was typed when Ctrl-C came is dropped, and the line it ended must not run.
    if Interruption.isRequested { return .interrupted }
    return text.map(LineReading.line) ?? .end
  }

  func remember(_ text: String) { add_history(text) }

  /// The next byte from the terminal. After Ctrl-C, or without a terminal, readline gets none whatever it asks for, until it
  /// gives the line up.
  private static func nextByte(_ descriptor: Int32) -> Int32 {
    while true {
      storescope_readline_check_signals()
      if Interruption.isRequested {
        if let byte = paste.nextOfEnd() { return Int32(byte) }
        guard storescope_readline_edits() != 0, !hasEndedLine else { return storescope_readline_no_key() }
        // An end of the line leaves the screen as it should be.
        hasEndedLine = true
        storescope_readline_leave_text()
        return 0x0A
      }
      // The key that it saw is gone if a signal came since, and reading would wait for the next.
      guard Platform.isReadable(descriptor, within: 1), storescope_readline_has_signal() == 0 else {
        continue
      }
      var byte: UInt8 = 0
      let count = withUnsafeMutableBytes(of: &byte) { Platform.read(descriptor, into: $0) }
      // Where readline wants each key as it is, the terminal makes no signal of Ctrl-C.
      if count == 1, byte == 0x03 {
        Interruption.request()
      } else if count == 1 {
        paste.add(byte)
        return Int32(byte)
      } else if count != nil || Platform.lastFailure != .interrupted {
        return paste.nextOfEnd().map(Int32.init) ?? storescope_readline_no_key()
      }
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
