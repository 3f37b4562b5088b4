import Base
import Rendering

/// What a run prints with: its result, and notes in addition.
struct RunOutput {
  let printer: ResultPrinter
  let options: Renderer.Options
  let progress: Progress
  let notes: Notes
  let numbers: ObjectNumbers?
  /// With the commands that sentences quote as they are typed here.
  let worded: (Document) -> Document

  func print(_ document: Document) throws {
    if let warning = document.warning, [.csv, .ndjson, .junit, .sarif].contains(options.format) {
      notes.add(warning)
    }
    try printer.render(worded(document), options, numbers: numbers)
    if options.columns != nil || [.csv, .ndjson].contains(options.format) {
      document.asides.forEach(notes.add)
    }
    guard let note = options.style.dates.zoneNote else { return }
    switch options.format {
    case .table, .vertical: try printer.render(options.style.faint(note) + "\n")
    case .markdown: try printer.render("\n\(note)\n")
    case .json, .ndjson, .csv, .sarif, .junit, .html, .mermaid, .dot, .svg: break
    }
  }

  /// Says what was done. Done it is, whatever becomes of saying so: nothing more is asked of the store.
  func tell(_ document: Document?, _ receipt: Receipt, _ failure: StoreScopeError?) throws {
    try Interruption.postponed { wasInterrupted in
      guard let document else { return notes.add(receipt) }
      do {
        try print(document)
        try printer.deliver()
        if printer.isReaderGone { notes.say(receipt) }
      } catch is InterruptedError {
        notes.say(receipt)
      } catch {
        var error = StoreScopeError(.unwritable, "\(Sentence.ended(receipt.sentence)) \(error)")
        error.list = receipt.lines + (failure.map { ["\($0)"] + $0.list } ?? [])
        throw error
      }
      if wasInterrupted { notes.say("interrupted too late: this was already done") }
    }
  }
}

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
