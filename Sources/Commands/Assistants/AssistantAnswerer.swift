import Archives
import Base

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

/// The process that answers, from inside: `storescope __mcp` reads settings and then questions from standard input, a line
/// each, and writes a line for each answer.
enum AssistantWorker {
  static let command = "__mcp"

  static func line(_ value: DataValue) -> [UInt8] { Array(JSONText.compact(value).utf8) + [0x0A] }

  /// - Returns: the exit code.
  static func run() -> Int32 {
    Platform.occupyStandardDescriptors()
    Platform.ignoreBrokenPipes()
    ChildProcess.limitThisProcess(memory: .max, seconds: 0)
    guard let settings = next().flatMap(AssistantSettings.init) else {
      return Application.complain(
        UsageError.conflict("'\(command)' is started by 'storescope mcp'."), CommandWording(place: .program))
    }
    do {
      let questions = try AssistantQuestions(settings)
      while let question = next() {
        // Whoever started it ends it earlier.
        ChildProcess.alarm(seconds: 2 * settings.seconds + 60)
        let isWritten = line(answer(question, questions)).withUnsafeBytes { Platform.write($0, to: 1) }
        guard isWritten else { return Application.ExitCode.failed }
        ChildProcess.alarm(seconds: 0)
      }
      return Application.ExitCode.done
    } catch { return Application.complain(error, CommandWording(place: .program)) }
  }

  private static func answer(_ question: DataValue, _ questions: AssistantQuestions) -> DataValue {
    guard let tool = question["tool"]?.text.flatMap(AssistantTool.named) else {
      return ["failure": "There is no such tool."]
    }
    let arguments = question["arguments"]
    return switch questions.answer(tool, arguments == .null ? nil : arguments) {
    case .result(let value): ["result": value, "settings": questions.laterSettings.value]
    case .failure(let text): ["failure": .text(text), "settings": questions.laterSettings.value]
    }
  }

  /// Nil at the end of the input.
  private static func next() -> DataValue? {
    Platform.readLine(limit: 4 << 20).flatMap { try? JSONReader.read($0) }
  }
}

extension Application {
  /// What a process does that this program started for a part of its work.
  /// - Returns: the exit code; nil if it wasn't started so.
  package static func runPart() -> Int32? {
    switch CommandLine.arguments.dropFirst().first {
    case FleetTask.command: FleetTask.run()
    case AssistantWorker.command: AssistantWorker.run()
    default: nil
    }
  }
}
