import Rendering
import SystemCalls
import Values

/// What is said on standard error in addition to a result, each thing once however often a store is read.
final class Notes {
  private let progress: Progress
  private let isQuiet: Bool
  private let aside: ((String) -> Void)?
  private let prefix: String
  private var said: Set<String> = []

  init(_ progress: Progress, isQuiet: Bool, prefix: String, aside: ((String) -> Void)? = nil) {
    self.aside = aside
    self.progress = progress
    self.prefix = prefix
    self.isQuiet = isQuiet
  }

  /// Unless the user wants none.
  func add(_ text: String) {
    guard !isQuiet || aside != nil, said.insert(text).inserted else { return }
    if let aside { aside(text) } else { say(text) }
  }

  func add(_ receipt: Receipt) { if !isQuiet { say(receipt) } }

  func say(_ receipt: Receipt) {
    say(receipt.sentence)
    Platform.writeToStandardError(receipt.lines.map { "  \(TerminalText.escaped($0))\n" }.joined())
  }

  func say(_ text: String) {
    progress.finish()
    Platform.writeToStandardError(Terminal.wrapped("\(prefix)\(TerminalText.escaped(text))") + "\n")
  }
}
