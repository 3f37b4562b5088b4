import Rendering
import Values

/// Puts results where they belong: through the pager where they are taller than the terminal, straight out elsewhere.
struct ResultPrinter {
  let terminal: Terminal
  let pages: Bool
  /// Takes the bytes in place of standard output.
  let writer: OutputBuffer.Writer?
  var beforeFirstByte: () -> Void = {}

  /// `whenPrinted` runs before anybody has read what the pager shows: the store must not stay open for that long.
  func print(
    _ document: Document, _ options: Renderer.Options, numbers: ObjectNumbers?, whenPrinted: () throws -> Void
  ) throws {
    let destination = Destination(terminal, pages: pages, writer: writer)
    destination.beforeFirstByte = beforeFirstByte
    defer { destination.close() }
    let output = OutputBuffer(write: destination.write)
    try Renderer(output: output, options: options, numbers: numbers).render(document)
    if let failure = destination.failure { throw Self.unwritten(failure) }
    if destination.wasInterrupted { throw InterruptedError() }
    try whenPrinted()
  }

  func print(_ text: String) throws {
    let destination = Destination(terminal, pages: pages, writer: writer)
    defer { destination.close() }
    let output = OutputBuffer(capacity: 4096, write: destination.write)
    output.text(text)
    output.flush()
    destination.close()
    if let failure = destination.failure { throw Self.unwritten(failure) }
  }

  private static func unwritten(_ failure: String) -> StoreScopeError {
    StoreScopeError("The output could not be written: \(failure). What was written is not whole.")
  }
}

/// Where the bytes of one result go.
private final class Destination {
  private let terminal: Terminal
  private let writer: OutputBuffer.Writer?
  private let mayPage: Bool
  /// What would fit the screen so far; nil once it is clear where the bytes go.
  private var held: [UInt8]?
  private var pager: Pager?
  private var ascii = ASCIIFilter()
  /// What the system said where writing did not succeed.
  private(set) var failure: String?
  private(set) var wasInterrupted = false
  var beforeFirstByte: (() -> Void)?

  /// Small enough for Ctrl-C to be seen soon on a slow terminal.
  private static let piece = 4096

  init(_ terminal: Terminal, pages: Bool, writer: OutputBuffer.Writer?) {
    self.terminal = terminal
    self.writer = writer
    mayPage = pages && terminal.outputIsTerminal && !terminal.isDumb
    if mayPage { held = [] }
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if terminal.outputIsTerminal, !terminal.hasUnicode { return ascii.filtered(bytes).withUnsafeBytes(hold) }
    return hold(bytes)
  }

  private func hold(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard var start = held else { return send(bytes) }
    start += bytes
    held = start
    return isTallerThanScreen(start) ? release(toPager: true) : true
  }

  func close() {
    if held != nil { _ = release(toPager: false) }
    pager?.close()
    pager = nil
  }

  private func release(toPager: Bool) -> Bool {
    let start = held ?? []
    held = nil
    if toPager {
      beforeFirstByte?()
      beforeFirstByte = nil
      pager = Pager()
    }
    return start.withUnsafeBytes(send)
  }

  private func isTallerThanScreen(_ bytes: [UInt8]) -> Bool {
    let rows = terminal.size?.rows ?? 24
    let columns = max(1, terminal.size?.columns ?? 80)
    var lines = 0
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast() {
      lines += 1 + max(0, line.count - 1) / columns
      if lines >= rows { return true }
    }
    return false
  }

  private func send(_ bytes: UnsafeRawBufferPointer) -> Bool {
    beforeFirstByte?()
    beforeFirstByte = nil
    var rest = bytes[...]
    while !rest.isEmpty {
      if Interruption.isRequested {
        wasInterrupted = true
        return false
      }
      let piece = rest.prefix(Self.piece)
      guard sendPiece(UnsafeRawBufferPointer(rebasing: piece)) else { return false }
      rest = rest.dropFirst(piece.count)
    }
    return true
  }

  private func sendPiece(_ bytes: UnsafeRawBufferPointer) -> Bool {
    if let pager { return pager.write(bytes) }
    if writer?(bytes) ?? Platform.write(bytes, to: 1) { return true }
    // A reader that had enough, such as `head`, is no error.
    if !Platform.lastErrorIsClosedPipe { failure = Platform.lastError() }
    return false
  }
}
