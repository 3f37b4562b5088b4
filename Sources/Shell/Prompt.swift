import Base
import Commands
import Rendering

/// `Notes.store (com.example.Notes) 3 pending> `: which store, whose, and how much is pending. Without the word read-only, operations may change it.
final class Prompt {
  private let hasUnicode: Bool
  private let hasEscapes: Bool
  private var known: (stamp: StoreStamp, status: StoreStatus)?
  /// How long a person may wait for the prompt.
  private static let patience = 0.15
  private static let (longestName, longestOwner) = (30, 28)
  private var knownOwner: (path: String, name: String?)?

  init(hasUnicode: Bool, hasEscapes: Bool) {
    self.hasUnicode = hasUnicode
    self.hasEscapes = hasEscapes
  }

  /// While a statement goes on; with the quote or comment that is open, as sqlite3 shows it.
  func continuation(of assembler: InputAssembler) -> String {
    let open = assembler.isInComment ? "/*" : assembler.openQuote.map(String.init) ?? ""
    return TerminalText.padded(open, to: 3, right: false) + "...> "
  }

  func text(_ environment: CommandEnvironment) -> String {
    let path = environment.storePath ?? ""
    let name = TerminalText.shortened(TerminalText.escaped(Platform.fileName(path)), to: Self.longestName)
    let hasColor = hasEscapes && environment.hasColor
    var parts: [String] = []
    if let commits = environment.asOfCommit, commits > 0 {
      parts.append(styled("\(Sentence.count(commits, "commit")) ago", "33", hasColor))
    } else if let pending = status(of: environment).flatMap({ count($0.pending) }) {
      parts.append(styled("\(pending) pending", "33", hasColor))
    }
    if environment.asOfCommit != nil || !Files.isWritable(path) {
      parts.append(styled("read-only", "32", hasColor))
    }
    let owner = owner(of: environment, path)
    return styled(hasUnicode ? name : ASCIIFilter.filtered(name), "1", hasColor)
      + (owner.map { " (\(hasUnicode ? $0 : ASCIIFilter.filtered($0)))" } ?? "")
      + (parts.isEmpty ? "" : " " + parts.joined(separator: ", ")) + "> "
  }

  /// Many apps call their store the same.
  private func owner(of environment: CommandEnvironment, _ path: String) -> String? {
    if let knownOwner, knownOwner.path == path { return knownOwner.name }
    let name = environment.openSource?.ownerName.map {
      TerminalText.shortened(TerminalText.escaped($0), to: Self.longestOwner, keepsEnd: true)
    }
    knownOwner = (path, name)
    return name
  }

  private func count(_ count: StoreStatus.Count) -> String? {
    switch count {
    case .absent, .known(0): nil
    case .known(let number): String(number)
    case .unknown: hasUnicode ? "…" : "?"
    }
  }

  private func status(of environment: CommandEnvironment) -> StoreStatus? {
    guard let stamp = StoreStamp(of: environment) else { return nil }
    if let known, known.stamp == stamp { return known.status }
    let status = StoreStatus(of: environment, seconds: Self.patience)
    known = (stamp, status)
    return status
  }

  /// readline must know which bytes take no place: they stand between 1 and 2.
  private func styled(_ text: String, _ code: String, _ hasColor: Bool) -> String {
    hasColor ? "\u{1}\u{1B}[\(code)m\u{2}\(text)\u{1}\u{1B}[0m\u{2}" : text
  }
}

/// The locale as far as it decides which bytes a terminal takes for which characters.
struct ShellLocale {
  /// Whether what is typed and shown is UTF-8.
  let hasUnicode: Bool

  /// Sets the process's LC_CTYPE, from which readline learns how wide characters are.
  init() {
    var isSet = CharacterSet.choose("")
    // Bare containers have no locale, or not the one that the environment names; glibc and macOS bring UTF-8 along.
    if Terminal.localeHasUnicode, !isSet || !CharacterSet.isUTF8 {
      isSet = CharacterSet.choose("C.UTF-8") || CharacterSet.choose("UTF-8")
    }
    hasUnicode = isSet && CharacterSet.isUTF8
  }
}
