import Base

/// `storescope __complete -- WORDS…`: what the completion scripts of bash, zsh and fish ask. Prints the words that may
/// stand in place of the last one, one a line; nothing where nothing is known, and never an error.
enum CompletionServer {
  static let name = "__complete"

  /// - Parameter words: those behind `__complete`. With `--quoted` before `--` they are as typed, in the quotes of a
  ///   POSIX shell; else they are what the shell makes of them. With `--bash BREAKS` they are as typed too, and the
  ///   answers are quoted for bash, which inserts them as they are; zsh and fish quote by themselves.
  static func answer(_ words: [String]) -> String {
    guard let mark = words.firstIndex(of: "--") else { return "" }
    var typed = Array(words[(mark + 1)...])
    let options = words[..<mark]
    let bash = options.first == "--bash" ? BashInsertion(typed.last ?? "", breaks: options.last ?? "") : nil
    if options.contains("--quoted") || bash != nil {
      typed = typed.map { TypedWord.words(of: $0).map(\.text).joined(separator: " ") }
    }
    if typed.isEmpty { typed = [""] }
    var completer = Completer(context: .withoutStore(), place: .program)
    if let store = completer.storeNeeded(words: typed) {
      let session = Session(
        path: FolderListing.expanded(store.path), modelPath: store.model.map(FolderListing.expanded))
      completer = Completer(context: .make(session), place: .program)
    }
    return completer.candidates(words: typed)
      .compactMap { bash == nil ? $0.value : bash?.text($0.value) }.map { $0 + "\n" }.joined()
  }
}

/// What bash is to put into the line in place of the word that is being typed: it inserts what completion gives it as it
/// is, and a name out of a stranger's store must stay one word that runs nothing.
///
/// Readline replaces what stands behind an open quote, or else behind the last of the characters that end words for it
/// (COMP_WORDBREAKS), and closes an open quote itself.
/// https://www.gnu.org/software/bash/manual/html_node/Programmable-Completion.html
struct BashInsertion {
  private var openQuote: Unicode.Scalar?
  /// The part of the word that stays, without its quotes.
  private let kept: String
  private let beginsAtHome: Bool

  /// - Parameters:
  ///   - word: as it was typed.
  ///   - breaks: what COMP_WORDBREAKS holds.
  init(_ word: String, breaks: String) {
    let breaks = Set(breaks.unicodeScalars).subtracting("'\"".unicodeScalars)
    var isEscaped = false
    var scalars = word.unicodeScalars[...]
    var (start, quoteStart) = (scalars.startIndex, scalars.startIndex)
    while let scalar = scalars.popFirst() {
      if isEscaped {
        isEscaped = false
      } else if scalar == "\\", openQuote != "'" {
        isEscaped = true
      } else if scalar == openQuote {
        openQuote = nil
      } else if openQuote == nil, scalar == "'" || scalar == "\"" {
        openQuote = scalar
        quoteStart = scalars.startIndex
      } else if openQuote == nil, breaks.contains(scalar) {
        start = scalars.startIndex
      }
    }
    if openQuote != nil { start = quoteStart }
    kept = TypedWord.words(of: String(word[..<start])).map(\.text).joined(separator: " ")
    beginsAtHome = openQuote == nil && kept.isEmpty && word.hasPrefix("~/")
  }

  /// Nil if the candidate doesn't continue the part that is kept.
  func text(_ candidate: String) -> String? {
    let scalars = candidate.unicodeScalars
    let count = kept.unicodeScalars.count
    guard String(scalars.prefix(count)).lowercased() == kept.lowercased() else { return nil }
    let rest = String(scalars.dropFirst(count))
    switch openQuote {
    case "'": return closing(ShellQuotes.insideSingle(rest), "'")
    case "\"":
      let text = ShellQuotes.escaping(rest) { scalar in
        switch scalar {
        case "\"", "\\", "$", "`": "\\\(scalar)"
        // Between these quotes bash would look for it in the history, or keep the backslash.
        case "!": "\"\\!\""
        default: nil
        }
      }
      return closing(text, "\"")
    default:
      // In quotes the tilde would be a name like others.
      if beginsAtHome, rest.hasPrefix("~/") { return "~/" + Self.bare(String(rest.dropFirst(2))) }
      return Self.bare(rest)
    }
  }

  /// Readline takes a quote at the end for the closing one.
  private func closing(_ text: String, _ quote: String) -> String {
    text.hasSuffix(quote) ? text + quote : text
  }

  private static func bare(_ text: String) -> String {
    ShellQuotes.escaping(text) { plain.contains($0) || !$0.isASCII ? nil : "\\\($0)" }
  }

  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=%@,+-".unicodeScalars)
}
