import Values

/// `$PAGER`, or `less` set to leave at once what fits the screen.
struct Pager {
  private let pipe: Platform.Pipe

  /// Nil where paging isn't wanted or there is no such program.
  init?() {
    let commandLine = Platform.environment("PAGER") ?? "less"
    let program = commandLine.split(separator: " ").first.map(String.init) ?? ""
    guard !program.isEmpty, program != "cat", Platform.hasProgram(program) else { return nil }
    if Platform.environment("LESS") == nil { Platform.setEnvironment("LESS", "FRX") }
    // Data from a stranger's store is on the screen: the pager must not run commands (less's manual, SECURITY).
    Platform.setEnvironment("LESSSECURE", "1")
    guard let pipe = Platform.Pipe(to: commandLine) else { return nil }
    self.pipe = pipe
  }

  func write(_ bytes: UnsafeRawBufferPointer) -> Bool { pipe.write(bytes) }

  func close() { pipe.close() }
}
