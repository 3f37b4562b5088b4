import Base
import Rendering

/// Puts one result where it belongs: through the pager if it is taller than the terminal, straight out elsewhere.
///
/// Printing has two ends. When `render` returns, nothing more is made, and what was read for it can be closed. `deliver`
/// then waits for those who read, who may take their time.
final class ResultPrinter {
  private let terminal: Terminal
  private let output: ResultOutput?
  private let mayPage: Bool
  /// The beginning, until it is clear that it can't be taken back any more, and where it goes; nil from then on.
  private var held: [UInt8]? = []
  private var pager: Pager?
  private var patient: PatientWriter?
  private var ascii = ASCIIFilter()
  private var ending: PatientWriter.Ending?
  /// Why what takes the results couldn't be opened.
  private var refusal: (any Error)?
  var beforeFirstByte: () -> Void = {}

  /// How much is held. Less than a renderer's buffer, which comes earlier only if it is the last one: so nobody waits.
  private static let longestHeld = 65_536

  /// - Parameter output: takes the bytes in place of standard output.
  init(_ terminal: Terminal, pages: Bool, output: ResultOutput?) {
    self.terminal = terminal
    self.output = output
    mayPage = pages && terminal.outputIsTerminal && !terminal.isDumb
  }

  /// Whether anything was shown.
  var hasBegun: Bool { held == nil }

  /// Forgets what was rendered and not shown.
  func takeBack() {
    guard held != nil else { return }
    (held, ascii) = ([], ASCIIFilter())
  }

  /// - Throws: what the document's rows throw while they are made, and what keeps the output from being written.
  func render(_ document: Document, _ options: Renderer.Options, numbers: ObjectNumbers? = nil) throws {
    let buffer = OutputBuffer(write: hold)
    try Renderer(output: buffer, options: options, numbers: numbers).render(document)
    try check()
  }

  func render(_ text: String) throws {
    var text = text
    _ = text.withUTF8 { hold(UnsafeRawBufferPointer($0)) }
    try check()
  }

  /// Shows what is held, and waits until everything is taken.
  func deliver() throws {
    if held != nil { _ = release() }
    patient?.finish()
    ending = ending ?? patient?.ending
    patient = nil
    defer { pager = nil }
    try pager?.close()
    try check()
  }

  /// Whether the reader has gone before everything was taken.
  var isReaderGone: Bool { ending == .readerLeft }

  /// A reader that had enough, such as `head`, is no error.
  private func check() throws {
    if let refusal { throw refusal }
    switch ending ?? patient?.ending {
    case .failed(let reason):
      throw StoreScopeError(
        .unwritable, "The output could not be written: \(reason). The output is incomplete")
    case .interrupted: throw InterruptedError()
    case .readerLeft, nil: return
    }
  }

  // MARK: - Bytes

  private func hold(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard terminal.outputIsTerminal, !terminal.hasUnicode else { return take(bytes) }
    return ascii.filtered(bytes).withUnsafeBytes(take)
  }

  private func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let start = held else { return send(bytes) }
    held = start + bytes
    return start.count + bytes.count > Self.longestHeld ? release() : true
  }

  private func release() -> Bool {
    let start = held ?? []
    held = nil
    guard !start.isEmpty, !Interruption.isRequested else {
      if Interruption.isRequested { ending = .interrupted }
      return ending == nil
    }
    beforeFirstByte()
    if mayPage, isTallerThanScreen(start) { pager = Pager() }
    switch output {
    case nil: patient = PatientWriter(pager?.descriptor ?? 1)
    case .file(let descriptor):
      do { patient = PatientWriter(try descriptor()) } catch {
        refusal = error
        return false
      }
    case .memory: break
    }
    return start.withUnsafeBytes(send)
  }

  private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard ending == nil, refusal == nil else { return false }
    if let patient { return patient.write(bytes) }
    if case .memory(let take) = output { take(bytes) }
    return true
  }

  private func isTallerThanScreen(_ bytes: [UInt8]) -> Bool {
    let rows = terminal.size?.rows ?? 24
    let columns = max(1, terminal.size?.columns ?? 80)
    var lines = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      // Characters, not bytes: those after the first of a character begin with the bits 10.
      let width = line.count { $0 & 0xC0 != 0x80 }
      lines += 1 + max(0, width - 1) / columns
      if lines >= rows { return true }
    }
    return false
  }
}

/// `$PAGER`, or `less` set to leave at once what fits the screen.
struct Pager {
  private let pipe: Platform.Pipe
  private let commandLine: String

  /// Nil where paging isn't wanted or there is no such program.
  init?() {
    let commandLine = Platform.environment("PAGER") ?? "less"
    let program = commandLine.split(separator: " ").first.map(String.init) ?? ""
    guard !program.isEmpty, program != "cat", Platform.hasProgram(program) else { return nil }
    Platform.setEnvironment("LESS", Self.lessOptions(Platform.environment("LESS")))
    // Data from a stranger's store is on the screen: the pager must not run commands (less's manual, SECURITY).
    Platform.setEnvironment("LESSSECURE", "1")
    guard let pipe = Platform.Pipe(to: commandLine) else { return nil }
    self.pipe = pipe
    self.commandLine = commandLine
  }

  /// What less gets through its environment: colors have to reach the terminal (`-R`), whatever else a person
  /// has set. Without that less shows escapes as text.
  static func lessOptions(_ own: String?) -> String {
    guard let own, !own.isEmpty else { return "FRX" }
    // Words of their own, so that nothing that was set is read in another way: `-P` and the like take the rest of
    // their word. A dollar ends such a string (less's manual, OPTIONS).
    return "-R " + own
  }

  /// Where it reads from.
  var descriptor: Int32 { pipe.descriptor }

  /// Waits for its end.
  /// - Throws: `StoreScopeError` if the shell couldn't run it, so that nothing was shown:
  ///   https://pubs.opengroup.org/onlinepubs/9799919799/utilities/V3_chap02.html#tag_19_08_02
  func close() throws {
    guard let code = pipe.close(), [126, 127].contains(code) else { return }
    throw StoreScopeError(
      .failed, "The pager '\(commandLine)' can't be run, so the result wasn't shown",
      advice: "Set PAGER to another program, or give --no-pager")
  }
}

/// What takes results in place of standard output.
package enum ResultOutput {
  /// A file or a pipe: its descriptor, asked for when the first result comes, which may open it.
  case file(() throws -> Int32)
  /// A part of the program.
  case memory((UnsafeRawBufferPointer) -> Void)
}
