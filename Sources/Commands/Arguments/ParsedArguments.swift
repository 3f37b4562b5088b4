/// The words of a command, sorted: what stands alone, and the options with their values.
package struct ParsedArguments: Sendable, Equatable {
  package var positionals: [String] = []
  /// Option name → its values in the order typed; switches have one empty value.
  package var options: [String: [String]] = [:]

  package func has(_ option: String) -> Bool { options[option] != nil }

  /// The last value given.
  package subscript(option: String) -> String? { options[option]?.last }

  package func all(_ option: String) -> [String] { options[option] ?? [] }

  package func number(_ option: String) throws(UsageError) -> Int? {
    guard let word = self[option] else { return nil }
    guard let number = Int(word), number >= 0 else { throw .notANumber(word, option: option) }
    return number
  }
}
