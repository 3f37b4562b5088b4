import Base
import Commands

/// What Tab offers, from what the store holds now.
final class ShellCompletion {
  private var known: (stamp: StoreStamp, context: CompletionContext)?
  /// How long a person waits for Tab; what took longer to find out isn't offered.
  private static let patience = 1.0

  /// - Parameter before: lines of a statement that go before this one.
  func candidates(
    _ line: String, from start: Int, before: String, in environment: CommandEnvironment
  ) -> [Candidate] {
    let completer = Completer(
      builtins: Builtin.all.map {
        Completer.Builtin(
          $0.names, arguments: $0.arguments, options: $0.options, takesCommand: $0.takesCommand)
      },
      context: context(environment), place: .shell)
    guard let (line, skipped) = before.isEmpty ? Self.command(in: line) : (line, 0), start >= skipped else {
      return []
    }
    let start = start - skipped
    let offset = before.isEmpty ? 0 : before.utf8.count + 1
    let whole = before.isEmpty ? line : before + "\n" + line
    return completer.complete(line: whole).candidates(in: whole, replacingFrom: offset + start)
  }

  func entities(in environment: CommandEnvironment) -> [String] { context(environment).entities.map(\.name) }

  /// The command that is being typed in a line, and how many bytes of the line aren't in it: behind a semicolon another
  /// one begins, and a file behind '>' is typed as 'read' takes one. Nil behind a pipe: a program's words are its own.
  private static func command(in line: String) -> (line: String, skipped: Int)? {
    let marks = Array(LineMarks(line))
    guard !marks.contains(where: { $0.kind == .pipe || $0.kind == .remark }) else { return nil }
    guard let last = marks.last else { return (line, 0) }
    var skipped = last.offset + 1
    guard last.kind == .file else { return (String(line.utf8.dropFirst(skipped)) ?? "", skipped) }
    if line.utf8.dropFirst(skipped).first == UInt8(ascii: ">") { skipped += 1 }
    let opening = Builtin.read.name + " "
    return (opening + (String(line.utf8.dropFirst(skipped)) ?? ""), skipped - opening.utf8.count)
  }

  private func context(_ environment: CommandEnvironment) -> CompletionContext {
    guard let source = environment.openSource, let stamp = StoreStamp(of: environment) else {
      return .withoutStore()
    }
    if let known, known.stamp == stamp { return known.context }
    let end = Platform.monotonicSeconds() + Self.patience
    let session = Session(
      source, modelPath: environment.modelPath, asOfCommit: environment.asOfCommit,
      goesOn: { Platform.monotonicSeconds() < end && !Interruption.isRequested })
    let context = CompletionContext.make(session)
    // What was cut short is found out whole another time, perhaps.
    if Platform.monotonicSeconds() < end, !Interruption.isRequested { known = (stamp, context) }
    return context
  }
}
