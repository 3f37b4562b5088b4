import Base

/// Splits words into arguments and options. Does nothing else: no files, no printing.
package enum ArgumentParser {
  /// `--name value`, `--name=value`, `-n value`, `-nvalue`; `--` ends the options; `-` alone is an argument, and so
  /// is a negative number, as an error code is, and SQL that begins with a comment.
  package static func parse(
    _ words: some Sequence<String>, options: [OptionDefinition], command: String
  ) throws(UsageError) -> ParsedArguments {
    var result = ParsedArguments(declared: options)
    var rest = Array(words)[...]
    var takesOptions = true
    while let word = rest.popFirst() {
      guard takesOptions, word.hasPrefix("-"), word.count > 1, !isNegative(word), !isRemark(word) else {
        result.positionals.append(word)
        continue
      }
      if word == "--" {
        takesOptions = false
        continue
      }
      let (definition, attached) = try find(word, options, command)
      if definition.value == nil {
        if attached != nil { throw .unexpectedValue(option: definition.name) }
        result.options[definition.option] = [""]
        continue
      }
      guard let value = attached ?? rest.popFirst() else { throw .missingValue(option: definition) }
      if !definition.choices.isEmpty, !definition.choices.contains(value) {
        throw .badValue(value, option: definition)
      }
      result.options[definition.option, default: []].append(value)
    }
    return result
  }

  /// `-1`, `-.5` and `-5 km`: no option begins with a digit.
  private static func isNegative(_ word: String) -> Bool { word.contains(/^-\.?\d/) }

  /// `-- Title: …`, as a query in a file begins.
  private static func isRemark(_ word: String) -> Bool { word.contains(/^--\s/) }

  private static func find(
    _ word: String, _ options: [OptionDefinition], _ command: String
  ) throws(UsageError) -> (OptionDefinition, String?) {
    if let found = option(in: word, among: options) { return found }
    let name = word.hasPrefix("--") ? String(word.prefix { $0 != "=" }) : word
    throw .unknownOption(name, command: command, known: options.map { "--" + $0.name })
  }

  /// The option that a word names, and the value that stands in the same word; nil for a word that names none.
  package static func option(
    in word: String, among options: [OptionDefinition]
  ) -> (option: OptionDefinition, attached: String?)? {
    if word.hasPrefix("--") {
      let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let option = options.first(where: { $0.name == parts[0] }) else { return nil }
      return (option, parts.count > 1 ? String(parts[1]) : nil)
    }
    guard word.hasPrefix("-"), let letter = word.dropFirst().first,
      let option = options.first(where: { $0.short == letter })
    else { return nil }
    let attached = word.dropFirst(2)
    return (option, attached.isEmpty ? nil : String(attached))
  }
}

/// The words of a command, sorted: what stands alone, and the options with their values.
///
/// To ask for an option that the command doesn't declare is a mistake of ours, which ends a debug build.
package struct ParsedArguments: Sendable, Equatable {
  package var positionals: [String] = []
  /// The values of each option in the order typed; switches have one empty value. What a command may not declare is
  /// asked for here.
  package var options: [OptionName: [String]] = [:]
  private let declared: Set<OptionName>

  init(declared: [OptionDefinition]) { self.declared = Set(declared.map(\.option)) }

  package func has(_ option: OptionName) -> Bool { !all(option).isEmpty }

  /// The last value given.
  package subscript(option: OptionName) -> String? { all(option).last }

  package func all(_ option: OptionName) -> [String] {
    assert(declared.contains(option), "--\(option.rawValue) is asked for and not declared")
    return options[option] ?? []
  }

  package func number(_ option: OptionName) throws(UsageError) -> Int? {
    guard let word = self[option] else { return nil }
    guard let number = Int(word), number >= 0 else { throw .notANumber(word, option: option.rawValue) }
    return number
  }

  /// What `--columns` names, each once; nil without it.
  func columns() throws(UsageError) -> [String]? {
    guard let words = options[.columns] else { return nil }
    var known: Set<String> = []
    let names = words.flatMap { $0.split(separator: ",") }.map { String($0.trimmed) }
      .filter { !$0.isEmpty && known.insert($0).inserted }
    guard !names.isEmpty else { throw .conflict("'--columns' takes names of columns: NAME,NAME,….") }
    return names
  }

  /// The values of an option that takes `NAME=VALUE`, by name.
  func assignments(_ option: OptionName) throws(UsageError) -> [String: String] {
    var values: [String: String] = [:]
    for word in all(option) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, !parts[0].isEmpty else {
        throw .conflict("'--\(option.rawValue)' takes NAME=VALUE, not '\(word)'.")
      }
      values[String(parts[0])] = String(parts[1])
    }
    return values
  }

  /// The value of an option that takes one of a list's words.
  package func choice<Choice: RawRepresentable<String>>(_ option: OptionName) -> Choice? {
    self[option].flatMap(Choice.init(rawValue:))
  }
}
