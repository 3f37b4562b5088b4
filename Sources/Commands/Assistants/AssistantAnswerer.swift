import Archives
import SystemCalls
import Values

/// The process that answers, from outside. It stays for the next call, so that a store is taken out of its archive once; one
/// that had to be ended is followed by another.
final class AssistantAnswerer {
  private var settings: AssistantSettings
  private var child: ChildProcess?
  private var deadline = Double.infinity
  private var answered: AssistantQuestions.Answer?

  init(_ settings: AssistantSettings) { self.settings = settings }

  /// How long a call may take: what isn't SQL may need more.
  private var mostSeconds: Int { 2 * settings.seconds }
  /// In seconds. One that is killed stays while the system waits for a disk or a network.
  private static let patience = 5.0

  /// - Returns: what is answered if nobody can be asked; nil if the answer follows.
  func ask(_ tool: AssistantTool, _ arguments: DataValue?) -> AssistantQuestions.Answer? {
    let question: DataValue = ["tool": .text(tool.name), "arguments": arguments ?? .null]
    let line = AssistantWorker.line(question)
    deadline = Platform.monotonicSeconds() + Double(mostSeconds)
    // It may have ended since its last answer.
    if let child, child.send(line) { return nil }
    end()
    deadline = Platform.monotonicSeconds() + Double(mostSeconds)
    do {
      let words = [AssistantWorker.command]
      child = try ChildProcess(words, input: AssistantWorker.line(settings.value) + line, isWhole: false)
      return nil
    } catch { return .failure(Sentence.ended("\(error)")) }
  }

  /// Waits until there is more to read, or an answer, so long at most.
  /// - Returns: whether there is more of the input.
  func wait(input: Int32?, seconds: Double) -> Bool {
    let ready = ChildProcess.wait(for: child.map { [$0] } ?? [], input: input, seconds: seconds)
    if ready.children.first == true, let child {
      if child.receive() {
        if let line = child.takeLine() { answered = answer(line) }
      } else {
        let end = child.end(within: Self.patience)
        self.end()
        answered = answered ?? .failure(Self.sentence(end))
      }
    } else if child != nil, Platform.monotonicSeconds() >= deadline {
      end()
      answered = .failure(
        "The call took longer than \(Sentence.count(mostSeconds, "second")), so it was ended; ask for less.")
    }
    return ready.input
  }

  /// What was answered since the last call of this, if anything was.
  func answer() -> AssistantQuestions.Answer? {
    guard let answered else { return nil }
    self.answered = nil
    deadline = .infinity
    return answered
  }

  /// Ends the process, and what it keeps.
  func end() {
    (answered, deadline) = (nil, .infinity)
    guard let child else { return }
    self.child = nil
    child.kill()
    _ = child.end(within: Self.patience)
    PrivateFolder.removeLeftovers()
  }

  private func answer(_ line: [UInt8]) -> AssistantQuestions.Answer {
    guard let value = try? line.withUnsafeBytes({ try JSONReader.read($0) }) else {
      return .failure("The answer can't be read.")
    }
    if let later = value["settings"].flatMap(AssistantSettings.init) { settings = later }
    return value["result"].map(AssistantQuestions.Answer.result)
      ?? .failure(value["failure"]?.text ?? "There is no answer.")
  }

  private static func sentence(_ end: ChildProcess.End?) -> String {
    switch end {
    case .outOfMemory: "The call needed more memory than there is; ask for less."
    case .killed(let signal): "The call ended early, by signal \(signal)."
    case .exited(let code): "The call ended early, with exit code \(code)."
    case .unknown, nil: "The call ended early."
    }
  }
}
