import Archives
import Base
import Foundation
import Testing

@testable import Commands

/// One call of a tool, as the server passes it on.
enum AssistantCall {
  /// - Parameter store: the one that is meant if the arguments name none.
  static func result(
    _ tool: String, _ arguments: [String: Any], _ store: String, _ questions: AssistantQuestions,
    showsValues: Bool = false
  ) throws -> [String: Any] {
    var arguments = arguments
    let known = try #require(AssistantTool.named(tool))
    if known.command?.store == .required, arguments["store"] == nil { arguments["store"] = store }
    let bytes = try JSONSerialization.data(withJSONObject: arguments)
    let value = try bytes.withUnsafeBytes { try JSONReader.read($0) }
    let answer = questions.answer(known, value).value(showsValues: showsValues)
    let text = JSONText.compact(answer)
    return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  /// The whole answer as the assistant gets it.
  static func text(
    _ tool: String, _ arguments: [String: Any], _ store: String, _ questions: AssistantQuestions
  ) throws -> String {
    let result = try result(tool, arguments, store, questions)
    return String(decoding: try JSONSerialization.data(withJSONObject: result), as: UTF8.self)
  }
}
