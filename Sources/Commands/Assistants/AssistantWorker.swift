import Archives
import SystemCalls
import Values

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
    Platform.readLine(limit: 4 << 20).flatMap { line in
      try? Array(line.utf8).withUnsafeBytes { try JSONReader.read($0) }
    }
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
