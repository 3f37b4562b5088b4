import Values

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
